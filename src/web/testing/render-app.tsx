import './browser.ts'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider, createMemoryHistory } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { queryClient } from '#web/data/query-client.ts'
import { ConfirmHost } from '#web/ui/confirm.tsx'
import { theme } from '#web/ui/theme.ts'
import { createAppRouter } from '../routes.tsx'

/** Renders the whole application at a path, with its real route table. */
export function renderApp(path: string) {
  const history = createMemoryHistory({ initialEntries: [path] })
  const router = createAppRouter(history)
  const view = render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queryClient}>
        <Notifications />
        <RouterProvider router={router} />
        <ConfirmHost />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { ...view, router, user: userEvent.setup(), path: () => router.state.location.href }
}
