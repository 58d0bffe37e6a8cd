import { WELCOME_LINK_LIFE_MS } from '#contract/limits.ts'
import { userRules } from '#server/access/users.ts'
import { viewerName } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { forbidden } from '#server/kernel/errors.ts'
import { sendPasswordLink } from '../session/password.commands.ts'
import { loadUsers } from './users.queries.ts'

/** The welcome mail with its link to set a password; an earlier link of the person stops working. */
export async function welcome(tx: WriteContext, user: { id: string; email: string }): Promise<void> {
  const { name } = tx.config.product
  await tx.db.deleteFrom('password_resets').where('user_id', '=', user.id).where('used_at', 'is', null).execute()
  await sendPasswordLink(
    tx,
    user,
    WELCOME_LINK_LIFE_MS,
    'Set your password',
    `${viewerName(tx.viewer, name)} has made an account for you in ${name}. Please set a password to sign in; the link works for seven days.`,
  )
}

/** Once more, to everybody chosen. */
export async function sendWelcome(ctx: Context, ids: string[]): Promise<string> {
  return transact(ctx, async (tx) => {
    const users = await loadUsers(tx, ids)
    if (!users.every((user) => userRules(tx.viewer, user).update))
      throw forbidden('One of these users is in the trash or may do more than you: their welcome mail is not yours to send.')
    for (const user of users) await welcome(tx, user)
    return users.length === 1 ? 'The welcome mail is on its way.' : `${users.length} welcome mails are on their way.`
  })
}
