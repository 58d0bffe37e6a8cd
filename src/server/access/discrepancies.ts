import { sql, type Expression, type SqlBool } from 'kysely'
import { discrepancyGroup, type CheckId, type DiscrepancyGroupName } from '#contract/checks.ts'
import { visibleProperties } from './account-properties.ts'
import { FALSE } from './scope.ts'
import { can, type Viewer } from './viewer.ts'

type Condition = Expression<SqlBool>

/** The permission half of `visibleDiscrepancies`. */
export const seesDiscrepancies = (viewer: Viewer): boolean =>
  can(viewer, 'view_account_properties') && can(viewer, 'view_account_reconciliation_metric')

/**
 * Discrepancies of the accounts a viewer sees, for viewers who can see their reconciliation. Those of a property in the trash are hidden
 * with it: a check closes them only later.
 */
export function visibleDiscrepancies(viewer: Viewer, discrepancies = 'discrepancies'): Condition {
  if (!seesDiscrepancies(viewer)) return FALSE
  return sql<SqlBool>`(${visibleProperties(viewer, `${discrepancies}.account_id`)} AND NOT EXISTS (SELECT 1 FROM account_properties trashed
    WHERE trashed.id = ${sql.ref(`${discrepancies}.property_id`)} AND trashed.deleted_at IS NOT NULL))`
}

/** Roles that answer for the insured's data but not for the submission; a critical difference is waived by provider or broker. */
const CLIENT_SIDE: ReadonlySet<string> = new Set(['client', 'carrier', 'upload_only', 'invite_guest', 'share_guest'])
const isProviderOrBroker = (viewer: Viewer) => viewer.kind === 'user' && viewer.roles.some(({ name }) => !CLIENT_SIDE.has(name))

/** The decisions that this viewer can make about a discrepancy; one that the system closed can no longer be decided. */
export function discrepancyRules(viewer: Viewer, { status, severity }: { status: string; severity: string }) {
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

/** A possible duplicate is stored at one property of the pair and names the other one; both are possible duplicates. */
export const PAIR_CHECK: CheckId = 'DQ-09'
export const otherOfPair = (d = 'd') => sql<string | null>`(${sql.ref(`${d}.right_value`)}->>'ref')::uuid`

/** Discrepancies of single properties, without those that are one sentence about the schedule. */
export const notWidespread = (d = 'd'): Condition => sql<SqlBool>`NOT ${sql.ref(`${d}.widespread`)}`

export const ofSeverity = (severities: readonly string[], d = 'd'): Condition => anyOf(`${d}.severity`, severities)
