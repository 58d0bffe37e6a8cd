import { redirect } from '@tanstack/react-router'
import type { InitData } from '#contract/init.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { isApiError, maintenanceMessage } from '#web/data/errors.ts'
import { EXPIRED, EXPIRED_MESSAGE } from '#web/data/page-events.ts'
import { queryClient } from '#web/data/query-client.ts'
import { can, dropSession, endVisit, initQuery, knownSession } from '#web/data/session.ts'
import { isSignedIn, isVisit, tokens } from '#web/data/tokens.ts'
import { paths, returnPath } from '#web/paths.ts'
import { toast } from '#web/ui/toast.tsx'

export interface Entered {
  location: { href: string; pathname: string }
}

const toLogin = (href: string) => redirect({ href: paths.login(returnPath(href)), replace: true })
/** People from outside have no sign-in: their link opens the account again. */
const toEntry = (href: string) => (isVisit() ? redirect({ href: paths.visitEnded(), replace: true }) : toLogin(href))

/** For protected routes: without a session leads to the sign-in page, otherwise loads the session first. */
export async function signedInOrLogin({ location }: Entered): Promise<void> {
  if (!isSignedIn()) throw toEntry(location.href)
  await loadSession(location.href)
}

/** Says nothing about the session: the service is busy or unreachable, also behind a proxy (502 and 504). */
const PASSING: readonly number[] = [0, 429, 502, 503, 504]

/** Pages need the session data: if the server rejects it the user is signed out, but not if it has not answered or the page is left. */
async function loadSession(href: string): Promise<void> {
  // Before the call: its rejection may have removed the tokens.
  const entry = toEntry(href)
  const wasVisit = isVisit()
  try {
    await queryClient.query({ ...initQuery, staleTime: 'static' })
  } catch (error) {
    // The shell, which leads there otherwise, may not be on screen yet.
    if (isApiError(error) && maintenanceMessage(error) !== undefined) throw redirect({ href: paths.maintenance(), replace: true })
    if (isSignedIn() && (!isApiError(error) || PASSING.includes(error.status))) throw error
    // The shell, which says so otherwise, may not be on screen yet.
    if (isApiError(error) && error.status === 401 && !wasVisit) toast.global(EXPIRED_MESSAGE, { id: 'session-ended' })
    await dropSession(wasVisit ? EXPIRED : undefined)
    throw entry
  }
}

const allows = (name: PermissionName): boolean => {
  const session = knownSession()
  return session !== undefined && can(session, name)
}

/** Without the permission the page does not exist for the user. */
export const requires = (name: PermissionName) => (): void => {
  if (!allows(name)) throw redirect({ href: '/404', replace: true })
}

const isGuest = ({ via_invite, via_share_link }: InitData['auth_user']): boolean => via_invite || via_share_link

/** Pages about the user and the company do not exist for guests. */
export function notForGuests(): void {
  const user = knownSession()?.auth_user
  if (user === undefined || isGuest(user)) throw redirect({ href: '/404', replace: true })
}

/** Users without a dashboard are led to the first page that they can open. */
export function dashboardOrFirstPage({ location }: Entered): void {
  if (location.pathname !== paths.dashboard() || allows('view_dashboard_component')) return requires('view_dashboard_component')()
  throw redirect({ href: allows('view_accounts_component') ? paths.accounts() : paths.assignedAccounts(), replace: true })
}

/** For users without a list of accounts; one who has access to a single account is led to it. */
export async function onlyWithoutList(): Promise<void> {
  requires('view_account_details')()
  if (allows('view_accounts_component')) throw redirect({ href: paths.accounts(), replace: true })
  const { queries } = await import('#web/data/queries.ts')
  const { data } = await queryClient.query(queries.assignedAccounts())
  const [only, ...others] = data
  if (only !== undefined && others.length === 0) throw redirect({ href: paths.account(only.id), replace: true })
}

/** Public pages are closed to signed-in users. */
export function onlySignedOut(): void {
  if (isSignedIn()) throw redirect({ href: paths.dashboard(), replace: true })
}

/** A new password can be set when signed out, or by a guest, who has none yet. */
export async function onlySignedOutOrGuest({ location }: Entered): Promise<void> {
  if (!isSignedIn()) return
  await loadSession(location.href)
  const user = knownSession()?.auth_user
  if (user !== undefined && !isGuest(user)) throw redirect({ href: paths.dashboard(), replace: true })
}

/** For the pages of links, which do not wait for it: removes the session of an earlier visit in this tab if the server has ended it. */
export function removeEndedVisit(): void {
  const visit = tokens()
  if (visit?.guest === undefined) return
  queryClient.query({ ...initQuery, staleTime: 'static' }).catch((error: unknown) => {
    // The shell, which removes it otherwise, may not be on screen yet.
    if (isApiError(error) && error.status === 401 && tokens()?.token === visit.token) endVisit(EXPIRED)
  })
}

export async function loadSessionIfAny({ location }: Entered): Promise<void> {
  if (isSignedIn()) await loadSession(location.href)
}
