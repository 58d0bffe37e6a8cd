import { sql } from 'kysely'
import { HOUR_MS } from '#contract/limits.ts'
import { isPermission } from '#contract/permissions.ts'
import { SSO_TESTS_PER_HOUR, secretProblem, type SsoInput } from '#contract/sso.ts'
import { emergencyAdministrators } from '#server/access/emergency-administrators.ts'
import { mayGive } from '#server/access/users.ts'
import { familyOf } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { addressProblem } from '#server/engines/outgoing/public-fetch.ts'
import { findEditable, lockRecords } from '#server/engines/record/save-record.ts'
import { countAttempt } from '#server/engines/secrets/limiter.ts'
import { changingRights, signedIn } from '#server/engines/session/authenticate.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden, invalid, notFound } from '#server/kernel/errors.ts'
import { companyRecord } from '../companies/companies.record.ts'
import { endPasswordLinks, endPasswordLinksOfCompany } from '../session/password.commands.ts'
import { endSessions, endSessionsOfCompany } from '../session/session.commands.ts'
import { confirmPassword, requireConfirmed } from '../session/sign-in.commands.ts'
import { requireFreeDomains } from './domains.queries.ts'
import { acceptsClient, failureOf, type Registration } from './openid.ts'
import { providerOfCompany, sealClientSecret } from './providers.commands.ts'
import { storedProvider } from './settings.queries.ts'

type Stored = Awaited<ReturnType<typeof storedProvider>>

const STALE = 'Another user changed the single sign-on in the meantime. Reload the page to see the present settings.'

/**
 * Saves the single sign-on of a company, with the confirmed password of the user who changes it. A service that is switched on, or changed while
 * it is on, must answer and accept the client.
 */
export async function saveSso(ctx: Context, companyId: string, input: SsoInput): Promise<void> {
  await findEditable(ctx, companyRecord, companyId)
  const confirmed = await confirmPassword(ctx, signedIn(ctx).userId, input.current_password)
  const present = await providerOfCompany(ctx, companyId)
  const before = await storedProvider(ctx, companyId)
  const isOther = present?.issuer !== input.issuer || present.clientId !== input.client_id || input.client_secret !== ''
  const missing = secretProblem(input, present?.issuer)
  if (missing !== undefined) throw invalid({ client_secret: [missing] })
  const problem = addressProblem(input.issuer, ctx.config.ssoPrivateHosts)
  if (problem !== undefined) throw invalid({ issuer: [problem] })
  const isStarted = input.enabled && (isOther || before?.enabled !== true)
  const clientSecret = input.client_secret || (present?.clientSecret ?? '')
  if (isStarted) {
    const failure = await failureAt(ctx, { issuer: input.issuer, clientId: input.client_id, clientSecret })
    if (failure !== undefined) throw invalid({ [failure.field]: [failure.reason] })
  }
  const test = isStarted ? { tested_at: ctx.clock.now(), test_failure: null } : isOther ? { tested_at: null, test_failure: null } : {}
  await transact(ctx, (tx) =>
    changingRights(tx, async () => {
      const stored = await lockedSettings(tx, companyId, confirmed)
      if ((stored?.version ?? null) !== input.version) throw conflict(STALE)
      await requireAdministrator(tx, companyId, input)
      const columns = { ...columnsOf(input), ...test, client_secret_sealed: sealClientSecret(tx.config.secretKey, clientSecret) }
      const id = await writeProvider(tx, companyId, columns, stored)
      await requireFreeDomains(tx, { companyId, providerId: id, domains: input.domains })
      await replaceDomains(tx, id, input.domains)
      if (isOnly(input)) await endOtherSignIns(tx, companyId, input.emergency_user_id, stored)
      await announce(tx, companyId, stored === undefined ? '{user} set up single sign-on' : '{user} changed the single sign-on')
    }),
  )
}

const isOnly = (settings: { enabled: boolean; password_allowed: boolean } | undefined): boolean =>
  settings !== undefined && settings.enabled && !settings.password_allowed

const REJECTED = { field: 'client_secret', reason: 'The service does not accept the client ID with this secret.' } as const

/** Why users could not sign in at the service, and the field that is wrong. */
async function failureAt(
  ctx: Context,
  registration: Registration,
): Promise<{ field: 'issuer' | 'client_secret'; reason: string } | undefined> {
  try {
    return (await acceptsClient(ctx, registration)) ? undefined : REJECTED
  } catch (error) {
    return { field: 'issuer', reason: failureOf(error).reason }
  }
}

/**
 * The settings, locked, if the viewer can change them. A person who names the service decides who signs in as which user, so no user of the company
 * may have more permissions than the viewer.
 */
