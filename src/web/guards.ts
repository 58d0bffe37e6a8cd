import { isRedirect, redirect } from '@tanstack/react-router'
import type { PermissionName } from '#contract/permissions.ts'
import { isApiError } from '#web/data/errors.ts'
import { queryClient } from '#web/data/query-client.ts'
import { can, dropSession, initQuery, knownSession } from '#web/data/session.ts'
import { isSignedIn } from '#web/data/tokens.ts'
import { paths, returnPath } from '#web/paths.ts'

export interface Entered {
  location: { href: string; pathname: string }
}

const toLogin = (href: string) => redirect({ href: paths.login(returnPath(href)), replace: true })

/** Protected routes: strangers go to the sign-in page, everyone else gets the session loaded first (S1 2.1). */
export async function signedInOrLogin({ location }: Entered): Promise<void> {
  if (!isSignedIn()) throw toLogin(location.href)
  await loadSession(location.href)
}

/** Without the session there is no page: who cannot load it is signed out, unless the service was merely out of reach. */
async function loadSession(href: string): Promise<void> {
  try {
    await queryClient.query({ ...initQuery, staleTime: 'static' })
  } catch (error) {
    if (isRedirect(error)) throw error
    if (isApiError(error) && (error.status === 0 || error.status === 503)) throw error
    await dropSession()
    throw toLogin(href)
  }
}

/** Without the named permission the page does not exist for this person. */
export const requires = (name: PermissionName) => (): void => {
  const session = knownSession()
  if (session === undefined || !can(session, name)) throw redirect({ href: '/404', replace: true })
}

/** Who has no dashboard is led to the first place that they may open. */
export function dashboardOrFirstPage(entered: Entered): void {
  const session = knownSession()
  if (entered.location.pathname !== paths.dashboard() || session === undefined || can(session, 'view_dashboard_component'))
    return requires('view_dashboard_component')()
  throw redirect({ href: can(session, 'view_accounts_component') ? paths.accounts() : paths.givenAccounts(), replace: true })
}

/** For those without a list of accounts: where they were given only one, there is nothing to choose. */
export async function onlyWithoutList(): Promise<void> {
  requires('view_account_details')()
  const session = knownSession()
  if (session !== undefined && can(session, 'view_accounts_component')) throw redirect({ href: paths.accounts(), replace: true })
  const { queries } = await import('#web/data/queries.ts')
  const { data } = await queryClient.query(queries.givenAccounts())
  const [only, ...others] = data
  if (only !== undefined && others.length === 0) throw redirect({ href: paths.account(only.id), replace: true })
}

/** The entrances are closed to those who are already inside. */
export function onlySignedOut(): void {
  if (isSignedIn()) throw redirect({ href: paths.dashboard(), replace: true })
}

/** A new password may be set when signed out, or by a guest, who has none yet. */
export async function onlySignedOutOrGuest({ location }: Entered): Promise<void> {
  if (!isSignedIn()) return
  await loadSession(location.href)
  const user = knownSession()?.auth_user
  if (user !== undefined && !user.via_invite && !user.via_share_link) throw redirect({ href: paths.dashboard(), replace: true })
}

export async function loadSessionIfAny({ location }: Entered): Promise<void> {
  if (isSignedIn()) await loadSession(location.href)
}
