import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { codesOf } from '#contract/code-lists.ts'
import { isoDateIn } from '#contract/format.ts'
import { initCalls, type InitData } from '#contract/init.ts'
import { SECOND_MS } from '#contract/limits.ts'
import { PERMISSION_GROUPS, type PermissionGroup, type PermissionName } from '#contract/permissions.ts'
import type { Call } from '#contract/route.ts'
import { sessionCalls, type ChallengeMethod } from '#contract/session.ts'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'
import { markActive } from './activity.ts'
import { emitPageEvent, type SessionEnd } from './page-events.ts'
import { clearRecentSearches } from './recent-searches.ts'
import { clearTokens, markLeaving, replaceTokens, storeTokens, tokens, type StoredTokens } from './tokens.ts'

export const initQuery = queryOptions({
  queryKey: ['init'],
  queryFn: async ({ signal }) => (await api(initCalls.init, { signal })).data,
  staleTime: Infinity,
  gcTime: Infinity,
})

/** The signed-in user, their permissions and settings; the routes load it before any page renders. */
export function useSession(): InitData {
  const { data } = useQuery(initQuery)
  if (data === undefined) throw new Error('The session is used before it is loaded')
  return data
}

/** The session where there may be none, as on the public pages. */
export const knownSession = (): InitData | undefined => queryClient.getQueryData(initQuery.queryKey)

/** A setting of the server, which before the sign-in is read from the page itself. */
export function productName(): string {
  return knownSession()?.config.product ?? document.querySelector('meta[name="application-name"]')?.getAttribute('content') ?? ''
}

/** Whether the user has a permission that belongs to this area: a model, or the pages themselves. */
export const userCan = (session: InitData, action: PermissionName, area: PermissionGroup): boolean =>
  session.accessible_features[area].includes(action)

/** The same for a permission of any area. */
export const can = (session: InitData, name: PermissionName): boolean =>
  codesOf(PERMISSION_GROUPS).some((area) => userCan(session, name, area))

const isGuest = ({ via_invite: byInvite, via_share_link: byLink, via_preview: isPreview }: InitData['auth_user']): boolean =>
  byInvite || byLink || isPreview

/** Whether the user came in by an invitation or a link, or sees an account as such a person does. */
export const useIsGuest = (): boolean => isGuest(useSession().auth_user)

/** The same where there may be no session. */
export function isKnownGuest(): boolean {
  const session = knownSession()
  return session !== undefined && isGuest(session.auth_user)
}

/** Whether the user has a permission. */
export function useCan(): (name: PermissionName) => boolean {
  const session = useSession()
  return useCallback((name) => can(session, name), [session])
}

export const NO_LONGER_ALLOWED = 'You can no longer change this.'

/** Whether the user has lost the right to make a call since the component was mounted. */
export function useIsWithdrawn({ can: name }: Pick<Call, 'can'>): boolean {
  const session = useSession()
  const allowed = Object.values(session.accessible_features).some((names) => names.some((one) => one === name))
  const [wasAllowed] = useState(allowed)
  return wasAllowed && !allowed
}

export type SignInResult = 'signed-in' | 'second-factor'

/** Throws the ApiError of a rejected sign-in. With a second factor the session begins only after `answerChallenge`. */
export async function signIn(email: string, password: string, remember: boolean): Promise<SignInResult> {
  // The server takes the address from the connection.
  const answer = await api(sessionCalls.login, { body: { email, password, remember, ip: null } })
  const { method, alternatives } = answer
  begin({ token: answer.token, refreshToken: answer.refresh_token, remember, challenge: answer.two_factor, method, alternatives })
  return answer.two_factor ? 'second-factor' : 'signed-in'
}

/** Without a method, the code is for the one that the sign-in asked for. */
export async function answerChallenge(code: string, method?: ChallengeMethod): Promise<void> {
  const answer = await api(sessionCalls.challenge, { body: { code, ...(method === undefined ? {} : { method }) } })
  beginSignedIn(answer, tokens()?.remember ?? false)
}

/** Begins the session of a user whose sign-in is complete. */
export function beginSignedIn(answer: { token: string; refresh_token: string | null }, remember: boolean): void {
  begin({ token: answer.token, refreshToken: answer.refresh_token, remember, challenge: false })
}

/** Begins the session of a person from outside, in this tab only, or the preview of one. */
export function beginGuest(answer: { token: string; refresh_token: string | null }, guest: 'visit' | 'preview' = 'visit'): void {
  begin({ token: answer.token, refreshToken: answer.refresh_token, remember: false, challenge: false, guest })
}

/** The next user must not see what the previous one loaded. */
function begin(session: StoredTokens): void {
  queryClient.clear()
  markActive()
  storeTokens(session)
}

let extending: Promise<void> | undefined

/** Exchanges the tokens for a new pair; one tab and one call at a time, since a refresh token is good once. */
export function extendSession(): Promise<void> {
  extending ??= exchange().finally(() => (extending = undefined))
  return extending
}

async function exchange(): Promise<void> {
  const before = tokens()?.token
  await exclusively('plumbline.keep', async () => {
    const held = tokens()
    if (held === undefined || held.refreshToken === null || held.token !== before) return
    const answer = await api(sessionCalls.keep, { body: { refresh_token: held.refreshToken } })
    replaceTokens({ ...held, token: answer.token, refreshToken: answer.refresh_token })
  })
}

/** Web locks exist in secure contexts only; without them the server's grace for a used refresh token has to do. */
async function exclusively(name: string, work: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request(name, work)
  else await work()
}

/** A server that does not answer must not leave the page of a user who signs out on screen. */
const SIGN_OUT_WAIT_MS = 5 * SECOND_MS

/** Ends the session here and on the server and opens the sign-in page, where `message` is shown. */
export async function signOut(message?: string, reason: SessionEnd['reason'] = 'signed-out'): Promise<void> {
  await dropSession({ reason, message })
  emitPageEvent('session-ended', { reason, message })
}

/**
 * Ends the session here and on the server without leaving the page; a failing call is only logged. A session that begins meanwhile is
 * another one, which stays open.
 */
export async function dropSession(end?: SessionEnd): Promise<void> {
  const ending = tokens()?.token
  markLeaving(ending)
  // Pending calls would be rejected after the sign-out and look like an expired session.
  await queryClient.cancelQueries()
  try {
    if (ending !== undefined && tokens()?.token === ending)
      await api(sessionCalls.logout, { signal: AbortSignal.timeout(SIGN_OUT_WAIT_MS) })
  } catch (error) {
    // oxlint-disable-next-line no-console -- a failing sign-out is logged and not shown to the user
    console.warn('The sign-out failed on the server', error)
  }
  const current = tokens()?.token
  if (current === undefined || current === ending) endSession(end)
}

/**
 * Removes the tokens and what was loaded with them, except the session data: the page that is still on screen needs it until
 * the sign-in page has replaced it, and `begin` removes it.
 */
export function endSession(end?: SessionEnd): void {
  clearTokens(end)
  clearRecentSearches()
  void queryClient.cancelQueries()
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== initQuery.queryKey[0] })
}

/** Ends a visit on the page of a link. The page and its own calls go on, since the link may open the account again. */
export function endVisit(end: SessionEnd): void {
  clearTokens(end)
  clearRecentSearches()
  queryClient.removeQueries({ type: 'inactive' })
}

/** Today in the time zone of the user's company, YYYY-MM-DD. */
export function useToday(): string {
  const { timezone } = useSession().auth_user.company
  return useState(() => isoDateIn(new Date(), timezone))[0]
}