async function lockedSettings(tx: WriteContext, companyId: string, confirmed: string): Promise<Stored> {
  await requireConfirmed(tx, signedIn(tx).userId, confirmed)
  await lockRecords(tx, 'companies', [companyId])
  await findEditable(tx, companyRecord, companyId)
  const { rows } = await sql<{ permission: string }>`SELECT DISTINCT unnest(r.permissions) AS permission
    FROM users u JOIN user_roles x ON x.user_id = u.id JOIN roles r ON r.id = x.role_id AND r.deleted_at IS NULL
    WHERE u.company_id = ${companyId} AND u.kind = 'member' AND u.deleted_at IS NULL`.execute(tx.db)
  const held = rows.map(({ permission }) => permission).filter(isPermission)
  if (!mayGive(tx.viewer, held))
    throw forbidden('A user of this company has more permissions than you. Ask them to change the single sign-on.')
  return storedProvider(tx, companyId)
}

async function requireAdministrator(tx: WriteContext, companyId: string, input: SsoInput): Promise<void> {
  if (input.password_allowed) return
  const administrators = await emergencyAdministrators(tx.db, companyId)
  if (!administrators.some(({ id }) => id === input.emergency_user_id))
    throw invalid({ emergency_user_id: ['Please choose the administrator who still signs in with a password.'] })
}

const columnsOf = ({ issuer, client_id, enabled, password_allowed, emergency_user_id }: SsoInput) => ({
  issuer,
  client_id,
  enabled,
  password_allowed,
  emergency_user_id: password_allowed ? null : emergency_user_id,
})

type Columns = ReturnType<typeof columnsOf> & { client_secret_sealed: Buffer; tested_at?: Date | null; test_failure?: null }

async function writeProvider({ db, clock }: WriteContext, companyId: string, columns: Columns, stored: Stored): Promise<string> {
  if (stored === undefined) {
    const { id } = await db
      .insertInto('identity_providers')
      .values({ company_id: companyId, ...columns })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  await db
    .updateTable('identity_providers')
    .set({ ...columns, version: stored.version + 1, updated_at: clock.now() })
    .where('id', '=', stored.id)
    .execute()
  // Another service, and with many services another client, names its people differently. What the present one has said ends with it.
  if (stored.issuer !== columns.issuer || stored.client_id !== columns.client_id)
    for (const table of ['user_identities', 'oidc_states', 'sign_in_tickets'] as const)
      await db.deleteFrom(table).where('provider_id', '=', stored.id).execute()
  return stored.id
}

async function replaceDomains({ db }: WriteContext, providerId: string, domains: readonly string[]): Promise<void> {
  await db.deleteFrom('identity_provider_domains').where('provider_id', '=', providerId).execute()
  await db
    .insertInto('identity_provider_domains')
    .values(domains.map((domain) => ({ domain, provider_id: providerId })))
    .execute()
}

/**
 * If only single sign-on is allowed from now on, the other users of the company are signed out, and no mailed link sets a password that they
 * could not use. Later, the same for an emergency administrator who is replaced.
 */
async function endOtherSignIns(tx: WriteContext, companyId: string, administrator: string | null, stored: Stored): Promise<void> {
  const replaced = stored?.emergency_user_id ?? null
  if (!isOnly(stored)) {
    await endSessionsOfCompany(tx, companyId, familyOf(tx.viewer))
    await endPasswordLinksOfCompany(tx, companyId, administrator)
  } else if (replaced !== null && replaced !== administrator) {
    await endSessions(tx, replaced, familyOf(tx.viewer))
    await endPasswordLinks(tx, replaced)
  }
}

async function announce(tx: WriteContext, companyId: string, message: string): Promise<void> {
  await recordActivity(tx, { model: 'companies', modelId: companyId, class: 'updated', message })
  emit(tx, { model: 'companies', id: companyId, for: [companyId, signedIn(tx).companyId] })
}

/** Tests the service and stores what came of it, unless the settings have changed meanwhile. */
export async function testSso(ctx: Context, companyId: string): Promise<void> {
  await findEditable(ctx, companyRecord, companyId)
  const stored = await storedProvider(ctx, companyId)
  const provider = await providerOfCompany(ctx, companyId)
  if (stored === undefined || provider === undefined) throw notFound('Single sign-on')
  const limit = { key: `sso test ${companyId}`, points: SSO_TESTS_PER_HOUR, perMs: HOUR_MS }
  await countAttempt(ctx, limit, 'The sign-in service was tested too often.')
  const failure = await failureAt(ctx, provider)
  await ctx.db
    .updateTable('identity_providers')
    .set({ tested_at: ctx.clock.now(), test_failure: failure?.reason ?? null })
    .where('id', '=', stored.id)
    .where('version', '=', stored.version)
    .execute()
}

/** All users of the company sign in with their passwords again. */
export async function removeSso(ctx: Context, companyId: string, password: string | undefined): Promise<void> {
  await findEditable(ctx, companyRecord, companyId)
  const confirmed = await confirmPassword(ctx, signedIn(ctx).userId, password)
  await transact(ctx, (tx) =>
    changingRights(tx, async () => {
      const stored = await lockedSettings(tx, companyId, confirmed)
      if (stored === undefined) throw notFound('Single sign-on')
      await tx.db.deleteFrom('identity_providers').where('id', '=', stored.id).execute()
      await announce(tx, companyId, '{user} removed the single sign-on')
    }),
  )
}
