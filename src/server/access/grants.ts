import { sql, type Expression, type SqlBool } from 'kysely'
import { isOwnAccount, ownsAccount, visibleAccounts } from './accounts.ts'
import { FALSE, TRUE } from './scope.ts'
import { can, viaOf, viewerId, type Viewer } from './viewer.ts'

/** `any` includes what was revoked, whose visits remain on record. */
type State = 'kept' | 'any'
const isIn = (state: State, grants: string) => (state === 'any' ? TRUE : sql<SqlBool>`${sql.ref(`${grants}.revoked_at`)} IS NULL`)

/**
 * Invitations to accounts that the viewer sees: those to accounts of the own company, and those that the viewer sent. People from outside do
 * not see who else was let in.
 */
export function visibleInvites(viewer: Viewer, grants = 'account_grants', state: State = 'kept'): Expression<SqlBool> {
  if (viaOf(viewer) !== undefined || !can(viewer, 'view_account_invites')) return FALSE
  const account = `${grants}.account_id`
  return sql<SqlBool>`(${sql.ref(`${grants}.kind`)} = 'invite' AND ${isIn(state, grants)} AND ${visibleAccounts(viewer, account, 'live')}
    AND (${isOwnAccount(viewer, account)} OR ${sql.ref(`${grants}.created_by`)} = ${viewerId(viewer)}))`
}

/** Links to accounts of the own company, for those who share accounts. */
export function visibleLinks(viewer: Viewer, grants = 'account_grants', state: State = 'kept'): Expression<SqlBool> {
  if (viaOf(viewer) !== undefined || !can(viewer, 'update_account_sharing')) return FALSE
  const account = `${grants}.account_id`
  return sql<SqlBool>`(${sql.ref(`${grants}.kind`)} IN ('default_link', 'link') AND ${isIn(state, grants)}
    AND ${visibleAccounts(viewer, account, 'live')} AND ${isOwnAccount(viewer, account)})`
}

/** Who decides which people from outside see the account: its company, and who created a managed account for another company. */
export const mayInvite = (viewer: Viewer, account: { company_id: string; type: string; created_by: string | null }): boolean =>
  can(viewer, 'create_account_invites') &&
  (ownsAccount(viewer, account) || (account.type === 'managed' && account.created_by !== null && account.created_by === viewerId(viewer)))

/**
 * Whether the invited person was deactivated or removed as a user since the invitation: their own company took their access. One who was
 * invited later, or is a user again, is not.
 */
export const isOfFormerUser = sql<boolean>`(EXISTS (SELECT 1 FROM users former WHERE former.kind = 'member' AND former.email = account_grants.email
    AND (former.deactivated_at IS NOT NULL OR former.deleted_at IS NOT NULL)
    AND greatest(former.deactivated_at, former.deleted_at) > account_grants.created_at)
  AND NOT EXISTS (SELECT 1 FROM users present WHERE present.kind = 'member' AND present.email = account_grants.email
    AND present.deactivated_at IS NULL AND present.deleted_at IS NULL))`
