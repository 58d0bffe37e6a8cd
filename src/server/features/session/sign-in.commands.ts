import {
  LOGIN_EMAIL_WINDOW_MS,
  LOGIN_FAILURES_PER_EMAIL,
  LOGIN_FAILURES_PER_MINUTE,
  LOGIN_FAILURES_PER_NETWORK,
  LOGIN_NETWORK_WINDOW_MS,
  MINUTE_MS,
} from '#contract/limits.ts'
import type { BodyOf } from '#contract/route.ts'
import type { Challenge, sessionCalls } from '#contract/session.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { Caller } from '#server/engines/http/answer.ts'
import { createLanes } from '#server/engines/secrets/lanes.ts'
import {
  addAttempt,
  clearAttempts,
  countAttempt,
  networkOf,
  releaseAttempt,
  RESET_INSTEAD,
  tooMany,
  type Limit,
} from '#server/engines/secrets/limiter.ts'
import { verifyNothing, verifyPassword } from '#server/engines/secrets/passwords.ts'
import { isFamiliar } from '#server/engines/secrets/familiar-address.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { AppError, invalid, throttled } from '#server/kernel/errors.ts'
import { requireOwnSignIn } from '../sso/providers.commands.ts'
import { challengeOf, sendChallenge } from './second-factor.commands.ts'
import { openSession, recordSignIn, type Pair } from './session.commands.ts'

export const TOO_MANY = 'Too many attempts.'
export const DEACTIVATED = 'Your access was deactivated. Please contact an administrator of your company.'
const WRONG_PASSWORD = 'This is not your current password.'
/** Of users who sign in with single sign-on. */
const NO_PASSWORD = 'You have no password to confirm this with. Ask an administrator who has one.'
const TURNS_WAITING_PER_PAIR = 50
const TURNS_WAITING = 2_000

/**
 * One check at a time for each email and network, so that simultaneous guesses are counted one by one and simultaneous correct
 * passwords are all accepted. Attempts of other processes are counted in the database before they are checked.
 */
const turns = createLanes({
  running: Number.POSITIVE_INFINITY,
  runningPerLane: 1,
  waiting: TURNS_WAITING,
  waitingPerLane: TURNS_WAITING_PER_PAIR,
  full: () => throttled(`${TOO_MANY} Please try again in a minute.`, MINUTE_MS / 1_000),
})

interface Account {
  id: string
  email: string
  passwordHash: string
  deactivated: boolean
}

/** Signs a user in. With a second factor, the returned token is valid for the challenge only. */
export async function signIn(ctx: Context, input: BodyOf<typeof sessionCalls.login>, caller: Caller): Promise<Pair & Partial<Challenge>> {
  const user = await checkPassword(ctx, input, caller)
  return transact(ctx, async (tx) => {
    // A password that was changed since it was checked must not open a session.
    const unchanged = tx.db.selectFrom('users').select('id').where('id', '=', user.id).where('password_hash', '=', user.passwordHash)
    if ((await unchanged.where('deactivated_at', 'is', null).forNoKeyUpdate().executeTakeFirst()) === undefined) throw wrongCredentials()
    await requireOwnSignIn(tx, user.id)
    const challenge = await challengeOf(tx, user.id)
    const session = await openSession(tx, {
      userId: user.id,
      kind: challenge === undefined ? 'user' : 'challenge',
      remember: input.remember ?? false,
      address: caller.address,
      client: caller.client,
      statedAddress: input.ip,
    })
    if (challenge === undefined) await recordSignIn(tx, user.id)
    else if (challenge.method === 'email') await sendChallenge(tx, { sessionId: session.id, userId: user.id, email: user.email }, caller)
    return { ...session, ...challenge }
  })
}

const wrongCredentials = () => new AppError('unauthenticated', 'The email or the password is not right.')

/**
 * The user with this email and password. Failures are limited for each email from one network, for each email from unfamiliar
 * addresses, and for each network; the last limit never rejects a right password, so no client can shut out others behind the same
 * address. Throws the same errors for unknown emails and wrong passwords.
 */
