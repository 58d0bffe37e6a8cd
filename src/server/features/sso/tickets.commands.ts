import { SSO_TICKET_MS } from '#contract/sso.ts'
import type { Context } from '#server/engines/context.ts'
import { hashToken } from '#server/engines/session/authenticate.ts'
import { newToken } from '#server/engines/secrets/tokens.ts'
import { AppError, forbidden, unavailable } from '#server/kernel/errors.ts'

/** Why a sign-in at a service did not lead to a session. */
export type SsoFailure = 'down' | 'rejected' | 'no_user' | 'other_person' | 'deactivated'

type Outcome = { userId: string } | { failure: SsoFailure }

export interface NewTicket {
  providerId: string
  browserHash: Buffer
  returnTo: string | null
}

/** The page of this product that goes on with a ticket. It is behind the #, so that it is not sent to servers and proxies. */
export const PAGE = '/sso'

/** Stores how the sign-in ended, and returns the address of the page that goes on from there. */
export async function openTicket(
  { db, clock }: Context,
  { providerId, browserHash, returnTo }: NewTicket,
  outcome: Outcome,
): Promise<string> {
  const ticket = newToken()
  const result = 'userId' in outcome ? { user_id: outcome.userId, failure: null } : { user_id: null, failure: outcome.failure }
  await db
    .insertInto('sign_in_tickets')
    .values({
      ticket_hash: hashToken(ticket),
      provider_id: providerId,
      browser_hash: browserHash,
      return_to: returnTo,
      expires_at: new Date(clock.now().getTime() + SSO_TICKET_MS),
      ...result,
    })
    .execute()
  return `${PAGE}#${ticket}`
}

interface Ticket {
  providerId: string
  company: string
  userId: string
  returnTo: string | null
}

/** Uses a ticket up, in the browser that began the sign-in. Throws the reason of a sign-in that was not accepted. */
export async function takeTicket({ db, clock }: Context, ticket: string, browser: string): Promise<Ticket> {
  const used = await db
    .updateTable('sign_in_tickets')
    .set({ used_at: clock.now() })
    .where('ticket_hash', '=', hashToken(ticket))
    .where('browser_hash', '=', hashToken(browser))
    .where('used_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .returning(['provider_id', 'user_id', 'failure', 'return_to'])
    .executeTakeFirst()
  const company = await companyOf(db, ticket)
  if (used === undefined || company === undefined) throw notAccepted(company)
  if (used.user_id === null) throw errorOf(used.failure, company)
  return { providerId: used.provider_id, company, userId: used.user_id, returnTo: used.return_to }
}

async function companyOf(db: Context['db'], ticket: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('sign_in_tickets')
    .innerJoin('identity_providers', 'identity_providers.id', 'sign_in_tickets.provider_id')
    .innerJoin('companies', 'companies.id', 'identity_providers.company_id')
    .select('companies.name')
    .where('ticket_hash', '=', hashToken(ticket))
    .executeTakeFirst()
  return row?.name
}

/** Of a ticket that is not known, the company is not known. */
export const notAccepted = (company?: string): AppError =>
  new AppError(
    'unauthenticated',
    `${company === undefined ? 'The sign-in' : `The sign-in at ${company}`} was not accepted. Please start again.`,
  )

function errorOf(failure: string | null, company: string): AppError {
  switch (failure) {
    case 'down' satisfies SsoFailure:
      return unavailable(`${company}'s sign-in service does not answer. Please try again.`)
    case 'no_user' satisfies SsoFailure:
      return forbidden('No account uses this email. Ask your administrator.')
    case 'other_person' satisfies SsoFailure:
      return forbidden(`The account with this email belongs to another sign-in at ${company}. Ask your administrator.`)
    case 'deactivated' satisfies SsoFailure:
      return forbidden('Your access was deactivated. Please contact an administrator of your company.')
    default:
      return notAccepted(company)
  }
}
