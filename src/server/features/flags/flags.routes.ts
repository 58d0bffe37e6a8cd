import { sql } from 'kysely'
import { ALL_FLAG_REASONS, FLAG_PRIORITIES, FLAG_STATUSES, flagCalls, type FlagRow, type FlaggableType } from '#contract/flags.ts'
import { isOpenFlag, visibleFlags } from '#server/access/flags.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { can, timezoneOf, viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { dateCell, labelCell, plainDateCell, textCell } from '#server/engines/datatable/cells.ts'
import { defineDatatable, type Unmarked } from '#server/engines/datatable/define-datatable.ts'
import { choiceFilter, idFilter, yesNoFilter } from '#server/engines/datatable/filters.ts'
import { listHandlers } from '#server/engines/datatable/list-routes.ts'
import { implement, type RequireRecord } from '#server/engines/http/answer.ts'
import { forbidden, notFound } from '#server/kernel/errors.ts'
import { assignees } from './assignees.queries.ts'
import { TARGETS, visibleTargets, type Flaggable } from './flag-targets.ts'
import { raiseFlags, updateFlag } from './flags.commands.ts'
import { findFlag, loadFlags, presentFlag, targetOf, type FlagRecord } from './flags.queries.ts'

const column = (name: string) => sql.ref(`flags.${name}`)
const user = (name: string) => sql`(SELECT full_name FROM users WHERE users.id = ${column(name)})`

const presentRow = (ctx: Context, record: FlagRecord): Unmarked<FlagRow> => ({
  id: record.id,
  account_id: record.account_id,
  deleted_at: null,
  message: textCell(record.message),
  record: textCell(targetOf(record).title),
  reason: labelCell(record.reason, ALL_FLAG_REASONS),
  priority: labelCell(record.priority, FLAG_PRIORITIES),
  status: labelCell(record.status, FLAG_STATUSES),
  assigned_to: textCell(record.assignee_name),
  due_on: plainDateCell(record.due_on),
  raised_by: textCell(record.source === 'system' ? ctx.config.product.name : record.raiser_name),
  created_at: dateCell(record.created_at, timezoneOf(ctx.viewer)),
  flag: presentFlag(ctx, record),
})

const flagDatatable = defineDatatable<FlagRow>({
  model: 'flags',
  hasTrash: false,
  visible: visibleFlags,
  canSearch: 'view_account_properties_datatable_search',
  dependsOn: ['flags', 'account_properties', 'account_files', 'risk_control'],
  accountColumn: 'account_id',
  columns: {
    message: { label: 'Message', primary: true, width: 360, sort: { by: column('message') } },
    record: { label: 'About' },
    reason: { label: 'Reason', sort: { by: column('reason') } },
    priority: { label: 'Priority', sort: { by: column('priority') } },
    status: { label: 'Status', sort: { by: column('status') } },
    assigned_to: { label: 'Assigned to', sort: { by: user('assigned_to'), nullsLast: true } },
    due_on: { label: 'Due', sort: { by: column('due_on'), nullsLast: true } },
    raised_by: { label: 'Raised by', sort: { by: user('raised_by'), nullsLast: true } },
    created_at: { label: 'Raised', sort: { by: column('created_at') } },
  },
  defaultSort: { column: 'created_at', order: 'desc' },
  filters: {
    account_id: idFilter('Account', 'flags.account_id'),
    property_id: idFilter('Property', 'flags.property_id'),
    file_id: idFilter('Document', 'flags.file_id'),
    risk_control_id: idFilter('Risk control report', 'flags.risk_control_id'),
    open: yesNoFilter('Open', () => isOpenFlag()),
    mine: yesNoFilter('Assigned to me', ({ viewer }) => sql`flags.assigned_to IS NOT DISTINCT FROM ${viewerId(viewer)}::uuid`),
    status: choiceFilter('Status', 'flags.status', FLAG_STATUSES),
    reason: choiceFilter('Reason', 'flags.reason', ALL_FLAG_REASONS),
    priority: choiceFilter('Priority', 'flags.priority', FLAG_PRIORITIES),
  },
  rows: async (ctx, ids) => (await loadFlags(ctx, ids)).map((record) => presentRow(ctx, record)),
})

const requireRecord: RequireRecord = (ctx, { id = '' }, { path }) =>
  path === flagCalls.assignees.path ? requireVisibleAccount(ctx.db, ctx.viewer, id) : findFlag(ctx, id)

/** The record, which is in the account and can be flagged by the viewer. Throws `notFound` or `forbidden`. */
async function requireTarget(ctx: Context, accountId: string, { type, id }: { type: FlaggableType; id: string }): Promise<Flaggable> {
  const { needs, noun } = TARGETS[type]
  if (!can(ctx.viewer, needs)) throw forbidden()
  const records = { type, ids: [id] }
  const { rows } = await sql`SELECT id ${visibleTargets(ctx.viewer, records)} AND account_id = ${accountId}`.execute(ctx.db)
  if (rows.length === 0) throw notFound(noun)
  return records
}

export const flagRoutes = implement(
  flagCalls,
  {
    ...listHandlers(flagDatatable, flagCalls.index),
    show: async ({ ctx, params }) => ({ data: presentFlag(ctx, await findFlag(ctx, params.id)) }),
    raise: async ({ ctx, body: { flaggable_type, flaggable_id, ...input } }) => {
      const [flag] = await raiseFlags(ctx, flaggable_type, [flaggable_id], input)
      if (flag === undefined) throw notFound('Record')
      return { status: 201, data: presentFlag(ctx, flag), message: 'The flag was raised.' }
    },
    update: async ({ ctx, params, body }) => ({
      data: presentFlag(ctx, await updateFlag(ctx, params.id, body)),
      message: 'The flag was saved.',
    }),
    assignees: async ({ ctx, params, query: { flaggable_type: type, flaggable_id: id } }) => {
      const account = await requireVisibleAccount(ctx.db, ctx.viewer, params.id)
      const users = await assignees(ctx, account.id, await requireTarget(ctx, account.id, { type, id }))
      return { data: users.map(({ userId, fullName, companyName }) => ({ id: userId, full_name: fullName, company: companyName })) }
    },
  },
  requireRecord,
)