async function checkPassword(ctx: Context, { email, password }: { email: string; password: string }, caller: Caller): Promise<Account> {
  const network = networkOf(caller.address)
  const pair = `${email.toLowerCase()} ${network}`
  const check = async () => {
    const user = await findAccount(ctx, email)
    const limits: Limit[] = [{ key: `login ${pair}`, points: LOGIN_FAILURES_PER_MINUTE, perMs: MINUTE_MS }]
    if (user === undefined || !(await isFamiliar(ctx, user.id, caller.address))) {
      limits.push({
        key: `login ${email.toLowerCase()}`,
        points: LOGIN_FAILURES_PER_EMAIL,
        perMs: LOGIN_EMAIL_WINDOW_MS,
        instead: RESET_INSTEAD,
      })
    }
    const right = await reserving(ctx, limits, () => verify(ctx, user, password, { network, signal: caller.signal }))
    if (user === undefined || !right) throw wrongCredentials()
    await clearAttempts(ctx, `login ${pair}`)
    // Only with the right password, so that the answer reveals nothing to others.
    if (user.deactivated) throw new AppError('unauthenticated', DEACTIVATED)
    return user
  }
  return turns.run(pair, check, caller.signal)
}

/** Whether the password is right. Every failure counts for the network; after too many, failures are answered as throttled. */
async function verify(ctx: Context, user: Account | undefined, password: string, client: { network: string; signal: AbortSignal }) {
  const limit = { key: `login-network ${client.network}`, points: LOGIN_FAILURES_PER_NETWORK, perMs: LOGIN_NETWORK_WINDOW_MS }
  if (user !== undefined && (await verifyPassword(user.passwordHash, password, ctx.config.secretKey, client))) return true
  const { over } = await addAttempt(ctx, limit)
  if (user === undefined) await verifyNothing(password, { ...client, busy: over !== undefined })
  if (over !== undefined) throw tooMany(TOO_MANY, over)
  return false
}

/** Counts an attempt before it is made, and takes it back unless it was a failure: it succeeded, or was not made at all. */
export async function reserving(ctx: Context, limits: readonly Limit[], attempt: () => Promise<boolean>): Promise<boolean> {
  const counted: string[] = []
  let failed = false
  try {
    for (const limit of limits) {
      counted.push(limit.key)
      await countAttempt(ctx, limit, TOO_MANY)
    }
    failed = !(await attempt())
    return !failed
  } catch (error) {
    failed = error instanceof AppError && error.kind === 'throttled'
    throw error
  } finally {
    if (!failed) for (const key of counted) await releaseAttempt(ctx, key)
  }
}

const findAccount = async ({ db }: Context, email: string): Promise<Account | undefined> => {
  const user = await db
    .selectFrom('users')
    .innerJoin('companies', 'companies.id', 'users.company_id')
    .select(['users.id', 'users.email', 'users.password_hash', 'users.deactivated_at'])
    .where('users.email', '=', email)
    .where('users.kind', '=', 'member')
    .where('users.deleted_at', 'is', null)
    .where('companies.deleted_at', 'is', null)
    .executeTakeFirst()
  if (user === undefined || user.password_hash === null) return undefined
  return {
    id: user.id,
    email: user.email,
    passwordHash: user.password_hash,
    deactivated: user.deactivated_at !== null,
  }
}

/**
 * For a change that only the user may make: a stolen session is not enough. Returns the hash of the password; throws an error on the field
 * `current_password`.
 */
export async function confirmPassword(ctx: Context, userId: string, password: string | null | undefined): Promise<string> {
  if (!password) throw invalid({ current_password: ['Please enter your current password.'] })
  const user = await ctx.db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst()
  const stored = user?.password_hash ?? null
  if (stored === null) throw invalid({ current_password: [NO_PASSWORD] })
  const limits = [
    { key: `confirm ${userId} minute`, points: LOGIN_FAILURES_PER_MINUTE, perMs: MINUTE_MS },
    { key: `confirm ${userId}`, points: LOGIN_FAILURES_PER_EMAIL, perMs: LOGIN_EMAIL_WINDOW_MS },
  ]
  const right = await reserving(ctx, limits, () => verifyPassword(stored, password, ctx.config.secretKey))
  if (!right) throw invalid({ current_password: [WRONG_PASSWORD] })
  return stored
}

/** In the transaction of the change: a password that was replaced since it was confirmed does not confirm a second change. */
export async function requireConfirmed({ db }: WriteContext, userId: string, hash: string): Promise<void> {
  const user = await db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst()
  if (user?.password_hash !== hash) throw invalid({ current_password: [WRONG_PASSWORD] })
}
