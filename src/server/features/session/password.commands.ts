import { MINUTE_MS, RESET_TOKEN_LIFE_MS } from '#contract/limits.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { Caller } from '#server/engines/http/answer.ts'
import { hashToken } from '#server/engines/session/authenticate.ts'
import { enqueueMail } from '#server/engines/mail/send-mail.job.ts'
import { countAttempt } from '#server/engines/secrets/limiter.ts'
import { hashPassword } from '#server/engines/secrets/passwords.ts'
import { newToken } from '#server/engines/secrets/tokens.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, invalid } from '#server/kernel/errors.ts'
import { endSessions } from './session.commands.ts'

const RECOVERIES_PER_HOUR = 20
const INVALID_TOKEN = 'This password reset link is no longer valid. Please request a new one.'

/** Mails a link if a user has this address. The answer does not show whether one does. */
export async function recoverPassword(ctx: Context, email: string, caller: Caller): Promise<void> {
  const limit = { key: `recover ${caller.address}`, points: RECOVERIES_PER_HOUR, perMs: 60 * MINUTE_MS }
  await countAttempt(ctx, limit, 'Too many attempts. Please try again later.')
  await transact(ctx, async (tx) => {
    const user = await tx.db
      .selectFrom('users')
      .select(['id', 'email'])
      .where('email', '=', email)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (user === undefined) return
    await sendPasswordLink(
      tx,
      user,
      RESET_TOKEN_LIFE_MS,
      'Set a new password',
      'A new password was requested for your account. If you did not request it, you can ignore this message.',
    )
  })
}

/** Mails a single-use link to set a password. */
export async function sendPasswordLink(
  tx: WriteContext,
  user: { id: string; email: string },
  lifeMs: number,
  subject: string,
  sentence: string,
): Promise<void> {
  const token = newToken()
  await tx.db
    .insertInto('password_resets')
    .values({ token_hash: hashToken(token), user_id: user.id, expires_at: new Date(tx.clock.now().getTime() + lifeMs) })
    .execute()
  await enqueueMail(tx, {
    to: user.email,
    key: `reset ${hashToken(token).toString('hex')}`,
    subject: `${tx.config.product.name}: ${subject.toLowerCase()}`,
    paragraphs: [sentence],
    button: { label: subject, url: `${tx.config.appUrl}/reset-password/${token}` },
  })
}

async function findReset(ctx: Context, token: string): Promise<{ id: string; email: string }> {
  const row = await ctx.db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select(['users.id', 'users.email'])
    .where('token_hash', '=', hashToken(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', ctx.clock.now())
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw conflict(INVALID_TOKEN)
  return row
}

export const checkReset = async (ctx: Context, token: string): Promise<string> => (await findReset(ctx, token)).email

/** Sets the password, invalidates the link and ends all sessions of the user. */
export async function resetPassword(ctx: Context, input: { email: string; password: string; token: string }): Promise<void> {
  const { id: userId, email } = await findReset(ctx, input.token)
  if (email.toLowerCase() !== input.email.toLowerCase()) throw conflict(INVALID_TOKEN)
  if (input.password.toLowerCase() === email.toLowerCase()) throw invalid({ password: ['The password must not be your email address.'] })
  const passwordHash = await hashPassword(input.password, ctx.config.secretKey)
  await transact(ctx, async (tx) => {
    const used = await tx.db
      .updateTable('password_resets')
      .set({ used_at: tx.clock.now() })
      .where('token_hash', '=', hashToken(input.token))
      .where('used_at', 'is', null)
      .executeTakeFirst()
    if (used.numUpdatedRows === 0n) throw conflict(INVALID_TOKEN)
    await tx.db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
    await endSessions(tx, userId)
  })
}
