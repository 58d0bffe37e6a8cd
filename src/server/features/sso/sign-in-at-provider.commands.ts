import type { QueryOf } from '#contract/route.ts'
import { SSO_STATE_MS, type ssoCalls } from '#contract/sso.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { Caller } from '#server/engines/http/answer.ts'
import { hashToken } from '#server/engines/session/authenticate.ts'
import { newToken, seal, unseal } from '#server/engines/secrets/tokens.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { isUuid } from '#server/kernel/uuid.ts'
import { openSession, recordSignIn, type Pair } from '../session/session.commands.ts'
import { userOf } from './identities.commands.ts'
import { discover, failureOf, personFrom, signInAddress, type Failure } from './openid.ts'
import { countCall, recordOutcome, usableProvider, type Provider } from './providers.commands.ts'
import { UNKNOWN_SIGN_IN, notAccepted, openTicket, takeTicket, type NewTicket } from './tickets.commands.ts'

/** Returns the address to which the browser goes: the sign-in page of the service, or the page of this product with what went wrong. */
export async function startSignIn(
  ctx: Context,
  providerId: string,
  { browser, return_to: wanted, login_hint: loginHint }: QueryOf<typeof ssoCalls.start>,
  { address }: Caller,
): Promise<string> {
  await countCall(ctx, 'start', address)
  const returnTo = wanted ?? null
  const provider = isUuid(providerId) ? await usableProvider(ctx, providerId) : undefined
  if (provider === undefined) return UNKNOWN_SIGN_IN
  const browserHash = hashToken(browser)
  const [state, nonce, verifier] = [newToken(), newToken(), newToken()]
  const signIn = await attempt(async () => signInAddress(ctx, await discover(ctx, provider), { state, nonce, verifier }, loginHint))
  if ('failure' in signIn) return failed(ctx, { providerId, browserHash, returnTo }, signIn.failure)
  await ctx.db
    .insertInto('oidc_states')
    .values({
      state_hash: hashToken(state),
      provider_id: provider.id,
      browser_hash: browserHash,
      secrets_sealed: seal(`${state} ${ctx.config.secretKey}`, JSON.stringify([nonce, verifier])),
      return_to: returnTo,
      expires_at: new Date(ctx.clock.now().getTime() + SSO_STATE_MS),
    })
    .execute()
  return signIn.result
}

/** Runs a request to the service. */
async function attempt<T>(work: () => Promise<T>): Promise<{ result: T } | { failure: Failure }> {
  try {
    return { result: await work() }
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

async function failed(ctx: Context, ticket: NewTicket, { kind, reason }: Failure): Promise<string> {
  ctx.log.info({ provider: ticket.providerId, reason }, 'A single sign-on did not succeed')
  await recordOutcome(ctx, ticket.providerId, reason)
  return openTicket(ctx, ticket, { failure: kind })
}

/** The browser is back from the service. Returns the address of the page that goes on. */
export async function returnFromProvider(ctx: Context, sent: Readonly<Record<string, unknown>>, { address }: Caller): Promise<string> {
  await countCall(ctx, 'callback', address)
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(sent)) if (typeof value === 'string') query.set(name, value)
  const state = query.get('state') ?? ''
  const begun = await takeState(ctx, state)
  const provider = begun && (await usableProvider(ctx, begun.provider_id))
  if (begun === undefined || provider === undefined) return UNKNOWN_SIGN_IN
  const ticket = { providerId: provider.id, browserHash: begun.browser_hash, returnTo: begun.return_to }
  if (!begun.valid) return openTicket(ctx, ticket, { failure: 'rejected' })
  const [nonce = '', verifier = ''] = JSON.parse(unseal(`${state} ${ctx.config.secretKey}`, begun.secrets_sealed)) as string[] // as startSignIn has sealed them
  const asked = await attempt(() => personFrom(ctx, provider, { state, nonce, verifier }, query))
  if ('failure' in asked) return failed(ctx, ticket, asked.failure)
  const found = await transact(ctx, async (tx) => ((await isPresent(tx, provider)) ? userOf(tx, provider, asked.result) : CHANGED))
  if ('failure' in found) await recordOutcome(ctx, provider.id, found.reason)
  return openTicket(ctx, ticket, found)
}

const CHANGED = { failure: 'rejected', reason: 'The settings were changed during the sign-in.' } as const

/** Whether the service that vouched for a person is still the one of the company. Locks it, because another one names its people differently. */
async function isPresent({ db }: WriteContext, { id, issuer, clientId }: Provider): Promise<boolean> {
  const present = db.selectFrom('identity_providers').select('id').where('id', '=', id).where('enabled', '=', true)
  const same = present.where('issuer', '=', issuer).where('client_id', '=', clientId)
  return (await same.forShare().executeTakeFirst()) !== undefined
}

/** A state is good once; a used or expired one still says which sign-in it belongs to. */
async function takeState({ db, clock }: Context, state: string) {
  const columns = ['provider_id', 'browser_hash', 'secrets_sealed', 'return_to'] as const
  const used = await db
    .updateTable('oidc_states')
    .set({ used_at: clock.now() })
    .where('state_hash', '=', hashToken(state))
    .where('used_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .returning(columns)
    .executeTakeFirst()
  if (used !== undefined) return { ...used, valid: true }
  const ended = await db.selectFrom('oidc_states').select(columns).where('state_hash', '=', hashToken(state)).executeTakeFirst()
  return ended && { ...ended, valid: false }
}

/** Opens the session. Such a session is never remembered: the service decides who still works at the company. */
export async function finishSignIn(
  ctx: Context,
  { ticket, browser }: { ticket: string; browser: string },
  { address, client }: Caller,
): Promise<{ pair: Pair; returnTo: string | null }> {
  await countCall(ctx, 'finish', address)
  const { providerId, company, userId, returnTo } = await takeTicket(ctx, ticket, browser)
  const pair = await transact(ctx, async (tx) => {
    // A user who was deactivated or moved since the service vouched for them must not get a session.
    const user = tx.db
      .selectFrom('users')
      .innerJoin('identity_providers', 'identity_providers.company_id', 'users.company_id')
      .select('users.id')
      .where('users.id', '=', userId)
      .where('identity_providers.id', '=', providerId)
      .where('identity_providers.enabled', '=', true)
      .where('users.deactivated_at', 'is', null)
      .where('users.deleted_at', 'is', null)
    if ((await user.forNoKeyUpdate('users').executeTakeFirst()) === undefined) throw notAccepted(company)
    const session = await openSession(tx, { userId, kind: 'user', remember: false, address, client })
    await recordSignIn(tx, userId)
    return session
  })
  await recordOutcome(ctx, providerId)
  return { pair, returnTo }
}
