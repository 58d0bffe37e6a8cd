import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { z } from 'zod'
import {
  CHALLENGE_ATTEMPTS,
  CHALLENGE_LIFE_MS,
  CHALLENGE_RESEND_MS,
  LOGIN_FAILURES_PER_MINUTE,
  MINUTE_MS,
  REFRESH_REUSE_GRACE_MS,
  SESSION_ABSOLUTE_MS,
  SESSION_REMEMBERED_MS,
} from '#contract/limits.ts'
import type { BodyOf } from '#contract/route.ts'
import { Tokens, type sessionCalls } from '#contract/session.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { Caller } from '#server/engines/http/answer.ts'
import { enqueueMail } from '#server/engines/mail/send-mail.job.ts'
import { clearAttempts, countAttempt } from '#server/engines/secrets/limiter.ts'
import { verifyPassword } from '#server/engines/secrets/passwords.ts'
import { hashCode, newCode, newToken, seal, unseal } from '#server/engines/secrets/tokens.ts'
import { hashToken } from '#server/engines/session/authenticate.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { AppError, invalid, throttled, unauthenticated } from '#server/kernel/errors.ts'

export type Pair = z.output<typeof Tokens>

/** Signs a user in. With a second factor, the returned token is valid for the challenge only. */
export async function signIn(ctx: Context, input: BodyOf<typeof sessionCalls.login>, caller: Caller): Promise<Pair> {
  const key = `login ${input.email.toLowerCase()} ${caller.address}`
  const limit = { key, points: LOGIN_FAILURES_PER_MINUTE, perMs: MINUTE_MS }
  await countAttempt(ctx, limit, 'Too many attempts. Please wait a minute and try again.')
  const user = await ctx.db
    .selectFrom('users')
    .innerJoin('companies', 'companies.id', 'users.company_id')
    .select(['users.id', 'users.password_hash', 'users.enable_2fa', 'users.email'])
    .where('users.email', '=', input.email)
    .where('users.deleted_at', 'is', null)
    .where('companies.deleted_at', 'is', null)
    .executeTakeFirst()
  const right = await verifyPassword(user?.password_hash, input.password, ctx.config.secretKey)
  if (!right || user === undefined) throw new AppError('unauthenticated', 'The email or the password is not right.')
  await clearAttempts(ctx, key)
  const kind = user.enable_2fa ? 'challenge' : 'user'
  return transact(ctx, async (tx) => {
    const session = await openSession(tx, {
      userId: user.id,
      kind,
      remember: input.remember ?? false,
      address: caller.address,
      statedAddress: input.ip,
    })
    if (kind === 'challenge') await sendChallenge(tx, session.id, user.email)
    else await recordSignIn(tx, user.id)
    return session
  })
}

/** Mails a new code that replaces any earlier one of this challenge. */
async function sendChallenge(tx: WriteContext, sessionId: string, email: string): Promise<void> {
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
    paragraphs: ['Enter this code to finish signing in. It is valid for ten minutes.'],
    code,
  })
}

function pendingSession({ viewer }: Context): { sessionId: string; userId: string; email: string } {
  if (viewer.kind !== 'user' || !viewer.challenged || viewer.sessionId === undefined) throw unauthenticated()
  return { sessionId: viewer.sessionId, userId: viewer.userId, email: viewer.email }
}

export async function resendChallenge(ctx: Context): Promise<void> {
  const { sessionId, email } = pendingSession(ctx)
  await transact(ctx, async (tx) => {
    const challenge = await tx.db
      .selectFrom('login_challenges')
      .select('sent_at')
      .where('session_id', '=', sessionId)
      .forUpdate()
      .executeTakeFirst()
    const waitMs = challenge === undefined ? 0 : challenge.sent_at.getTime() + CHALLENGE_RESEND_MS - tx.clock.now().getTime()
    if (waitMs > 0) throw throttled('A code was sent a moment ago. Please wait before requesting another.', Math.ceil(waitMs / 1_000))
    await sendChallenge(tx, sessionId, email)
  })
}

/** The right code ends the challenge session and answers the full pair; after five wrong codes a new code is needed. */
export async function answerChallenge(ctx: Context, code: string, caller: Caller): Promise<Pair> {
  const { sessionId, userId } = pendingSession(ctx)
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
    await recordSignIn(tx, userId)
    return openSession(tx, { userId, kind: 'user', remember: session.remember, address: caller.address })
  })
}

