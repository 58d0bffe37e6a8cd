import { sql, type Expression, type SqlBool } from 'kysely'
import { FALSE, TRUE, oneOf, principals, seesAllCompanies, seesOwnFilesOnly } from './scope.ts'
import { can, viaOf, type Reader, type Viewer } from './viewer.ts'

/**
 * Accounts a viewer can see: the only condition for page, list, count, search, metric, map, activity, archive and channel. Use `live`
 * for what belongs to an account, because nothing in a trashed account is visible. In a query of the accounts table itself, the own
 * company's accounts are found by company_id, whose indexes also provide the order.
 */
export function visibleAccounts(viewer: Viewer, account = ACCOUNT_ID, state: 'any' | 'live' = 'any'): Expression<SqlBool> {
  const id = sql.ref(account)
  if (seesAllCompanies(viewer))
    return state === 'any' ? TRUE : sql<SqlBool>`EXISTS (SELECT 1 FROM accounts live WHERE live.id = ${id} AND live.deleted_at IS NULL)`
  const mine = principals(viewer)
  if (viewer.kind !== 'user' || mine.length === 0) return FALSE
  const live = state === 'any' ? sql`` : sql`AND g.live`
  // People from outside see the one account of their invitation or link only.
  const only = viewer.via === undefined ? sql`` : sql`AND g.account_id = ${viewer.via.accountId}`
  const grants = sql`FROM account_access g WHERE g.principal_id IN ${oneOf(mine)} ${live} ${only}`
  return account === ACCOUNT_ID && state === 'any' && mine.includes(viewer.companyId)
    ? sql<SqlBool>`(accounts.company_id = ${viewer.companyId} OR accounts.id = ANY(ARRAY(SELECT g.account_id ${grants} AND NOT g.owner)))`
    : sql<SqlBool>`EXISTS (SELECT 1 ${grants} AND g.account_id = ${id})`
}

const ACCOUNT_ID = 'accounts.id'

/** The companies and users with access to an account, without those who see all accounts. */
export async function principalsOf(db: Reader, accountId: string): Promise<string[]> {
  const rows = await db.selectFrom('account_access').select('principal_id').where('account_id', '=', accountId).execute()
  return rows.map(({ principal_id }) => principal_id)
}

/**
 * Whether the viewer decides who has access to the account: its own company, or a user who sees all companies. Brokers, carriers and users
 * who were given access work on its properties and documents, and lose access with their name or their entry.
 */
export const ownsAccount = (viewer: Viewer, account: { company_id: string }): boolean =>
  seesAllCompanies(viewer) || (viewer.kind === 'user' && viewer.via === undefined && viewer.companyId === account.company_id)

/** The same as a condition, for the id of an account in this column. */
export function isOwnAccount(viewer: Viewer, account: string): Expression<SqlBool> {
  if (seesAllCompanies(viewer)) return TRUE
  if (viewer.kind !== 'user') return FALSE
  return sql<SqlBool>`EXISTS (SELECT 1 FROM accounts o WHERE o.id = ${sql.ref(account)} AND o.company_id = ${viewer.companyId})`
}

/**
 * Private documents are visible to users who can change documents and belong to the account's company or to the provider. Only they make
 * documents private, so that no user loses a document that they uploaded or changed.
 */
export const seesPrivateFiles = (viewer: Viewer, account: { company_id: string }): boolean =>
  can(viewer, 'update_account_files') && ownsAccount(viewer, account)

/** How the company counts and dates its accounts is not shown to visitors of a link. */
export const seesNumbers = (viewer: Viewer): boolean => viaOf(viewer)?.kind !== 'share'

/** The further details of an account are its terms, such as limits. Upload-only users bring documents and do not see the terms. */
export const seesDetails = (viewer: Viewer): boolean => !seesOwnFilesOnly(viewer)

/** The state of a managed account decides what its users can do next, so all of them see its status. */
export const seesStatus = (viewer: Viewer, type: string): boolean => type === 'managed' || can(viewer, 'view_account_status')
/** The same as a condition of a query of the accounts table: what filters, sorts or shows a status must have it. */
export const statusIsSeen = (viewer: Viewer): Expression<SqlBool> =>
  can(viewer, 'view_account_status') ? TRUE : sql<SqlBool>`accounts.type = 'managed'`

/** What this viewer can do with this account in its current state; checked by commands and sent as accessible_features. */
export function accountRules(viewer: Viewer, account: { type: string; company_id: string; deleted_at: Date | null }) {
  const live = account.deleted_at === null
  return {
    update: live && can(viewer, 'update_accounts'),
    delete: can(viewer, 'delete_accounts') && ownsAccount(viewer, account),
    update_status: live && can(viewer, 'update_account_status') && (account.type === 'standard' || can(viewer, 'manage_simple_accounts')),
    upload: live && can(viewer, 'upload_account_files'),
    import: live && can(viewer, 'bulk_upload_account_properties'),
    make_private: live && seesPrivateFiles(viewer, account),
  }
}
