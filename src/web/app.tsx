import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.layer.css'
import './ui/base.css'
import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider, type RegisteredRouter } from '@tanstack/react-router'
import { Suspense, lazy } from 'react'
import { queryClient } from '#web/data/query-client.ts'
import { ConfirmHost } from '#web/ui/confirm.tsx'
import { cssVariables, theme } from '#web/ui/theme.ts'

/** Toasts that are shown before this has loaded wait for it. */
const Toasts = lazy(() => import('#web/ui/toasts.tsx').then(({ Toasts: component }) => ({ default: component })))
const colorSchemes = localStorageColorSchemeManager({ key: 'plumbline.color-scheme' })

/** Theme, toasts, dialogs and server data around the routes. */
export function App({ router }: { router: RegisteredRouter }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" colorSchemeManager={colorSchemes}>
      <QueryClientProvider client={queryClient}>
        <Suspense>
          <Toasts />
        </Suspense>
        <RouterProvider router={router} />
        <ConfirmHost />
      </QueryClientProvider>
    </MantineProvider>
  )
}
