import { sql, type Expression, type SqlBool } from 'kysely'
import { FLAG_REOPEN_MS } from '#contract/limits.ts'
import { visibleFiles } from './account-files.ts'
import { visibleProperties } from './account-properties.ts'
import { visibleRiskControl } from './risk-control.ts'
import { FALSE } from './scope.ts'
import { can, viewerId, type Viewer } from './viewer.ts'

/**
 * Flags are seen by those who can raise them and see the flagged record. Those of a record in the trash are hidden with it. `OFFSET 0` has
 * the database look up the report of a flag; otherwise it reads all reports for one page of flags.
 */
export function visibleFlags(viewer: Viewer, flags = 'flags'): Expression<SqlBool> {
  if (!can(viewer, 'manage_flags')) return FALSE
  const ref = (column: string) => sql.ref(`${flags}.${column}`)
  const properties = can(viewer, 'view_account_properties')
    ? visibleProperties(viewer, { account: `${flags}.account_id`, id: `${flags}.property_id` })
    : FALSE
  return sql<SqlBool>`((${ref('property_id')} IS NOT NULL AND ${properties} AND EXISTS (SELECT 1 FROM account_properties flagged
      WHERE flagged.id = ${ref('property_id')} AND flagged.deleted_at IS NULL))
    OR EXISTS (SELECT 1 FROM account_files flagged_file
      WHERE flagged_file.id = ${ref('file_id')} AND flagged_file.deleted_at IS NULL AND ${visibleFiles(viewer, 'flagged_file')})
    OR EXISTS (SELECT 1 FROM risk_control flagged_report WHERE flagged_report.id = ${ref('risk_control_id')}
      AND flagged_report.deleted_at IS NULL AND ${visibleRiskControl(viewer, 'flagged_report')} OFFSET 0))`
}

export const isOpenFlag = (flags = 'flags'): Expression<SqlBool> => sql<SqlBool>`${sql.ref(`${flags}.status`)} IN ('open', 'acknowledged')`

/** Flags of the system that are assigned to no user. One that is assigned is a matter of that user, like those that users raise. */
export const isAutomaticFlag = (flags = 'flags'): Expression<SqlBool> =>
  sql<SqlBool>`(${sql.ref(`${flags}.source`)} = 'system' AND ${sql.ref(`${flags}.assigned_to`)} IS NULL)`

interface FlagState {
  source: string
  status: string
  raised_by: string | null
  assigned_to: string | null
  closed_at: Date | null
  /** Whether the flagged record is in use: a divested property is not. */
  is_active: boolean
}

/** What this viewer can do with this flag. The system reopens its own flags by raising new ones. */
export function flagRules(viewer: Viewer, { source, status, raised_by, assigned_to, closed_at, is_active }: FlagState, now: Date) {
  const manages = can(viewer, 'manage_flags')
  const isOpen = status === 'open' || status === 'acknowledged'
  const id = viewerId(viewer)
  return {
    update: manages && isOpen,
    edit_message: manages && isOpen && source === 'user' && raised_by === id,
    acknowledge: manages && status === 'open' && id !== null && assigned_to === id,
    close: manages && isOpen,
    reopen: manages && source === 'user' && is_active && closed_at !== null && now.getTime() - closed_at.getTime() <= FLAG_REOPEN_MS,
  }
}
