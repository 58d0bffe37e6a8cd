import { z } from 'zod'
import { MINUTE_MS, SECOND_MS } from './limits.ts'
import { Id, Nothing, blob, call, json, jsonWith, orNull, text } from './route.ts'
import { EMAIL_INVALID, Tokens, isEmail } from './session.ts'

/** The time that a user has at the sign-in service. */
export const SSO_STATE_MS = 10 * MINUTE_MS
export const SSO_TICKET_MS = 60 * SECOND_MS
/** Of one network: looked-up emails, sign-ins that begin, those that come back, and tickets. Many users of an office share an address. */
export const SSO_CALLS_PER_NETWORK = 300
export const SSO_NETWORK_WINDOW_MS = 10 * MINUTE_MS
export const SSO_TESTS_PER_HOUR = 60
const SSO_DOMAINS_MAX = 20

const DISCOVERY_PATH = /\/\.well-known\/openid-configuration\/?$/
/** Without a user name, a query and a fragment. */
const ISSUER = /^https?:\/\/[a-z0-9.[\]:_-]+(?:\/[^\s?#]*)?$/i
const ISSUER_INVALID = 'Please enter an address such as https://login.example.com.'
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

/** The part of an email after the @. */
export const emailDomain = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** The address of the discovery document is often pasted in place of the issuer. */
const Issuer = z
  .string()
  .trim()
  .min(1, 'Please enter the address of the sign-in service.')
  .max(500, 'This address is too long.')
  .overwrite((value) => value.replace(DISCOVERY_PATH, ''))
  .refine((value) => value === '' || ISSUER.test(value), ISSUER_INVALID)

const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'This domain is too long.')
  .overwrite((value) => value.replace(/^@/, ''))
  .refine((value) => DOMAIN.test(value), 'Please enter a domain such as example.com.')

const SsoInput = z.strictObject({
  issuer: Issuer,
  client_id: text(300).min(1, 'Please enter the client ID.'),
  /** If empty, the present one stays. */
  client_secret: z.string().trim().max(1_000, 'This client secret is too long.').default(''),
  domains: z
    .array(Domain)
    .min(1, 'Please enter at least one email domain.')
    .max(SSO_DOMAINS_MAX, `Please enter at most ${SSO_DOMAINS_MAX} domains.`)
    .transform((domains) => [...new Set(domains)]),
  enabled: z.boolean(),
  password_allowed: z.boolean(),
  emergency_user_id: orNull(Id).default(null),
  current_password: z.string().max(256, 'This password is too long').optional(),
  /** That of the settings which are replaced; null for the first ones. */
  version: z.number().int().nullable(),
})
export type SsoInput = z.output<typeof SsoInput>

/** Why the client secret must be entered; undefined if it need not be. With another issuer, the present one would be sent to another service. */
export function secretProblem({ issuer, client_secret: secret }: Pick<SsoInput, 'issuer' | 'client_secret'>, present: string | undefined) {
  if (secret !== '' || issuer === present) return undefined
  return present === undefined ? 'Please enter the client secret.' : 'Please enter the client secret again for the new address.'
}

/** What is known of the service: nothing yet, or whether the last test got its addresses and it did not reject the client. */
const SsoTest = z.discriminatedUnion('state', [
  z.object({ state: z.literal('unknown') }),
  z.object({ state: z.literal('failed'), at: z.string(), reason: z.string() }),
  z.object({ state: z.literal('done'), at: z.string() }),
])

export const SsoProvider = z.object({
  issuer: z.string(),
  client_id: z.string(),
  domains: z.array(z.string()),
  enabled: z.boolean(),
  password_allowed: z.boolean(),
  emergency_user_id: z.string().nullable(),
  version: z.number(),
  test: SsoTest,
  last_sign_in_at: z.string().nullable(),
  /** The last sign-in that was not accepted. */
  last_failure: z.object({ at: z.string(), reason: z.string() }).nullable(),
})
export type SsoProvider = z.output<typeof SsoProvider>

const SsoSettings = z.object({
  /** Null: the company has no single sign-on. */
  provider: SsoProvider.nullable(),
  /** The address that the sign-in service must allow. */
  redirect_uri: z.string(),
  /** Users of the company who can be its emergency administrator. */
  administrators: z.array(z.object({ id: Id, name: z.string(), email: z.string() })),
})
export type SsoSettings = z.output<typeof SsoSettings>

/** A random text that the browser stores while its user is at the sign-in service, so that only this browser can finish the sign-in. */
const Browser = z.string().regex(/^[\w-]{43}$/, 'Please start again.')

export const ssoCalls = {
  lookup: call('GET', '/sso/lookup', 'public', 'How users with an email of this domain sign in', {
    duringMaintenance: true,
    query: z.strictObject({ email: z.string().trim().max(254, 'This email is too long').refine(isEmail, EMAIL_INVALID) }),
    output: json(z.object({ provider: z.object({ id: Id, name: z.string() }).nullable(), password: z.boolean() })),
  }),
  start: call('GET', '/sso/:id/start', 'public', 'Lead a browser to the sign-in service of a company', {
    duringMaintenance: true,
    query: z.strictObject({ browser: Browser, return_to: text(2_000).optional(), login_hint: text(254).optional() }),
    output: blob('text/html'),
  }),
  /** Sign-in services add parameters of their own. */
  callback: call('GET', '/sso/callback', 'public', 'Where a sign-in service leads the browser back to', {
    duringMaintenance: true,
    query: z.looseObject({}),
    output: blob('text/html'),
  }),
  finish: call('POST', '/sso/finish', 'public', 'Exchange the ticket of a single sign-on for tokens', {
    duringMaintenance: true,
    body: z.strictObject({ ticket: text(100), browser: Browser }),
    output: jsonWith(z.object({ return_to: z.string().nullable() }), Tokens),
  }),
  settings: call('GET', '/companies/:id/sso', 'update_companies', 'The single sign-on of a company', { output: json(SsoSettings) }),
  save: call('PUT', '/companies/:id/sso', 'update_companies', 'Change the single sign-on of a company', {
    body: SsoInput,
    output: json(SsoSettings),
  }),
  test: call('POST', '/companies/:id/sso/test', 'update_companies', 'Test the sign-in service of a company', { output: json(SsoSettings) }),
  remove: call('DELETE', '/companies/:id/sso', 'update_companies', 'Remove the single sign-on of a company', {
    body: z.strictObject({ current_password: z.string().max(256, 'This password is too long').optional() }),
    output: json(Nothing),
  }),
}
