import type { factorCalls } from '#contract/factors.ts'
import { PASSKEY_FAILURES_PER_HOUR, PASSKEY_SIGN_INS_PER_NETWORK } from '#contract/factor-limits.ts'
import { HOUR_MS, LOGIN_FAILURES_PER_NETWORK, LOGIN_NETWORK_WINDOW_MS } from '#contract/limits.ts'
import type { BodyOf, DataIn } from '#contract/route.ts'
import { sql, type SqlBool } from 'kysely'
import type { Context } from '#server/engines/context.ts'
import type { Caller } from '#server/engines/http/answer.ts'
import { addAttempt, countAttempt, networkOf, tooMany, type Limit } from '#server/engines/secrets/limiter.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { AppError } from '#server/kernel/errors.ts'
import { requireOwnSignIn } from '../sso/providers.commands.ts'
import { newChallenge, relyingParty, takeChallenge } from './passkey-challenges.commands.ts'
import { knownTransports } from './passkeys.commands.ts'
import { openSession, recordSignIn, type Pair } from './session.commands.ts'
import { DEACTIVATED, TOO_MANY, reserving } from './sign-in.commands.ts'

const limitOf = (key: string, points: number): Limit => ({ key, points, perMs: LOGIN_NETWORK_WINDOW_MS })

/** What the browser needs to let the user choose a passkey. It names no user. */
export async function startPasskeySignIn(ctx: Context, { address }: Caller): Promise<DataIn<typeof factorCalls.startPasskeySignIn>> {
  await countAttempt(ctx, limitOf(`passkey sign-ins ${networkOf(address)}`, PASSKEY_SIGN_INS_PER_NETWORK), TOO_MANY)
  return { rpId: relyingParty(ctx).id, userVerification: 'required', ...(await newChallenge(ctx, null)) }
}

type Answer = BodyOf<typeof factorCalls.passkeySignIn>['response']

const rejected = () =>
  new AppError('unauthenticated', 'This passkey was not accepted. Please try again, or sign in with your email and password.')

/** Signs a user in without a password or code: the authenticator has verified its user. */
export async function signInWithPasskey(
  ctx: Context,
  { response, remember }: BodyOf<typeof factorCalls.passkeySignIn>,
  caller: Caller,
): Promise<Pair> {
  const passkey = await findPasskey(ctx, response.id)
  const limit = { key: `passkey ${passkey?.id ?? ''}`, points: PASSKEY_FAILURES_PER_HOUR, perMs: HOUR_MS }
  let counter: number | undefined
  const verify = async () => {
    counter = passkey && (await counterOf(ctx, passkey, response))
    return counter !== undefined
  }
  await reserving(ctx, passkey === undefined ? [] : [limit], verify)
  if (passkey === undefined || counter === undefined) throw await failure(ctx, caller)
  if (passkey.deactivated_at !== null) throw new AppError('unauthenticated', DEACTIVATED)
  const { id, user_id: userId } = passkey
  const used = { counter, last_used_at: ctx.clock.now() }
  return transact(ctx, async (tx) => {
    // As at a sign-in with a password: a user who was deactivated, or removed the passkey, since it was checked gets no session.
    const user = tx.db.selectFrom('users').select('id').where('id', '=', userId).where('deleted_at', 'is', null)
    if ((await user.where('deactivated_at', 'is', null).forNoKeyUpdate().executeTakeFirst()) === undefined) throw rejected()
    await requireOwnSignIn(tx, userId)
    const unchanged = sql<SqlBool>`counter < ${used.counter} OR (counter = 0 AND ${used.counter} = 0)`
    const stored = await tx.db.updateTable('passkeys').set(used).where('id', '=', id).where(unchanged).executeTakeFirst()
    if (stored.numUpdatedRows === 0n) throw rejected()
    await recordSignIn(tx, userId)
    const { address, client } = caller
    return openSession(tx, { userId, kind: 'user', remember: remember ?? false, address, client })
  })
}

/** Failures count for the network. They never keep out a right passkey. */
async function failure(ctx: Context, { address }: Caller): Promise<AppError> {
  const { over } = await addAttempt(ctx, limitOf(`passkey failures ${networkOf(address)}`, LOGIN_FAILURES_PER_NETWORK))
  return over === undefined ? rejected() : tooMany(TOO_MANY, over)
}

type StoredPasskey = NonNullable<Awaited<ReturnType<typeof findPasskey>>>

const findPasskey = ({ db }: Context, credentialId: string) =>
  db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .innerJoin('companies', 'companies.id', 'users.company_id')
    .selectAll('passkeys')
    .select('users.deactivated_at')
    .where('credential_id', '=', credentialId)
    .where('users.kind', '=', 'member')
    .where('users.deleted_at', 'is', null)
    .where('companies.deleted_at', 'is', null)
    .executeTakeFirst()

/** The new counter of the authenticator if the answer is right. */
async function counterOf(ctx: Context, passkey: StoredPasskey, { id, rawId, type, response }: Answer): Promise<number | undefined> {
  const { userHandle, ...signed } = response
  if (userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString() !== passkey.user_id) return undefined
  const { id: rpId, origin } = relyingParty(ctx)
  // Loaded when it is used: few calls need it.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId, type, response: signed, clientExtensionResults: {} },
      expectedChallenge: (challenge) => takeChallenge(ctx, challenge, null),
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.counter),
        transports: knownTransports(passkey.transports),
      },
      requireUserVerification: true,
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch (cause) {
    ctx.log.debug({ err: cause }, 'A passkey was rejected')
    return undefined
  }
}
