import { sql } from 'kysely'
import { isGuest } from '#server/access/roles.ts'
import { principals, seesAllCompanies } from '#server/access/scope.ts'
import { visibleUsers } from '#server/access/users.ts'
import { can, isMember, loadViewers, viewerId, type SignedIn } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { usersWhoSee, type Flaggable } from './flag-targets.ts'

/**
 * Users who can be assigned flags on these records by the viewer: the ones that are offered are the ones that a save accepts. They work on
 * the account, can close flags and see the records: not each of them sees a private document or the draft of a report.
 */
export const assignees = async (ctx: Context, accountId: string, records: Flaggable): Promise<SignedIn[]> =>
  usersWhoSee(ctx.db, await usersWhoClose(ctx, accountId), records)

/**
 * Users who work on the account and can close flags. Of other companies only those who created the account or are named as its users, so
 * that no list of another company's staff is shown.
 */
export async function usersWhoClose({ db, viewer }: Context, accountId: string): Promise<SignedIn[]> {
  const { rows } = await sql<{ id: string; principals: string[] }>`SELECT u.id, array_agg(g.principal_id) AS principals
    FROM account_access g JOIN users u ON g.principal_id IN (u.id, u.company_id) JOIN accounts a ON a.id = g.account_id
    WHERE g.account_id = ${accountId} AND u.deleted_at IS NULL AND ${isMember} AND (u.id = ${viewerId(viewer)} OR u.id = a.created_by
      OR EXISTS (SELECT 1 FROM account_users x WHERE x.account_id = a.id AND x.user_id = u.id) OR ${visibleUsers(viewer, 'u')})
    GROUP BY u.id`.execute(db)
  const access = new Map(rows.map(({ id, principals: given }) => [id, given]))
  const own = viewer.kind === 'user' && seesAllCompanies(viewer) ? [viewer.userId] : []
  const users = await loadViewers(db, [...new Set([...access.keys(), ...own])])
  return users
    .filter((user) => can(user, 'manage_flags') && !isGuest(user))
    .filter((user) => seesAllCompanies(user) || principals(user).some((id) => access.get(user.userId)?.includes(id)))
    .sort((one, other) => one.fullName.localeCompare(other.fullName))
}
