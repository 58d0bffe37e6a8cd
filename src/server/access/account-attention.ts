import { sql, type Expression, type SqlBool } from 'kysely'
import { isoDateIn } from '#contract/format.ts'
import { CLOSED_STATUSES, type Attention } from '#contract/submissions.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { seesFiles, visibleFiles } from './account-files.ts'
import { visibleProperties } from './account-properties.ts'
import { seesDiscrepancies } from './discrepancies.ts'
import { isOpenFlag, visibleFlags } from './flags.ts'
import { scopeOf } from './link-scope.ts'
import { FALSE } from './scope.ts'
import { can, timezoneOf, viewerId, type Viewer } from './viewer.ts'

type Condition = Expression<SqlBool>

/** The account has no status that ends the work on it. */
export const inWork = sql<SqlBool>`NOT EXISTS (SELECT 1 FROM statuses closed WHERE closed.id = accounts.status_id
  AND closed.name = ANY(${[...CLOSED_STATUSES]}::text[]))`
const withProperties = sql<SqlBool>`EXISTS (SELECT 1 FROM account_totals n WHERE n.account_id = accounts.id AND n.active_properties > 0)`

/** The stored total counts all properties, so visitors of a link to a part of the account have their own counted. */
const hasProperties = (viewer: Viewer): Condition =>
  scopeOf(viewer) === undefined
    ? withProperties
    : sql<SqlBool>`EXISTS (SELECT 1 FROM account_properties WHERE account_properties.account_id = accounts.id
        AND account_properties.status = 'active' AND account_properties.deleted_at IS NULL AND ${visibleProperties(viewer)})`

/** Whether the viewer sees what these accounts need; without it, no list or count says that there are none. */
export function canNeed(viewer: Viewer, kind: Attention): boolean {
  if (kind === 'open_import') return can(viewer, 'bulk_upload_account_properties')
  if (kind === 'flagged') return can(viewer, 'manage_flags')
  if (kind === 'setup_requested') return can(viewer, 'manage_simple_accounts')
  if (kind === 'no_documents') return seesFiles(viewer)
  return Object.hasOwn(CHECKED_AS, kind) ? seesDiscrepancies(viewer) : true
}

/** Accounts in work that need something; the dashboard counts and the accounts list filters with the same conditions. */
export function needsAttention(kind: Attention, { viewer, clock }: { viewer: Viewer; clock: Clock }): Condition {
  if (!canNeed(viewer, kind)) return FALSE
  const both = (condition: Condition): Condition => sql<SqlBool>`(${inWork} AND ${condition})`
  switch (kind) {
    case 'due_30':
      return both(dueWithin(30, viewer, clock))
    case 'due_60':
      return both(dueWithin(60, viewer, clock))
    case 'due_90':
      return both(dueWithin(90, viewer, clock))
    case 'overdue':
      return both(sql<SqlBool>`accounts.effective_date < ${today(viewer, clock)}::date`)
    case 'no_date':
      return both(sql<SqlBool>`accounts.effective_date IS NULL`)
    case 'no_properties':
      return both(sql<SqlBool>`NOT ${hasProperties(viewer)}`)
    case 'no_documents':
      return both(withoutDocuments(viewer))
    case 'flagged':
      return both(hasFlagOf(viewer))
    case 'setup_requested':
      return both(SETUP_REQUESTED)
    case 'open_import':
      return both(OPEN_IMPORT)
    case 'critical':
    case 'check':
    case 'unchecked':
      return both(CHECKED_AS[kind])
  }
}

const today = (viewer: Viewer, clock: Clock): string => isoDateIn(clock.now(), timezoneOf(viewer))

/** An account in work stays due after its effective date. */
const dueWithin = (days: number, viewer: Viewer, clock: Clock): Condition =>
  sql<SqlBool>`accounts.effective_date <= ${today(viewer, clock)}::date + ${days}::int`

const withoutDocuments = (viewer: Viewer) => sql<SqlBool>`NOT EXISTS (SELECT 1 FROM account_files
  WHERE account_files.account_id = accounts.id AND account_files.deleted_at IS NULL AND ${visibleFiles(viewer)})`

/** An open flag that is assigned to the viewer, who sees the flagged record. */
const hasFlagOf = (viewer: Viewer) => sql<SqlBool>`EXISTS (SELECT 1 FROM flags
  WHERE flags.account_id = accounts.id AND flags.assigned_to = ${viewerId(viewer)} AND ${isOpenFlag()} AND ${visibleFlags(viewer)})`

/** The documents of a managed account wait to be organized, or to be collected. */
const SETUP_REQUESTED = sql<SqlBool>`(accounts.type = 'managed' AND EXISTS (SELECT 1 FROM statuses w WHERE w.id = accounts.status_id
  AND (w.state = 'processing' OR (w.state = 'uploading' AND accounts.file_retrieval_method = 'assisted'))))`

const OPEN_IMPORT = sql<SqlBool>`EXISTS (SELECT 1 FROM imports i WHERE i.account_id = accounts.id
  AND i.state IN ('uploaded', 'parsed', 'mapped', 'validated'))`

/** The same states as those of one account, but a running check counts as a waiting one. */
export const CHECKED_AS = {
  critical: sql<SqlBool>`EXISTS (SELECT 1 FROM discrepancies d JOIN account_properties p ON p.account_id = d.account_id AND p.id = d.property_id
    WHERE d.account_id = accounts.id AND d.status = 'open' AND d.severity = 'critical' AND p.status = 'active' AND p.deleted_at IS NULL)`,
  check: sql<SqlBool>`(${withProperties} AND EXISTS (SELECT 1 FROM check_states c WHERE c.account_id = accounts.id
    AND (c.checked <> c.requested OR c.checked_at IS NULL)))`,
  unchecked: sql<SqlBool>`(${withProperties} AND NOT EXISTS (SELECT 1 FROM check_states c WHERE c.account_id = accounts.id))`,
} as const
