import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { discrepancyGroup, type CheckId, type DiscrepancyGroupName } from '#contract/checks.ts'
import { visibleFiles } from './account-files.ts'
import { visibleProperties } from './account-properties.ts'
import { isOwnAccount } from './accounts.ts'
import { scopeOf } from './link-scope.ts'
import { FALSE } from './scope.ts'
import { can, viewerId, type Viewer } from './viewer.ts'

type Condition = Expression<SqlBool>

/** The permission half of `visibleDiscrepancies`. Findings quote other properties, so no link to a part of the account shows them. */
export const seesDiscrepancies = (viewer: Viewer): boolean =>
  can(viewer, 'view_account_properties') && can(viewer, 'view_account_reconciliation_metric') && scopeOf(viewer) === undefined

/**
 * Discrepancies of the accounts a viewer sees, for viewers who can see their reconciliation. Those of a property in the trash are hidden
 * with it: a check closes them only later.
 */
export function visibleDiscrepancies(viewer: Viewer, discrepancies = 'discrepancies'): Condition {
  if (!seesDiscrepancies(viewer)) return FALSE
  return sql<SqlBool>`(${visibleProperties(viewer, { account: `${discrepancies}.account_id`, id: `${discrepancies}.property_id` })} AND NOT EXISTS (SELECT 1 FROM account_properties trashed
    WHERE trashed.id = ${sql.ref(`${discrepancies}.property_id`)} AND trashed.deleted_at IS NOT NULL))`
}

/**
 * Who decided a discrepancy and why is internal: it is shown to the account's company, to that of the user who decided, and to the provider.
 * `account` and `decider` are columns.
 */
export function seesDecision(viewer: Viewer, account = 'd.account_id', decider = 'd.decided_by'): RawBuilder<SqlBool> {
  const company = viewer.kind === 'user' ? viewer.companyId : null
  return sql<SqlBool>`(${isOwnAccount(viewer, account)} OR ${sql.ref(decider)} = ${viewerId(viewer)}
    OR EXISTS (SELECT 1 FROM users WHERE users.id = ${sql.ref(decider)} AND users.company_id = ${company}))`
}

/** The names of the documents that the viewer sees in these accounts, with their accounts. */
export const visibleNames = (viewer: Viewer, accounts: Expression<unknown>) =>
  sql`SELECT account_files.account_id, account_files.original_file_name FROM account_files
    WHERE account_files.account_id = ANY(${accounts}) AND ${visibleFiles(viewer)}`

/** The document and cell of the value in the register; null for viewers who do not see the document. `names` selects `visibleNames`. */
const shownPlace = (names: Expression<unknown>, d: string) => {
  const place = sql`(${sql.ref(`${d}.left_value`)}->>'ref')`
  return sql`CASE WHEN (${sql.ref(`${d}.account_id`)}, split_part(${place}, ', cell ', 1)) IN (${names}) THEN ${place} END`
}

/** The value in the register with its place, if the viewer sees the document. */
export const shownRegisterValue = (names: Expression<unknown>, d = 'd') =>
  sql<unknown>`(${sql.ref(`${d}.left_value`)} || jsonb_build_object('ref', ${shownPlace(names, d)}))`

/** The message with the place of the value in the register, if the viewer sees the document. */
export function shownMessage(names: Expression<unknown>, d = 'd') {
  const [message, at] = [sql.ref(`${d}.message`), sql.ref(`${d}.place_at`)]
  return sql<string>`CASE WHEN ${at} IS NULL THEN ${message}
    ELSE concat(left(${message}, ${at}), ' (' || ${shownPlace(names, d)} || ')', substr(${message}, ${at} + 1)) END`
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
