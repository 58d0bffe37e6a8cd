import { visibleUsers } from '#server/access/users.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { invalid } from '#server/kernel/errors.ts'

/**
 * Gives these users access to the account and withdraws it from all others. Users who have it already need not be visible to the viewer:
 * a broker withdraws the access of one user of another company without that of the others. Throws `invalid` for added users that the
 * viewer does not see.
 */
export async function setAccountUsers({ db, viewer }: WriteContext, accountId: string, sent: readonly string[]): Promise<void> {
  const held = await db.selectFrom('account_users').select('user_id').where('account_id', '=', accountId).execute()
  const [before, after] = [new Set(held.map(({ user_id }) => user_id)), new Set(sent)]
  const [removed, added] = [[...before].filter((id) => !after.has(id)), [...after].filter((id) => !before.has(id))]
  if (removed.length > 0) await db.deleteFrom('account_users').where('account_id', '=', accountId).where('user_id', 'in', removed).execute()
  if (added.length === 0) return
  const live = db.selectFrom('users').select('id').where('id', 'in', added).where('deleted_at', 'is', null)
  const found = await live.where(visibleUsers(viewer)).execute()
  if (found.length !== added.length) throw invalid({ users: ['One of the users you added was not found. Choose users from the list.'] })
  await db
    .insertInto('account_users')
    .values(added.map((user_id) => ({ account_id: accountId, user_id })))
    .execute()
}
