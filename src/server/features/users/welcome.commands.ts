import { WELCOME_LINK_LIFE_MS } from '#contract/limits.ts'
import { userRules } from '#server/access/users.ts'
import { viewerName } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { idIn } from '#server/engines/record/define-record.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { forbidden } from '#server/kernel/errors.ts'
import { sendPasswordLink } from '../session/password.commands.ts'
import { loadUsers } from './users.queries.ts'

/** Sends the welcome email with a link to set a password; earlier links of the user stop working. */
export async function welcome(tx: WriteContext, user: { id: string; email: string }): Promise<void> {
  const { name } = tx.config.product
  await tx.db.deleteFrom('password_resets').where('user_id', '=', user.id).where('used_at', 'is', null).execute()
  await sendPasswordLink(
    tx,
    user,
    WELCOME_LINK_LIFE_MS,
    'Set your password',
    `${viewerName(tx.viewer, name)} has created an account for you in ${name}. Set a password to sign in; the link works for seven days.`,
  )
}

/** The row action: sends the welcome email again. */
export async function sendWelcome(ctx: Context, ids: string[]): Promise<string> {
  return transact(ctx, async (tx) => {
    const users = await loadUsers(tx, idIn('users', ids))
    if (!users.every((user) => userRules(tx.viewer, user).update))
      throw forbidden('One of these users is in the trash or has more permissions than you, so you cannot send their welcome email.')
    for (const user of users) await welcome(tx, user)
    return users.length === 1 ? 'The welcome email is on its way.' : `${users.length} welcome emails are on their way.`
  })
}
