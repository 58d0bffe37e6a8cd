import { sql } from 'kysely'
import type { z } from 'zod'
import type { OnlySso } from '#contract/errors.ts'
import type { Context } from '#server/engines/context.ts'
import { seal, unseal } from '#server/engines/secrets/tokens.ts'
import { networkOf, countAttempt } from '#server/engines/secrets/limiter.ts'
import { SSO_CALLS_PER_NETWORK, SSO_NETWORK_WINDOW_MS, emailDomain } from '#contract/sso.ts'
import { AppError } from '#server/kernel/errors.ts'

const SEALED_FOR = 'client secret of a sign-in service'

export const sealClientSecret = (secretKey: string, secret: string): Buffer => seal(`${SEALED_FOR} ${secretKey}`, secret)
const openClientSecret = (secretKey: string, sealed: Buffer): string => unseal(`${SEALED_FOR} ${secretKey}`, sealed)

/** A sign-in service with the company that it is for. */
export interface Provider {
  id: string
  companyId: string
  companyName: string
  issuer: string
  clientId: string
  clientSecret: string
}

interface ProviderRow extends Omit<Provider, 'clientSecret'> {
  sealed: Buffer
}

const PROVIDER = sql`SELECT p.id, p.company_id AS "companyId", c.name AS "companyName", p.issuer, p.client_id AS "clientId",
  p.client_secret_sealed AS sealed FROM identity_providers p JOIN companies c ON c.id = p.company_id`

const opened = ({ config }: Context, row: ProviderRow | undefined): Provider | undefined => {
  if (row === undefined) return undefined
  const { sealed, ...provider } = row
  return { ...provider, clientSecret: openClientSecret(config.secretKey, sealed) }
}

/** One with which users can sign in. */
export async function usableProvider(ctx: Context, id: string): Promise<Provider | undefined> {
  const { rows } = await sql<ProviderRow>`${PROVIDER} WHERE p.id = ${id} AND p.enabled AND c.deleted_at IS NULL`.execute(ctx.db)
  return opened(ctx, rows[0])
}

export async function providerOfCompany(ctx: Context, companyId: string): Promise<Provider | undefined> {
  const { rows } = await sql<ProviderRow>`${PROVIDER} WHERE p.company_id = ${companyId}`.execute(ctx.db)
  return opened(ctx, rows[0])
}

/** How users with an email of this domain sign in. Whether a user has the email is not looked up, so the answer says nothing of it. */
export async function lookUp(ctx: Context, email: string): Promise<{ provider: { id: string; name: string } | null; password: boolean }> {
  const { rows } = await sql<{ id: string; name: string; password: boolean }>`
    SELECT p.id, c.name, p.password_allowed AS password FROM identity_provider_domains d
      JOIN identity_providers p ON p.id = d.provider_id JOIN companies c ON c.id = p.company_id
    WHERE d.domain = ${emailDomain(email)} AND p.enabled AND c.deleted_at IS NULL`.execute(ctx.db)
  const [found] = rows
  return found === undefined
    ? { provider: null, password: true }
    : { provider: { id: found.id, name: found.name }, password: found.password }
}

/** Counts a public call of single sign-on for the network it comes from. */
export const countCall = (ctx: Context, call: string, address: string): Promise<void> =>
  countAttempt(
    ctx,
    { key: `sso ${call} ${networkOf(address)}`, points: SSO_CALLS_PER_NETWORK, perMs: SSO_NETWORK_WINDOW_MS },
    'Too many sign-ins from your network.',
  )

/** The name of the company of a user who can sign in only at its service; undefined for everyone else, its emergency administrator included. */
export async function companyWithOnlySso({ db }: Pick<Context, 'db'>, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`SELECT c.name FROM users u JOIN companies c ON c.id = u.company_id
      JOIN identity_providers p ON p.company_id = c.id
    WHERE u.id = ${userId} AND u.kind = 'member' AND p.enabled AND NOT p.password_allowed AND p.emergency_user_id IS DISTINCT FROM u.id`.execute(
    db,
  )
  return rows[0]?.name
}

/** For a user who has shown, other than by single sign-on, who they are. Throws `forbidden` if the company allows nothing else. */
export async function requireOwnSignIn(ctx: Pick<Context, 'db'>, userId: string): Promise<void> {
  const company = await companyWithOnlySso(ctx, userId)
  const data: z.input<typeof OnlySso> = { single_sign_on: true }
  if (company !== undefined) throw new AppError('forbidden', `Users of ${company} sign in with single sign-on.`, { data })
}

/** What went on at a service, for its administrators. */
export async function recordOutcome({ db, clock }: Context, providerId: string, failure?: string): Promise<void> {
  const now = clock.now()
  await db
    .updateTable('identity_providers')
    .set(failure === undefined ? { signed_in_at: now } : { failed_at: now, failure })
    .where('id', '=', providerId)
    .execute()
}
