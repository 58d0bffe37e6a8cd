import { sql, type Expression, type SqlBool } from 'kysely'
import { FALSE, TRUE, oneOf, principals, seesAllCompanies } from './scope.ts'
import { can, type Viewer } from './viewer.ts'

/** Accounts a viewer may see: the one condition behind page, list, count, search, metric, map, activity, archive and channel. */
export function visibleAccounts(viewer: Viewer, account = 'accounts.id'): Expression<SqlBool> {
  if (seesAllCompanies(viewer)) return TRUE
  const mine = principals(viewer)
  if (mine.length === 0) return FALSE
  return sql<SqlBool>`EXISTS (SELECT 1 FROM account_access g WHERE g.account_id = ${sql.ref(account)} AND g.principal_id IN ${oneOf(mine)})`
}

interface AccountState {
  type: string
  deleted_at: Date | null
}

/** What this viewer may do with this account in its present state; used by commands and sent along as accessible_features. */
export function accountRules(viewer: Viewer, account: AccountState) {
  const live = account.deleted_at === null
  return {
    update: live && can(viewer, 'update_accounts'),
    delete: can(viewer, 'delete_accounts'),
    update_status: live && can(viewer, 'update_account_status') && (account.type === 'standard' || can(viewer, 'manage_simple_accounts')),
    upload: live && can(viewer, 'upload_account_files'),
    import: live && can(viewer, 'bulk_upload_account_properties'),
  }
}
