import { ssoCalls } from '#contract/sso.ts'
import { api } from './client.ts'
import { beginSignedIn } from './session.ts'

const KEY = 'plumbline.single-sign-on'
const SECRET_BYTES = 32

/** The secret that only this tab has, so that nobody else can finish the sign-in. It lasts until the sign-in is finished. */
function browserSecret(): string {
  const stored = window.sessionStorage.getItem(KEY)
  if (stored !== null) return stored
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  const secret = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  window.sessionStorage.setItem(KEY, secret)
  return secret
}

export interface Service {
  company: string
  /** Leads the browser to the sign-in page of the service. */
  address: string
}

/** The sign-in service for an email; undefined if its company has none. */
export async function findService(email: string, returnTo: string | undefined): Promise<Service | undefined> {
  const { data } = await api(ssoCalls.lookup, { query: { email } })
  if (data.provider === null) return undefined
  const query = new URLSearchParams({ browser: browserSecret(), login_hint: email })
  if (returnTo !== undefined) query.set('return_to', returnTo)
  return { company: data.provider.name, address: `/api/v1/sso/${data.provider.id}/start?${query.toString()}` }
}

/** Begins the session and returns where the user wanted to go. Such a session is never remembered. */
export async function finishSignIn(ticket: string): Promise<string | undefined> {
  const { data, ...tokens } = await api(ssoCalls.finish, { body: { ticket, browser: browserSecret() } })
  window.sessionStorage.removeItem(KEY)
  beginSignedIn(tokens, false)
  return data.return_to ?? undefined
}
