import { LOGIN_FAILURES_PER_MINUTE, MINUTE_MS, REFRESH_REUSE_GRACE_MS } from '#contract/limits.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { Caller } from '#server/engines/http/answer.ts'
import { hashToken } from '#server/engines/session/authenticate.ts'
import { countAttempt, forgetAttempts } from '#server/engines/secrets/limiter.ts'
import { verifyPassword } from '#server/engines/secrets/passwords.ts'
import { seal, unseal } from '#server/engines/secrets/tokens.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { AppError, unauthenticated } from '#server/kernel/errors.ts'
import { sendChallenge } from './challenge.commands.ts'
import { markSignIn, openSession, type Pair } from './open-session.ts'

interface Credentials {
  email: string
  password: string
  remember?: boolean | undefined
  ip?: string | undefined
}

const WRONG = 'The email or the password is not right.'
const SLOW_DOWN = 'Too many attempts. Please wait a minute and try again.'

/** Signs a person in; with a second factor the pair is good for nothing but the challenge. */
export async function signIn(ctx: Context, input: Credentials, caller: Caller): Promise<Pair> {
  const key = `login ${input.email.toLowerCase()} ${caller.address}`
  await countAttempt(ctx, { key, points: LOGIN_FAILURES_PER_MINUTE, perMs: MINUTE_MS }, SLOW_DOWN)
  const user = await ctx.db
    .selectFrom('users')
    .innerJoin('companies', 'companies.id', 'users.company_id')
    .select(['users.id', 'users.password_hash', 'users.enable_2fa', 'users.email'])
    .where('users.email', '=', input.email)
    .where('users.deleted_at', 'is', null)
    .where('companies.deleted_at', 'is', null)
    .executeTakeFirst()
  const right = await verifyPassword(user?.password_hash, input.password, ctx.config.secretKey)
  if (!right || user === undefined) throw new AppError('unauthenticated', WRONG)
  await forgetAttempts(ctx, key)
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
    else await markSignIn(tx, user.id)
    return session
  })
}

export async function signOut(ctx: Context): Promise<void> {
  const { viewer } = ctx
  if (viewer.kind !== 'user' || viewer.sessionId === undefined) return
  const { sessionId } = viewer
  await transact(ctx, (tx) => tx.db.updateTable('sessions').set({ revoked_at: tx.clock.now() }).where('id', '=', sessionId).execute())
}

export async function endSessions(tx: WriteContext, userId: string): Promise<void> {
  await tx.db
    .updateTable('sessions')
    .set({ revoked_at: tx.clock.now() })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()
}

/**
 * Exchanges the tokens for a new pair. The first exchange of a refresh token wins; within ten seconds the losers get the same
 * pair; later use ends the whole family, because somebody else holds a copy.
 */
export async function keepSession(ctx: Context, refreshToken: string, caller: Caller): Promise<Pair> {
  const outcome = await transact(ctx, (tx) => exchange(tx, refreshToken, caller))
  if (outcome === undefined) throw unauthenticated()
  return outcome
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
  if (session.refresh_used_at === null) return session.expires_at <= now ? undefined : succeed(tx, session, refreshToken, caller)
  if (session.successor !== null && now.getTime() - session.refresh_used_at.getTime() <= REFRESH_REUSE_GRACE_MS) {
    return JSON.parse(unseal(refreshToken, session.successor)) as Pair // sealed by `succeed` below
  }
  await tx.db.updateTable('sessions').set({ revoked_at: now }).where('family_id', '=', session.family_id).execute()
  return undefined
}

interface Predecessor {
  id: string
  family_id: string
  user_id: string
  remember: boolean
  expires_at: Date
}

async function succeed(tx: WriteContext, session: Predecessor, refreshToken: string, caller: Caller): Promise<Pair> {
  const { id: _id, ...pair } = await openSession(tx, {
    userId: session.user_id,
    kind: 'user',
    remember: session.remember,
    address: caller.address,
    familyId: session.family_id,
    expiresAt: session.expires_at,
  })
  const now = tx.clock.now()
  await tx.db
    .updateTable('sessions')
    // The old access token lives on for the grace period: calls under way in other tabs still carry it.
    .set({ refresh_used_at: now, successor: seal(refreshToken, JSON.stringify(pair)), expires_at: new Date(now.getTime() + MINUTE_MS) })
    .where('id', '=', session.id)
    .execute()
  return pair
}
