import type { Context, WriteContext } from '#server/engines/context.ts'
import { requireCurrentRights, signedIn } from '#server/engines/session/authenticate.ts'
import { familyOf, viewerId } from '#server/access/viewer.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { mailNotice, type NoticeKind } from './notices.commands.ts'
import { endSessions } from './session.commands.ts'
import { confirmPassword, requireConfirmed } from './sign-in.commands.ts'

interface FactorChange {
  notice: NoticeKind
  /** `{user}` is the one who makes the change. */
  activity: string
  /** Runs when the password was right, before the transaction, which would undo what it counts. */
  onceConfirmed?: () => Promise<void>
}

/**
 * Changes how users sign in themselves: needs their current password, is recorded, mails a notice and ends their other sessions, like a
 * change of the password.
 */
export async function changeFactor<T>(
  ctx: Context,
  currentPassword: string,
  change: FactorChange,
  write: (tx: WriteContext, userId: string) => Promise<T>,
): Promise<T> {
  const { userId } = signedIn(ctx)
  const confirmed = await confirmPassword(ctx, userId, currentPassword)
  await change.onceConfirmed?.()
  return transact(ctx, async (tx) => {
    await requireCurrentRights(tx)
    await requireConfirmed(tx, userId, confirmed)
    return changing(tx, userId, change, () => write(tx, userId))
  })
}

/** Runs the write while no sign-in of the user can begin, so that none of them misses the change. */
export async function changing<T>(
  tx: WriteContext,
  userId: string,
  { notice, activity }: FactorChange,
  write: () => Promise<T>,
): Promise<T> {
  const user = await tx.db
    .selectFrom('users')
    .select(['email', 'company_id'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const result = await write()
  await endSessions(tx, userId, viewerId(tx.viewer) === userId ? familyOf(tx.viewer) : undefined)
  await recordActivity(tx, { model: 'users', modelId: userId, class: 'updated', message: activity })
  await mailNotice(tx, user.email, [notice])
  emit(tx, { model: 'users', id: userId, for: [user.company_id, userId] })
  return result
}

/** Removes the authenticator app with its recovery codes, and all passkeys. The code by email stays as it is set. */
export async function removeFactors({ db }: WriteContext, userId: string): Promise<boolean> {
  const removed = [
    await db.deleteFrom('totp_secrets').where('user_id', '=', userId).executeTakeFirst(),
    await db.deleteFrom('passkeys').where('user_id', '=', userId).executeTakeFirst(),
  ]
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  return removed.some(({ numDeletedRows }) => numDeletedRows > 0n)
}
