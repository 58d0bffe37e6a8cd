import { timingSafeEqual } from 'node:crypto'
import { CHALLENGE_ATTEMPTS, CHALLENGE_LIFE_MS, CHALLENGE_RESEND_MS } from '#contract/limits.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { Caller } from '#server/engines/http/answer.ts'
import { enqueue } from '#server/engines/jobs/define-job.ts'
import { compose } from '#server/engines/mail/compose.ts'
import { sendMail } from '#server/engines/mail/send-mail.job.ts'
import { hashCode, newCode } from '#server/engines/secrets/tokens.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { invalid, throttled, unauthenticated } from '#server/kernel/errors.ts'
import { markSignIn, openSession, type Pair } from './open-session.ts'

/** Mails a fresh code that replaces any earlier one of this challenge. */
export async function sendChallenge(tx: WriteContext, sessionId: string, email: string): Promise<void> {
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
  const { name } = tx.config.product
  const letter = compose({
    to: email,
    key: `code ${sessionId} ${now.toISOString()}`,
    subject: `Your ${name} sign-in code`,
    product: name,
    paragraphs: ['Enter this code to finish signing in. It is good for ten minutes.'],
    code,
  })
  await enqueue(tx, sendMail, letter)
}

function pendingSession(ctx: Context): { sessionId: string; userId: string; email: string } {
  if (ctx.viewer.kind !== 'user' || !ctx.viewer.challenged || ctx.viewer.sessionId === undefined) throw unauthenticated()
  return { sessionId: ctx.viewer.sessionId, userId: ctx.viewer.userId, email: ctx.viewer.email }
}

export async function resendChallenge(ctx: Context): Promise<void> {
  const { sessionId, email } = pendingSession(ctx)
  await transact(ctx, async (tx) => {
    const sent = await tx.db
      .selectFrom('login_challenges')
      .select('sent_at')
      .where('session_id', '=', sessionId)
      .forUpdate()
      .executeTakeFirst()
    const wait = sent === undefined ? 0 : sent.sent_at.getTime() + CHALLENGE_RESEND_MS - tx.clock.now().getTime()
    if (wait > 0) throw throttled('A code was sent a moment ago. Please wait before asking for another.', Math.ceil(wait / 1_000))
    await sendChallenge(tx, sessionId, email)
  })
}

/** A right code ends the challenge session and answers the full pair; five wrong ones need a new code. */
export async function answerChallenge(ctx: Context, code: string, caller: Caller): Promise<Pair> {
  const { sessionId, userId } = pendingSession(ctx)
  // Counted outside the transaction that may refuse, so that a wrong answer is never forgotten.
  const challenge = await ctx.db
    .updateTable('login_challenges')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('session_id', '=', sessionId)
    .where('expires_at', '>', ctx.clock.now())
    .returning(['code_hash', 'attempts'])
    .executeTakeFirst()
  if (challenge === undefined) throw invalid({ code: ['This code has expired. Please ask for a new one.'] })
  if (challenge.attempts > CHALLENGE_ATTEMPTS) throw invalid({ code: ['Too many wrong codes. Please ask for a new one.'] })
  if (!timingSafeEqual(challenge.code_hash, hashCode(ctx.config.secretKey, sessionId, code)))
    throw invalid({ code: ['This code is not right.'] })
  return transact(ctx, async (tx) => {
    const old = await tx.db
      .updateTable('sessions')
      .set({ revoked_at: tx.clock.now() })
      .where('id', '=', sessionId)
      .where('revoked_at', 'is', null)
      .returning('remember')
      .executeTakeFirst()
    if (old === undefined) throw unauthenticated()
    await markSignIn(tx, userId)
    return openSession(tx, { userId, kind: 'user', remember: old.remember, address: caller.address })
  })
}
