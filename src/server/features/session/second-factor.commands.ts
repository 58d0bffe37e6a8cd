import { sql } from 'kysely'
import { timingSafeEqual } from 'node:crypto'
import { CHALLENGE_CODES_RESERVED, CHALLENGE_MAILS_RESERVED } from '#contract/factor-limits.ts'
import {
  CHALLENGE_ATTEMPTS,
  CHALLENGE_CODES_PER_HOUR,
  CHALLENGE_LIFE_MS,
  CHALLENGE_MAILS_PER_HOUR,
  CHALLENGE_RESEND_MS,
  HOUR_MS,
  MINUTE_MS,
} from '#contract/limits.ts'
import type { BodyOf } from '#contract/route.ts'
import type { Challenge, ChallengeMethod, sessionCalls } from '#contract/session.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { Caller } from '#server/engines/http/answer.ts'
import { enqueueMail } from '#server/engines/mail/send-mail.job.ts'
import { addAttempt, countAttempt, releaseAttempt, RESET_INSTEAD } from '#server/engines/secrets/limiter.ts'
import { hashCode, newCode } from '#server/engines/secrets/tokens.ts'
import { isFamiliar } from '#server/engines/secrets/familiar-address.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { forbidden, invalid, throttled, unauthenticated } from '#server/kernel/errors.ts'
import { requireOwnSignIn } from '../sso/providers.commands.ts'
import { WRONG_CODE, checkAppCode, redeemRecoveryCode } from './check-code.commands.ts'
import { openSession, recordSignIn, revoke, type Pair } from './session.commands.ts'

interface Pending {
  sessionId: string
  userId: string
  email: string
}

/**
 * For an account, over all its sign-ins and addresses. The last ones are reserved for familiar addresses, so that others can't use all of them
 * up. A new password, by a mailed link, begins them again.
 */
export function codeLimits(userId: string, familiar: boolean) {
  const [codes, mails] = familiar ? [0, 0] : [CHALLENGE_CODES_RESERVED, CHALLENGE_MAILS_RESERVED]
  const limit = { perMs: HOUR_MS, instead: RESET_INSTEAD }
  return {
    entered: { ...limit, key: `codes ${userId}`, points: CHALLENGE_CODES_PER_HOUR - codes },
    mailed: { ...limit, key: `code mails ${userId}`, points: CHALLENGE_MAILS_PER_HOUR - mails },
  }
}

const CODES_ENTERED = 'Too many codes were entered for this account.'

/** Counts a code before it is checked. Without an address it is for a user who is signed in. */
export async function countCode(ctx: Context, userId: string, address?: string): Promise<void> {
  const familiar = address === undefined || (await isFamiliar(ctx, userId, address))
  await countAttempt(ctx, codeLimits(userId, familiar).entered, CODES_ENTERED)
}

interface Factors {
  enable_2fa: boolean
  has_app: boolean
  email_instead: boolean
}

const readFactors = ({ db }: Context, userId: string): Promise<Factors> =>
  db
    .selectFrom('users')
    .innerJoin('companies', 'companies.id', 'users.company_id')
    .leftJoin('totp_secrets', (on) => on.onRef('totp_secrets.user_id', '=', 'users.id').on('totp_secrets.confirmed_at', 'is not', null))
    .select(['enable_2fa', 'email_instead_of_app as email_instead', sql<boolean>`totp_secrets.user_id IS NOT NULL`.as('has_app')])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()

/** What a user confirms after the password; undefined for users without a second factor. */
export async function challengeOf(ctx: Context, userId: string): Promise<Challenge | undefined> {
  const { enable_2fa, has_app, email_instead } = await readFactors(ctx, userId)
  if (has_app) return { method: 'totp', alternatives: email_instead ? ['recovery_code', 'email'] : ['recovery_code'] }
  return enable_2fa ? { method: 'email', alternatives: [] } : undefined
}

/** Throws `forbidden` if the app of the user replaces codes by email. */
async function requireEmailAllowed(ctx: Context, userId: string): Promise<void> {
  const { has_app, email_instead } = await readFactors(ctx, userId)
  if (has_app && !email_instead)
    throw forbidden('Your company does not allow codes by email. Use your authenticator app or a recovery code.')
}

