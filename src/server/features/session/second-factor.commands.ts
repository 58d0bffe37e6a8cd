import { timingSafeEqual } from 'node:crypto'
import {
  CHALLENGE_ATTEMPTS,
  CHALLENGE_CODES_PER_HOUR,
  CHALLENGE_LIFE_MS,
  CHALLENGE_MAILS_PER_HOUR,
  CHALLENGE_RESEND_MS,
  HOUR_MS,
  MINUTE_MS,
} from '#contract/limits.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { Caller } from '#server/engines/http/answer.ts'
import { enqueueMail } from '#server/engines/mail/send-mail.job.ts'
import { countAttempt, RESET_INSTEAD } from '#server/engines/secrets/limiter.ts'
import { hashCode, newCode } from '#server/engines/secrets/tokens.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { invalid, throttled, unauthenticated } from '#server/kernel/errors.ts'
import { requireOwnSignIn } from '../sso/providers.commands.ts'
import { openSession, recordSignIn, revoke, type Pair } from './session.commands.ts'

interface Pending {
  sessionId: string
  userId: string
  email: string
}

/** For an account, over all its sign-ins and addresses. A new password, by a mailed link, begins them again. */
export const codeLimits = (userId: string) => ({
  entered: { key: `codes ${userId}`, points: CHALLENGE_CODES_PER_HOUR, perMs: HOUR_MS, instead: RESET_INSTEAD },
  mailed: { key: `code mails ${userId}`, points: CHALLENGE_MAILS_PER_HOUR, perMs: HOUR_MS, instead: RESET_INSTEAD },
})

/** Mails a new code that replaces any earlier one of this challenge. Limited for the account, over all its sign-ins. */
export async function sendChallenge(tx: WriteContext, { sessionId, userId, email }: Pending): Promise<void> {
  await countAttempt(tx, codeLimits(userId).mailed, 'Too many codes were mailed to this account.')
  const code = newCode()
  const now = tx.clock.now()
  const values = {
    code_hash: hashCode(tx.config.secretKey, sessionId, code),
    attempts: 0,
    sent_at: now,
    expires_at: new Date(now.getTime() + CHALLENGE_LIFE_MS),
  }
  await tx.db
    .insertInto('login_challenges')
    .values({ session_id: sessionId, ...values })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet(values))
    .execute()
  await enqueueMail(tx, {
    to: email,
    key: `code ${sessionId} ${now.toISOString()}`,
    subject: `Your ${tx.config.product.name} sign-in code`,
    topic: `code ${sessionId}`,
    validForMs: CHALLENGE_LIFE_MS,
    preview: 'Enter the code in this email to finish signing in.',
    heading: 'Your sign-in code',
    paragraphs: [
      `Enter this code to finish signing in. It is valid for ${CHALLENGE_LIFE_MS / MINUTE_MS} minutes after you asked for it, and only the newest code works.`,
    ],
    code,
    reason: 'You get this email because someone entered your email address and password. If it was not you, change your password.',
  })
}

function pendingSession({ viewer }: Context): Pending {
  if (viewer.kind !== 'user' || !viewer.challenged || viewer.sessionId === undefined) throw unauthenticated()
  return { sessionId: viewer.sessionId, userId: viewer.userId, email: viewer.email }
}

export async function resendChallenge(ctx: Context): Promise<void> {
  const pending = pendingSession(ctx)
  await transact(ctx, async (tx) => {
    const challenge = await tx.db
      .selectFrom('login_challenges')
      .select('sent_at')
      .where('session_id', '=', pending.sessionId)
      .forUpdate()
      .executeTakeFirst()
    const waitMs = challenge === undefined ? 0 : challenge.sent_at.getTime() + CHALLENGE_RESEND_MS - tx.clock.now().getTime()
    if (waitMs > 0) throw throttled('A code was sent a moment ago. Please wait before requesting another.', Math.ceil(waitMs / 1_000))
    await sendChallenge(tx, pending)
  })
}

/** The right code ends the challenge session and answers the full pair; after five wrong codes a new code is needed. */
export async function answerChallenge(ctx: Context, code: string, caller: Caller): Promise<Pair> {
  const { sessionId, userId } = pendingSession(ctx)
  await countAttempt(ctx, codeLimits(userId).entered, 'Too many codes were entered for this account.')
  // Counted outside the transaction below, whose rollback would undo the count of a wrong code.
  const challenge = await ctx.db
    .updateTable('login_challenges')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('session_id', '=', sessionId)
    .where('expires_at', '>', ctx.clock.now())
    .returning(['code_hash', 'attempts'])
    .executeTakeFirst()
  if (challenge === undefined) throw invalid({ code: ['This code has expired. Please request a new one.'] })
  if (challenge.attempts > CHALLENGE_ATTEMPTS) throw invalid({ code: ['Too many wrong codes. Please request a new one.'] })
  if (!timingSafeEqual(challenge.code_hash, hashCode(ctx.config.secretKey, sessionId, code)))
    throw invalid({ code: ['This code is not right.'] })
  return transact(ctx, async (tx) => {
    const session = await revoke(tx).where('id', '=', sessionId).returning('remember').executeTakeFirst()
    if (session === undefined) throw unauthenticated()
    await requireOwnSignIn(tx, userId)
    await recordSignIn(tx, userId)
    return openSession(tx, { userId, kind: 'user', remember: session.remember, address: caller.address, client: caller.client })
  })
}
