import { sql, type Expression, type SqlBool } from 'kysely'
import {
  CHECKS,
  DISCREPANCY_GROUPS,
  SEVERITIES,
  SEVERITY_LABELS,
  checkOfFilter,
  discrepancyGroup,
  isDiscrepancyGroup,
  type CheckId,
  type DiscrepancyGroupName,
} from '#contract/checks.ts'
import { visibleProperties } from './account-properties.ts'
import { FALSE } from './scope.ts'
import { can, type Viewer } from './viewer.ts'

type Condition = Expression<SqlBool>

/** The permission half of `visibleDiscrepancies`. */
export const maySeeDiscrepancies = (viewer: Viewer): boolean =>
  can(viewer, 'view_account_properties') && can(viewer, 'view_account_reconciliation_metric')

/** Discrepancies are working data: only for those who may see the reconciliation of an account they see (domain section 19). */
export function visibleDiscrepancies(viewer: Viewer, discrepancies = 'discrepancies'): Condition {
  return maySeeDiscrepancies(viewer) ? visibleProperties(viewer, `${discrepancies}.account_id`) : FALSE
}

interface DiscrepancyState {
  status: string
  severity: string
}

/** Roles whose people answer for the insured's data but not for the submission (domain 8.1: a critical difference is waived by provider or broker). */
const CLIENT_SIDE: ReadonlySet<string> = new Set(['client', 'carrier', 'upload_only', 'invite_guest', 'share_guest'])
const isProviderOrBroker = (viewer: Viewer) => viewer.kind === 'user' && viewer.roles.some(({ name }) => !CLIENT_SIDE.has(name))

/** What this viewer may decide about this discrepancy; one that the system closed is history. */
export function discrepancyRules(viewer: Viewer, { status, severity }: DiscrepancyState) {
  const decidable = status !== 'fixed' && status !== 'obsolete' && viewer.kind === 'user' && can(viewer, 'resolve_discrepancies')
  return {
    accepted: decidable && can(viewer, 'update_account_properties'),
    kept: decidable,
    waived: decidable && (severity !== 'critical' || isProviderOrBroker(viewer)),
  }
}

const anyOf = (column: string, values: readonly string[]) => sql<SqlBool>`${sql.ref(column)} = ANY(${values}::text[])`
export const ofCheck = (check: CheckId, d = 'd'): Condition => anyOf(`${d}.check_id`, [check])

/** Discrepancies that count for a group of the reconciliation metric. */
export function ofGroup(name: DiscrepancyGroupName, d = 'd'): Condition {
  const { checks, fields } = discrepancyGroup(name)
  return fields === undefined
    ? anyOf(`${d}.check_id`, checks)
    : sql<SqlBool>`(${anyOf(`${d}.check_id`, checks)} AND ${anyOf(`${d}.field`, fields)})`
}

export const ofSeverity = (severities: readonly string[], d = 'd'): Condition => anyOf(`${d}.severity`, severities)

/** Properties with an open discrepancy that meets the condition on `d`. */
const withOpen = (condition: Condition) => sql<SqlBool>`EXISTS (SELECT 1 FROM discrepancies d
  WHERE d.account_id = account_properties.account_id AND d.property_id = account_properties.id AND d.status = 'open' AND ${condition})`

const either = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? FALSE : sql<SqlBool>`(${sql.join([...conditions], sql` OR `)})`
const ANY_OPEN = sql<SqlBool>`true`

interface Filtering {
  viewer: Viewer
}
const SEVERITY_OPTIONS = SEVERITIES.toReversed().map((value) => ({ value, label: SEVERITY_LABELS[value] }))
/** Who may not see discrepancies cannot tell by a filter which properties have some: for them it does not exist. */
const forThoseWhoSee =
  (where: (values: readonly string[]) => Condition) =>
  (_value: string, values: readonly string[], { viewer }: Filtering): Condition | undefined =>
    maySeeDiscrepancies(viewer) ? where(values) : undefined

/**
 * Filters of the properties list that look at open discrepancies, ready to stand among the filters of its datatable; several values
 * mean any of them, an unknown value matches nothing. The reconciliation metric counts with the same conditions (`ofCheck`, `ofGroup`,
 * `ofSeverity`), so that count and list agree.
 */
export const discrepancyFilters = {
  has_discrepancy: {
    label: 'Differences',
    type: 'boolean' as const,
    options: () => [
      { value: '1', label: 'With differences' },
      { value: '0', label: 'Without differences' },
    ],
    where: forThoseWhoSee((values) => (values.includes('1') ? withOpen(ANY_OPEN) : sql<SqlBool>`NOT ${withOpen(ANY_OPEN)}`)),
  },
  discrepancy: {
    label: 'Difference',
    type: 'multiselect' as const,
    options: () => Object.values(CHECKS).map(({ filter, name }) => ({ value: filter, label: name })),
    where: forThoseWhoSee((values) =>
      withOpen(either(values.flatMap((value) => checkOfFilter(value) ?? []).map((check) => ofCheck(check)))),
    ),
  },
  discrepancy_group: {
    label: 'Kind of difference',
    type: 'multiselect' as const,
    options: () => Object.entries(DISCREPANCY_GROUPS).map(([value, { label }]) => ({ value, label })),
    where: forThoseWhoSee((values) => withOpen(either(values.filter(isDiscrepancyGroup).map((group) => ofGroup(group))))),
  },
  severity: {
    label: 'Severity',
    type: 'multiselect' as const,
    options: () => [...SEVERITY_OPTIONS],
    where: forThoseWhoSee((values) => withOpen(ofSeverity(values))),
  },
}
