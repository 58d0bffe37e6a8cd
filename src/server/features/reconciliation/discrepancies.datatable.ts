import { sql, type SqlBool } from 'kysely'
import { CHECKS, CHECK_GROUPS, DISCREPANCY_STATUSES, SEVERITIES, SEVERITY_LABELS } from '#contract/checks.ts'
import { SharedDecision, type DecisionStatus, type DiscrepancyRow } from '#contract/discrepancies.ts'
import { plural } from '#contract/format.ts'
import { visibleDiscrepancies } from '#server/access/discrepancies.ts'
import { equalsAnyId } from '#server/access/scope.ts'
import type { Context } from '#server/engines/context.ts'
import { defineDatatable } from '#server/engines/datatable/define-datatable.ts'
import { choiceFilter, ifKnown } from '#server/engines/datatable/filters.ts'
import { issueText } from '#server/engines/http/issue-text.ts'
import { naturalKeys } from '#server/engines/datatable/natural-order.ts'
import { decideDiscrepancies } from './decide.commands.ts'
import { presentDiscrepancyRow } from './discrepancies.presenter.ts'
import { loadDiscrepancies } from './discrepancies.queries.ts'

const column = (name: string) => sql.ref(`discrepancies.${name}`)
const isOneOfIds = (name: string) => (_value: string, values: readonly string[]) => equalsAnyId(`discrepancies.${name}`, values)
const CHECK_NAMES = Object.fromEntries(Object.entries(CHECKS).map(([id, { name }]) => [id, name]))
const bySeverity = sql`array_position(${[...SEVERITIES]}::text[], discrepancies.severity)`
/** By location and building number, as in the list of properties; those of one property follow one another. */
const building = naturalKeys('account_properties.building_number')
const byProperty = {
  ...naturalKeys('account_properties.location_number'),
  after: [building.first, building.by, column('property_id')],
  nullsLast: true,
}
const property = sql`LEFT JOIN account_properties ON account_properties.id = discrepancies.property_id`

const decide = (status: DecisionStatus) => async (ctx: Context, ids: string[], input: Record<string, unknown>) => {
  await decideDiscrepancies(ctx, ids, SharedDecision.parse({ ...input, status }, { error: issueText }))
  return ids.length === 1 ? 'The decision was saved.' : `The decision on ${plural(ids.length, 'discrepancy', 'discrepancies')} was saved.`
}
const enterReason = (message: string) => ({ message, type: 'text', placeholder: 'Reason', name: 'note' }) as const

export const discrepancyDatatable = defineDatatable<DiscrepancyRow>({
  model: 'discrepancies',
  hasTrash: false,
  visible: visibleDiscrepancies,
  columns: {
    message: { label: 'What is wrong', primary: true, width: 420 },
    property: { label: 'Property', sort: { ...byProperty, join: property } },
    check: { label: 'Check', sort: { by: column('check_id') } },
    field: { label: 'Field', sort: { by: column('field'), nullsLast: true } },
    left_value: { label: 'Register' },
    right_value: { label: 'Compared with' },
    delta: { label: 'Difference', align: 'right', default: false, sort: { by: column('delta'), nullsLast: true } },
    severity: { label: 'Severity', sort: { by: bySeverity } },
    status: { label: 'Status', sort: { by: column('status') } },
    note: { label: 'Reason', default: false },
    created_at: { label: 'Found', sort: { by: column('created_at') } },
    decided_at: { label: 'Decided', default: false, sort: { by: column('decided_at'), nullsLast: true } },
  },
  defaultSort: { column: 'severity', order: 'desc' },
  filters: {
    account_id: { label: 'Account', type: 'text', hidden: true, where: isOneOfIds('account_id') },
    property_id: { label: 'Property', type: 'text', hidden: true, where: isOneOfIds('property_id') },
    property_status: {
      label: 'Status of the property',
      type: 'text',
      hidden: true,
      where: ifKnown(
        (value) => value === 'active' || value === 'divested',
        (_value, values) => sql<SqlBool>`EXISTS (SELECT 1 FROM account_properties p WHERE p.account_id = discrepancies.account_id
          AND p.id = discrepancies.property_id AND p.deleted_at IS NULL AND p.status = ANY(${values}::text[]))`,
      ),
    },
    status: { ...choiceFilter('Status', 'discrepancies.status', DISCREPANCY_STATUSES), default: 'open' },
    severity: choiceFilter('Severity', 'discrepancies.severity', SEVERITY_LABELS),
    check: choiceFilter('Check', 'discrepancies.check_id', CHECK_NAMES),
    group: choiceFilter('Group', 'discrepancies.group_name', CHECK_GROUPS),
  },
  actions: {
    accepted: {
      label: 'Accept',
      can: 'update_account_properties',
      prompt: { message: 'Write the other value to the register?', type: 'confirm', name: 'confirmed' },
      run: (ctx, ids, { confirmed: _confirmed, ...input }) => decide('accepted')(ctx, ids, input),
    },
    kept: {
      label: 'Keep',
      can: 'resolve_discrepancies',
      prompt: enterReason('Why is the value in the register right?'),
      run: decide('kept'),
    },
    waived: {
      label: 'Waive',
      can: 'resolve_discrepancies',
      prompt: enterReason('Why can this discrepancy be waived?'),
      run: decide('waived'),
    },
  },
  canSearch: 'view_account_properties_datatable_search',
  rows: async (ctx, ids) => (await loadDiscrepancies(ctx, ids)).map((record) => presentDiscrepancyRow(ctx.viewer, record)),
  dependsOn: ['discrepancies', 'account_properties', 'account_files'],
  accountColumn: 'discrepancies.account_id',
})