/** Mails a new code that replaces any earlier one of this challenge. Limited for the account, over all its sign-ins. */
export async function sendChallenge(tx: WriteContext, { sessionId, userId, email }: Pending, { address }: Caller): Promise<void> {
  const familiar = await isFamiliar(tx, userId, address)
  await countAttempt(tx, codeLimits(userId, familiar).mailed, 'Too many codes were mailed to this account.')
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

export async function resendChallenge(ctx: Context, caller: Caller): Promise<void> {
  const pending = pendingSession(ctx)
  await requireEmailAllowed(ctx, pending.userId)
  await transact(ctx, async (tx) => {
    const challenge = await tx.db
      .selectFrom('login_challenges')
      .select('sent_at')
      .where('session_id', '=', pending.sessionId)
      .forUpdate()
      .executeTakeFirst()
    const waitMs = challenge === undefined ? 0 : challenge.sent_at.getTime() + CHALLENGE_RESEND_MS - tx.clock.now().getTime()
    if (waitMs > 0) throw throttled('A code was sent a moment ago. Please wait before requesting another.', Math.ceil(waitMs / 1_000))
    await sendChallenge(tx, pending, caller)
  })
}

/** Checks a code and returns what uses it up, in the transaction of the sign-in. Throws errors on the field `code`. */
type CheckCode = (ctx: Context, pending: Pending, code: string) => Promise<(tx: WriteContext) => Promise<void>>

const CHECKS: Readonly<Record<ChallengeMethod, CheckCode>> = {
  email: checkMailedCode,
  totp: async (ctx, pending, code) => {
    await countInChallenge(ctx, pending)
    return checkAppCode(ctx, pending.userId, code)
  },
  recovery_code: async (ctx, pending, code) => {
    await countInChallenge(ctx, pending)
    return redeemRecoveryCode(pending.userId, code)
  },
}

/** Codes that are not mailed are limited for each sign-in like mailed ones. */
async function countInChallenge(ctx: Context, { sessionId }: Pending): Promise<void> {
  const { over } = await addAttempt(ctx, { key: `challenge ${sessionId}`, points: CHALLENGE_ATTEMPTS, perMs: CHALLENGE_LIFE_MS })
  if (over !== undefined) throw invalid({ code: ['Too many wrong codes. Please go back to the login and start again.'] })
}

async function checkMailedCode(ctx: Context, { sessionId, userId }: Pending, code: string) {
  await requireEmailAllowed(ctx, userId)
  // Counted outside the transaction of the sign-in, whose rollback would undo the count of a wrong code.
  const challenge = await ctx.db
    .updateTable('login_challenges')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('session_id', '=', sessionId)
    .where('expires_at', '>', ctx.clock.now())
    .returning(['code_hash', 'attempts'])
    .executeTakeFirst()
  if (challenge === undefined) throw invalid({ code: ['This code has expired. Please request a new one.'] })
  if (challenge.attempts > CHALLENGE_ATTEMPTS) throw invalid({ code: ['Too many wrong codes. Please request a new one.'] })
  if (!timingSafeEqual(challenge.code_hash, hashCode(ctx.config.secretKey, sessionId, code))) throw invalid({ code: [WRONG_CODE] })
  // The mail went to the user, so it was none of an attack.
  return (tx: WriteContext) => releaseAttempt(tx, codeLimits(userId, true).mailed.key)
}

/** The right code ends the challenge session and answers the full pair; after five wrong codes a new code or sign-in is needed. */
export async function answerChallenge(
  ctx: Context,
  { code, method }: BodyOf<typeof sessionCalls.challenge>,
  caller: Caller,
): Promise<Pair> {
  const pending = pendingSession(ctx)
  const { sessionId, userId } = pending
  const asked = method ?? (await challengeOf(ctx, userId))?.method ?? 'email'
  await countCode(ctx, userId, caller.address)
  const useCode = await CHECKS[asked](ctx, pending, code)
  return transact(ctx, async (tx) => {
    const session = await revoke(tx).where('id', '=', sessionId).returning('remember').executeTakeFirst()
    if (session === undefined) throw unauthenticated()
    await requireOwnSignIn(tx, userId)
    await useCode(tx)
    await recordSignIn(tx, userId)
    return openSession(tx, { userId, kind: 'user', remember: session.remember, address: caller.address, client: caller.client })
  })
}
