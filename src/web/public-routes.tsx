import { createRootRoute } from '@tanstack/react-router'
import { at, byViewer, lazyPage, named, withParams } from './define-route.tsx'
import { loadSessionIfAny, onlySignedOut, onlySignedOutOrGuest, removeEndedVisit } from './guards.ts'
import { validateSearch } from './search-params.ts'
import { Root } from './shell/root.tsx'

export const root = createRootRoute({ component: Root, validateSearch })

export const anyNotFound = byViewer(
  lazyPage(() => import('./signed-in.tsx'), 'AnyNotFound'),
  lazyPage(() => import('./guest-signed-in.tsx'), 'GuestNotFound'),
)

/** Pages that need no session. */
export const publicRoutes = [
  at(root, 'login', {
    ...named('login'),
    beforeLoad: onlySignedOut,
    component: lazyPage(() => import('./features/session/sign-in.page.tsx'), 'SignInPage'),
  }),
  at(root, 'sso', {
    beforeLoad: onlySignedOut,
    component: lazyPage(() => import('./features/session/sso.page.tsx'), 'SsoPage'),
  }),
  at(root, 'forgot-password', {
    beforeLoad: onlySignedOut,
    component: lazyPage(() => import('./features/session/password-recovery.page.tsx'), 'ForgotPasswordPage'),
  }),
  withParams(
    at(root, 'reset-password/{-$token}', { ...named('reset-password'), beforeLoad: onlySignedOutOrGuest }),
    async () => (await import('./features/session/password-recovery.page.tsx')).ResetPasswordPage,
  ),
  at(root, 'maintenance', {
    ...named('maintenance'),
    component: lazyPage(() => import('./features/session/maintenance.page.tsx'), 'MaintenancePage'),
  }),
  at(root, 'check', {
    ...named('check'),
    component: lazyPage(() => import('./features/file-check/file-check.page.tsx'), 'FileCheckPage'),
  }),
  at(root, 'about', { component: lazyPage(() => import('./features/guests/about.page.tsx'), 'AboutPage') }),
  withParams(
    at(root, 'invite/$invite_id', { ...named('invite'), beforeLoad: removeEndedVisit }),
    async () => (await import('./features/guests/invite-entry.page.tsx')).InviteEntryPage,
  ),
  withParams(
    at(root, 'account/$account_id/share/$share_token', { ...named('share'), beforeLoad: removeEndedVisit }),
    async () => (await import('./features/guests/share-entry.page.tsx')).ShareEntryPage,
  ),
  at(root, 'visit-ended', { component: lazyPage(() => import('./features/guests/entry-error.tsx'), 'VisitEndedPage') }),
  at(root, '$', { beforeLoad: loadSessionIfAny, component: anyNotFound }),
] as const
