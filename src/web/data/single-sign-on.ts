import { z } from 'zod'
import { ssoCalls } from '#contract/sso.ts'
import { api } from './client.ts'
import { beginSignedIn } from './session.ts'

const KEY = 'plumbline.single-sign-on'
const SECRET_BYTES = 32

/** A sign-in that this tab has begun. It is stored until it is finished, also while the tab shows the pages of the service. */
const Begun = z.object({
  /** Only this tab has it, so that nobody else can finish the sign-in. */
  secret: z.string(),
  email: z.string(),
  returnTo: z.string().optional(),
})

/** The sign-in that this tab has begun, so that its form can be filled in again. */
export function begunSignIn(): z.output<typeof Begun> | undefined {
  try {
    return Begun.safeParse(JSON.parse(window.sessionStorage.getItem(KEY) ?? '')).data
  } catch {
    return undefined
  }
}

function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
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
  const secret = begunSignIn()?.secret ?? newSecret()
  window.sessionStorage.setItem(KEY, JSON.stringify({ secret, email, returnTo }))
  const query = new URLSearchParams({ browser: secret, login_hint: email })
  if (returnTo !== undefined) query.set('return_to', returnTo)
  return { company: data.provider.name, address: `/api/v1/sso/${data.provider.id}/start?${query.toString()}` }
}

/** Begins the session and returns where the user wanted to go. Such a session is never remembered. */
export async function finishSignIn(ticket: string): Promise<string | undefined> {
  const browser = begunSignIn()?.secret ?? newSecret()
  const { data, ...tokens } = await api(ssoCalls.finish, { body: { ticket, browser } })
  window.sessionStorage.removeItem(KEY)
  beginSignedIn(tokens, false)
  return data.return_to ?? undefined
}
