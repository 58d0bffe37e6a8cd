import './browser.ts'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider, createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router'
import { cleanup, render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactElement } from 'react'
import type { InitData } from '#contract/init.ts'
import { queryClient } from '#web/data/query-client.ts'
import { initQuery } from '#web/data/session.ts'
import { clearTokens, storeTokens } from '#web/data/tokens.ts'
import { ConfirmHost } from '#web/ui/confirm.tsx'
import { theme } from '#web/ui/theme.ts'
import { parseSearch, stringifySearch } from '../search-params.ts'

/** As after a sign-in: tokens and, when given, the loaded session. */
export function signInAs(session: InitData): void {
  storeTokens({ token: 'test-token', refreshToken: 'test-refresh', remember: false, challenge: false })
  queryClient.setQueryData(initQuery.queryKey, session)
}

/** To be called after every test that renders or signs in. */
export function resetPage(): void {
  cleanup()
  clearTokens()
  queryClient.clear()
  window.localStorage.clear()
  window.sessionStorage.clear()
}

/** Renders one component with theme, server data, session and a router that answers every path with it. */
export function renderWithSession(element: ReactElement, { session, path = '/' }: { session: InitData; path?: string }) {
  signInAs(session)
  const history = createMemoryHistory({ initialEntries: [path] })
  const root = createRootRoute({ component: () => element, notFoundComponent: () => element })
  const router = createRouter({ routeTree: root, history, parseSearch, stringifySearch })
  const view = render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queryClient}>
        <Notifications />
        <RouterProvider router={router as never} /* a router of one route instead of the application's */ />
        <ConfirmHost />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { ...view, router, user: userEvent.setup() }
}
