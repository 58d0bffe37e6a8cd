import './browser.ts'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider, createMemoryHistory, createRootRoute, createRouter, type AnyRouter } from '@tanstack/react-router'
import { cleanup, render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactElement } from 'react'
import type { InitData } from '#contract/init.ts'
import { queryClient } from '#web/data/query-client.ts'
import { initQuery } from '#web/data/session.ts'
import { markActive } from '#web/data/activity.ts'
import { clearTokens, storeTokens } from '#web/data/tokens.ts'
import { ConfirmHost } from '#web/ui/confirm.tsx'
import { theme } from '#web/ui/theme.ts'
import { closeFakeServer } from './fake-server.ts'
import { parseSearch, stringifySearch } from '../search-params.ts'

/** As after a sign-in: tokens and, when given, the loaded session. */
export function signInAs(session: InitData): void {
  markActive()
  storeTokens({ token: 'test-token', refreshToken: 'test-refresh', remember: false, challenge: false })
  queryClient.setQueryData(initQuery.queryKey, session)
}

/** To be called after every test that renders, signs in or opens a fake server. */
export function resetPage(): void {
  cleanup()
  notifications.clean()
  clearTokens()
  queryClient.clear()
  window.localStorage.clear()
  window.sessionStorage.clear()
  closeFakeServer()
}

/** A router inside what surrounds every page: theme, toasts, server data and dialogs. */
export function renderRouter(router: AnyRouter) {
  const view = render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queryClient}>
        <Notifications />
        <RouterProvider router={router as never} /* not always the router of the application, whose type is registered */ />
        <ConfirmHost />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { ...view, user: userEvent.setup() }
}

/** Renders one component with theme, server data, session and a router that answers every path with it. */
export function renderWithSession(element: ReactElement, { session, path = '/' }: { session: InitData; path?: string }) {
  signInAs(session)
  const history = createMemoryHistory({ initialEntries: [path] })
  const root = createRootRoute({ component: () => element, notFoundComponent: () => element })
  const router = createRouter({ routeTree: root, history, parseSearch, stringifySearch })
  return { ...renderRouter(router), router }
}
