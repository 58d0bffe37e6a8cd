import { HOUR_MS, SIGN_IN_CHANGES_PER_HOUR } from '#contract/limits.ts'
import { userRules } from '#server/access/users.ts'
import type { Context } from '#server/engines/context.ts'
import { idIn } from '#server/engines/record/define-record.ts'
import { lockRecords } from '#server/engines/record/save-record.ts'
import { countAttempt, type Limit } from '#server/engines/secrets/limiter.ts'
import { requireCurrentRights, signedIn } from '#server/engines/session/authenticate.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden } from '#server/kernel/errors.ts'
import { changing, removeFactors } from '../session/change-factor.commands.ts'
import { confirmPassword, requireConfirmed } from '../session/sign-in.commands.ts'
import { loadUsers } from './users.queries.ts'

/** Each change by another user mails a notice. */
const signInChanges = (userId: string): Limit => ({ key: `sign-in changes ${userId}`, points: SIGN_IN_CHANGES_PER_HOUR, perMs: HOUR_MS })

export const countSignInChange = (ctx: Context, userId: string): Promise<void> =>
  countAttempt(ctx, signInChanges(userId), 'The sign-in of this user was changed too often.')

const RESET = { notice: 'factors_reset', activity: "{user} removed this user's authenticator app and passkeys" } as const

/** For a user who has lost their device: removes the authenticator app and all passkeys. */
export async function resetFactors(ctx: Context, id: string, currentPassword: string): Promise<void> {
  const { userId: by } = signedIn(ctx)
  if (by === id) throw forbidden('Change your own sign-in in your profile.')
  const confirmed = await confirmPassword(ctx, by, currentPassword)
  await transact(ctx, async (tx) => {
    await requireCurrentRights(tx)
    await requireConfirmed(tx, by, confirmed)
    await lockRecords(tx, 'users', [id])
    const [user] = await loadUsers(tx, idIn('users', [id]))
    if (user === undefined || !userRules(tx.viewer, user).update)
      throw forbidden('This user is in the trash or has more permissions than you.')
    await countSignInChange(tx, id)
    const removed = await changing(tx, id, RESET, () => removeFactors(tx, id))
    if (!removed) throw conflict('This user has neither an authenticator app nor passkeys.')
  })
}