export async function signOut(ctx: Context): Promise<void> {
  const { viewer } = ctx
  if (viewer.kind !== 'user' || viewer.sessionId === undefined) return
  const { sessionId } = viewer
  await transact(ctx, (tx) => revoke(tx).where('id', '=', sessionId).execute())
}

export async function endSessions(tx: WriteContext, userId: string): Promise<void> {
  await revoke(tx).where('user_id', '=', userId).execute()
}

const revoke = ({ db, clock }: WriteContext) => db.updateTable('sessions').set({ revoked_at: clock.now() }).where('revoked_at', 'is', null)

/**
 * Exchanges a refresh token for a new pair. Repeated within REFRESH_REUSE_GRACE_MS, the exchange answers the same pair, because
 * several tabs may make it at once. Any later reuse revokes all sessions of the family: another person has a copy of the token.
 */
export async function exchangeTokens(ctx: Context, refreshToken: string, caller: Caller): Promise<Pair> {
  const pair = await transact(ctx, (tx) => exchange(tx, refreshToken, caller))
  if (pair === undefined) throw unauthenticated()
  return pair
}

async function exchange(tx: WriteContext, refreshToken: string, caller: Caller): Promise<Pair | undefined> {
  const session = await tx.db
    .selectFrom('sessions')
    .selectAll()
    .where('refresh_hash', '=', hashToken(refreshToken))
    .where('revoked_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  const now = tx.clock.now()
  if (session === undefined || tx.viewer.kind !== 'user' || session.user_id !== tx.viewer.userId) return undefined
  if (session.refresh_used_at !== null) {
    if (session.successor !== null && now.getTime() - session.refresh_used_at.getTime() <= REFRESH_REUSE_GRACE_MS) {
      return Tokens.parse(JSON.parse(unseal(refreshToken, session.successor)))
    }
    await revoke(tx).where('family_id', '=', session.family_id).execute()
    return undefined
  }
  if (session.expires_at <= now) return undefined
  const { id: _id, ...pair } = await openSession(tx, {
    userId: session.user_id,
    kind: 'user',
    remember: session.remember,
    address: caller.address,
    succeeds: session,
  })
  await tx.db
    .updateTable('sessions')
    // The old access token stays valid for a minute: calls in progress in other tabs still carry it.
    .set({ refresh_used_at: now, successor: seal(refreshToken, JSON.stringify(pair)), expires_at: new Date(now.getTime() + MINUTE_MS) })
    .where('id', '=', session.id)
    .execute()
  return pair
}

interface NewSession {
  userId: string
  kind: 'user' | 'challenge'
  remember: boolean
  address: string
  /** The address that the client reports. Only recorded, never trusted. */
  statedAddress?: string | undefined
  /** The session of the same sign-in that this one replaces. */
  succeeds?: { family_id: string; expires_at: Date }
}

/** Creates a session and its tokens. Only the hashes of the tokens are stored. */
export async function openSession(tx: WriteContext, session: NewSession): Promise<Pair & { id: string }> {
  const { kind, remember, succeeds } = session
  const now = tx.clock.now()
  const token = newToken()
  const refresh = kind === 'user' ? newToken() : null
  const lifeMs = { challenge: CHALLENGE_LIFE_MS, user: remember ? SESSION_REMEMBERED_MS : SESSION_ABSOLUTE_MS }[kind]
  const { id } = await tx.db
    .insertInto('sessions')
    .values({
      family_id: succeeds?.family_id ?? sql<string>`uuidv7()`,
      user_id: session.userId,
      kind,
      access_hash: hashToken(token),
      refresh_hash: refresh === null ? null : hashToken(refresh),
      remember,
      address: session.address,
      stated_address: session.statedAddress ?? null,
      last_used_at: now,
      expires_at: succeeds?.expires_at ?? new Date(now.getTime() + lifeMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, token, refresh_token: refresh, two_factor: kind === 'challenge' }
}

async function recordSignIn(tx: WriteContext, userId: string): Promise<void> {
  await tx.db
    .updateTable('users')
    .set({ previous_login_at: sql`last_login_at`, last_login_at: tx.clock.now() })
    .where('id', '=', userId)
    .execute()
}
