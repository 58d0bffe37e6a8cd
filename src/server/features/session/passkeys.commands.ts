import { TRANSPORTS, type Passkey, type factorCalls } from '#contract/factors.ts'
import { PASSKEYS_MAX } from '#contract/factor-limits.ts'
import type { BodyOf, DataIn } from '#contract/route.ts'
import type { Context } from '#server/engines/context.ts'
import { signedIn } from '#server/engines/session/authenticate.ts'
import { conflict, invalid, notFound } from '#server/kernel/errors.ts'
import { changeFactor } from './change-factor.commands.ts'
import { newChallenge, relyingParty, takeChallenge } from './passkey-challenges.commands.ts'
import { confirmPassword } from './sign-in.commands.ts'

/** EdDSA, ES256 and RS256 in the numbers of COSE, the preferred first. */
const ALGORITHMS = [-8, -7, -257]
const KEY_TYPE = 'public-key'

export const knownTransports = (sent: readonly string[]) => TRANSPORTS.filter((one) => sent.includes(one))

/** What the browser needs to make a passkey. The password is confirmed here, too, so that an error comes before the dialog of the browser. */
export async function startPasskey(ctx: Context, currentPassword: string): Promise<DataIn<typeof factorCalls.startPasskey>> {
  const { userId, email, fullName } = signedIn(ctx)
  await confirmPassword(ctx, userId, currentPassword)
  const known = await passkeysOf(ctx, userId)
  requireSpace(known.length)
  const { id, name } = relyingParty(ctx)
  return {
    rp: { id, name },
    // The id and not the email, which changes.
    user: { id: Buffer.from(userId).toString('base64url'), name: email, displayName: fullName },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: KEY_TYPE })),
    excludeCredentials: known.map((key) => ({ id: key.credential_id, type: KEY_TYPE, transports: knownTransports(key.transports) })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
    ...(await newChallenge(ctx, userId)),
  }
}

const passkeysOf = ({ db }: Context, userId: string) =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('created_at').execute()

function requireSpace(count: number): void {
  if (count >= PASSKEYS_MAX) throw conflict(`You have ${PASSKEYS_MAX} passkeys. Remove one that you no longer use.`)
}

const ADDED = { notice: 'passkey_added', activity: '{user} added a passkey' } as const
const REMOVED = { notice: 'passkey_removed', activity: '{user} removed a passkey' } as const

export async function addPasskey(
  ctx: Context,
  { name, current_password, response }: BodyOf<typeof factorCalls.addPasskey>,
): Promise<DataIn<typeof factorCalls.addPasskey>> {
  const { userId } = signedIn(ctx)
  let credential: Awaited<ReturnType<typeof newCredential>> | undefined
  const onceConfirmed = async () => {
    credential = await newCredential(ctx, userId, response)
  }
  return changeFactor(ctx, current_password, { ...ADDED, onceConfirmed }, async (tx) => {
    if (credential === undefined) throw rejected()
    requireSpace((await passkeysOf(tx, userId)).length)
    const passkey = await tx.db
      .insertInto('passkeys')
      .values({ user_id: userId, name, ...credential, created_at: tx.clock.now() })
      .onConflict((on) => on.column('credential_id').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (passkey === undefined) throw conflict('This passkey was added already.')
    return presentPasskey(passkey)
  })
}

const rejected = () => invalid({ response: ['This passkey was not accepted. Please try again.'] })

/** The credential of an answer to a challenge for this user. Throws `invalid` for any other answer. */
async function newCredential(
  ctx: Context,
  userId: string,
  { id, rawId, type, response }: BodyOf<typeof factorCalls.addPasskey>['response'],
) {
  const { id: rpId, origin } = relyingParty(ctx)
  const transports = knownTransports(response.transports)
  // Loaded when it is used: few calls need it.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId, type, response: { ...response, transports }, clientExtensionResults: {} },
      expectedChallenge: (challenge) => takeChallenge(ctx, challenge, userId),
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) throw rejected()
    const { credential } = registrationInfo
    return {
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports,
    }
  } catch (cause) {
    ctx.log.debug({ err: cause }, 'A new passkey was rejected')
    throw rejected()
  }
}

export const removePasskey = (ctx: Context, id: string, currentPassword: string): Promise<void> =>
  changeFactor(ctx, currentPassword, REMOVED, async ({ db }, userId) => {
    const removed = await db.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
    if (removed.numDeletedRows === 0n) throw notFound('Passkey')
  })

/** Throws `notFound` unless the passkey is the viewer's own. */
export async function requirePasskey(ctx: Context, id: string): Promise<void> {
  const own = await passkeysOf(ctx, signedIn(ctx).userId)
  if (!own.some((passkey) => passkey.id === id)) throw notFound('Passkey')
}

interface StoredPasskey {
  id: string
  name: string
  created_at: Date
  last_used_at: Date | null
}

const presentPasskey = ({ id, name, created_at, last_used_at }: StoredPasskey): Passkey => ({
  id,
  name,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
})

/** How the viewer signs in, in addition to the password and the code by email. */
export async function factorsOf(ctx: Context): Promise<DataIn<typeof factorCalls.show>> {
  const { userId } = signedIn(ctx)
  const { db } = ctx
  const app = await db.selectFrom('totp_secrets').select('confirmed_at').where('user_id', '=', userId).executeTakeFirst()
  const codes = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return {
    app_since: app?.confirmed_at?.toISOString() ?? null,
    recovery_codes: Number(codes?.count ?? 0),
    passkeys: (await passkeysOf(ctx, userId)).map(presentPasskey),
  }
}
