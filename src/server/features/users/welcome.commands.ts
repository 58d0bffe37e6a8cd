import { WELCOME_MAILS_PER_RECIPIENT } from '#contract/factor-limits.ts'
import { DAY_MS, HOUR_MS, WELCOME_LINK_LIFE_MS, WELCOME_MAILS_PER_HOUR } from '#contract/limits.ts'
import { userRules } from '#server/access/users.ts'
import { viewerId, viewerName } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { idIn } from '#server/engines/record/define-record.ts'
import { countAttempt } from '#server/engines/secrets/limiter.ts'
import { requireCurrentRights } from '#server/engines/session/authenticate.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden } from '#server/kernel/errors.ts'
import { sendPasswordLink, welcomeLinks } from '../session/password.commands.ts'
import { fullName, loadUsers } from './users.queries.ts'

interface Recipient {
  id: string
  email: string
}

/** For a user who was just created without a password. Limited for the user who adds them. */
export async function welcomeNewUser(tx: WriteContext, user: Recipient): Promise<void> {
  const by = viewerId(tx.viewer)
  const limit = { key: `welcome mails ${by}`, points: WELCOME_MAILS_PER_HOUR, perMs: HOUR_MS }
  await countAttempt(tx, limit, `You have added ${WELCOME_MAILS_PER_HOUR} users in the last hour.`)
  await welcome(tx, user)
}

/** Sends the welcome email with a link to set a password; earlier links of the user stop working. */
async function welcome(tx: WriteContext, user: Recipient): Promise<void> {
  const { name } = tx.config.product
  const by = viewerName(tx.viewer, name)
  await sendPasswordLink(tx, user, {
    kind: 'welcome',
    lifeMs: WELCOME_LINK_LIFE_MS,
    label: 'Set your password',
    heading: `Welcome to ${name}`,
    paragraphs: [
      `${by} has created an account for you in ${name}.`,
      `Set a password to sign in. The link works once, for ${WELCOME_LINK_LIFE_MS / DAY_MS} days.`,
    ],
    reason: `You get this email because ${by} entered your email address for this account. If you did not expect it, you can ignore it.`,
  })
}

/** Sends the welcome email again, to all of the users or, if one cannot get it, to none. */
export async function sendWelcome(ctx: Context, ids: readonly string[]): Promise<string> {
  return transact(ctx, async (tx) => {
    await requireCurrentRights(tx)
    const users = await loadUsers(tx, idIn('users', ids))
    if (!users.every((user) => userRules(tx.viewer, user).update))
      throw forbidden('One of these users is in the trash or has more permissions than you, so you cannot send their welcome email.')
    const deactivated = users.find(({ deactivated_at }) => deactivated_at !== null)
    if (deactivated !== undefined)
      throw conflict(`${fullName(deactivated)} is deactivated and could not sign in. Reactivate the user first.`)
    for (const user of users) {
      const limit = welcomeLinks('welcome', user.id)
      await countAttempt(tx, limit, `One of these users was sent ${WELCOME_MAILS_PER_RECIPIENT} welcome emails in the last hour.`)
      await welcome(tx, user)
    }
    return users.length === 1 ? 'The welcome email is on its way.' : `${users.length} welcome emails are on their way.`
  })
}
