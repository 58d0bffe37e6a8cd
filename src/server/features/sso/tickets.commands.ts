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
const PAGE = '/sso#'
/** The same page, with the advice to try again later. */
export const TRY_LATER = '/sso?busy=1'
/** For a sign-in that is not known: the page says that it was not accepted. */
export const UNKNOWN_SIGN_IN = `${PAGE}unknown`

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
  return `${PAGE}${ticket}`
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
    .from('identity_providers')
    .innerJoin('companies', 'companies.id', 'identity_providers.company_id')
    .whereRef('identity_providers.id', '=', 'sign_in_tickets.provider_id')
    .set({ used_at: clock.now() })
    .where('ticket_hash', '=', hashToken(ticket))
    .where('browser_hash', '=', hashToken(browser))
    .where('used_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .returning(['provider_id', 'user_id', 'sign_in_tickets.failure', 'return_to', 'companies.name as company'])
    .executeTakeFirst()
  if (used === undefined) throw notAccepted()
  const { provider_id: providerId, user_id: userId, return_to: returnTo, company, failure } = used
  if (userId === null) throw errorOf(failure, company)
  return { providerId, company, userId, returnTo }
}

/** Of a ticket that is not known, was used or is from another browser, the company is not named. */
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
