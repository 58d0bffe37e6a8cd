import { z } from 'zod'
import { Id, Nothing, call, json, jsonWith, text } from './route.ts'
import { CurrentPassword, Tokens } from './session.ts'

const Confirmation = z.strictObject({ current_password: CurrentPassword })

const Passkey = z.object({
  id: Id,
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
})
export type Passkey = z.output<typeof Passkey>

/** How the user signs in, in addition to the password and the code by email. */
export const Factors = z.object({
  /** Since when there is an authenticator app; null without one. */
  app_since: z.string().nullable(),
  /** How many recovery codes have not been used. */
  recovery_codes: z.number(),
  passkeys: z.array(Passkey),
})
export type Factors = z.output<typeof Factors>

const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

/** How a browser reaches an authenticator. */
export const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

const BytesAsText = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/, 'This is not base64url.')
const CredentialId = BytesAsText(1_400)
const KeyType = z.literal('public-key')

const CreationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: KeyType })),
  timeout: z.number(),
  excludeCredentials: z.array(z.object({ id: z.string(), type: KeyType, transports: z.array(z.enum(TRANSPORTS)) })),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})

const RequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
})

/** What a browser answers for a new passkey. Other properties of the answer are not needed. */
const NewCredential = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: KeyType,
  response: z.object({
    clientDataJSON: BytesAsText(8_000),
    attestationObject: BytesAsText(64_000),
    transports: z.array(z.string().max(30)).max(20).default([]),
  }),
})

/** What a browser answers at a sign-in. */
const Assertion = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: KeyType,
  response: z.object({
    clientDataJSON: BytesAsText(8_000),
    authenticatorData: BytesAsText(8_000),
    signature: BytesAsText(16_000),
    userHandle: BytesAsText(100).optional(),
  }),
})

export const factorCalls = {
  show: call('GET', '/users/factors', 'signed-in', 'Your authenticator app and passkeys', { output: json(Factors) }),
  startApp: call('POST', '/users/totp', 'signed-in', 'Start to set up an authenticator app', {
    output: json(z.object({ secret: z.string(), uri: z.string() })),
  }),
  confirmApp: call('POST', '/users/totp/confirm', 'signed-in', 'Confirm the authenticator app with a code', {
    body: Confirmation.extend({ code: z.string().trim().min(1, 'Please enter the code.').max(10) }),
    output: json(RecoveryCodes),
  }),
  removeApp: call('DELETE', '/users/totp', 'signed-in', 'Remove the authenticator app and its recovery codes', {
    body: Confirmation,
    output: json(Nothing),
  }),
  newRecoveryCodes: call('POST', '/users/totp/recovery-codes', 'signed-in', 'Replace your recovery codes', {
    body: Confirmation,
    output: json(RecoveryCodes),
  }),
  startPasskey: call('POST', '/users/passkeys/options', 'signed-in', 'Start to add a passkey', {
    body: Confirmation,
    output: json(CreationOptions),
  }),
  addPasskey: call('POST', '/users/passkeys', 'signed-in', 'Add a passkey', {
    body: Confirmation.extend({ name: text(60).min(1, 'Please enter a name.'), response: NewCredential }),
    output: json(Passkey),
  }),
  removePasskey: call('DELETE', '/users/passkeys/:id', 'signed-in', 'Remove a passkey', { body: Confirmation, output: json(Nothing) }),
  startPasskeySignIn: call('POST', '/login/passkey/options', 'public', 'Start to sign in with a passkey', {
    duringMaintenance: true,
    output: json(RequestOptions),
  }),
  passkeySignIn: call('POST', '/login/passkey', 'public', 'Sign in with a passkey', {
    duringMaintenance: true,
    body: z.strictObject({ response: Assertion, remember: z.boolean().nullish() }),
    output: jsonWith(Nothing, Tokens),
  }),
}
