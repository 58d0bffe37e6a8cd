import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.layer.css'
import './ui/base.css'
import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider, type RegisteredRouter } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { queryClient } from '#web/data/query-client.ts'
import { initQuery } from '#web/data/session.ts'
import { adoptSession, isSignedIn } from '#web/data/tokens.ts'
import { lazyPart } from '#web/engines/lazy-part.tsx'
import { ConfirmHost } from '#web/ui/confirm.tsx'
import { cssVariables, theme } from '#web/ui/theme.ts'
import { createAppRouter } from './routes.tsx'

/** Requests the session, the code of the page and its first data at once: the router would wait for each before the next. */
function prefetchPage(router: RegisteredRouter): void {
  if (!isSignedIn()) return
  queryClient.query(initQuery).catch(() => undefined)
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname)
  for (const route of routes) {
    void router.loadRouteChunk(route)
    route.options.loader?.({ location: router.latestLocation })
  }
}

/** Toasts that are shown before this has loaded wait for it. */
const Toasts = lazyPart(async () => (await import('#web/ui/toasts.tsx')).Toasts)
const colorSchemes = localStorageColorSchemeManager({ key: 'plumbline.color-scheme' })

/** Theme, toasts, dialogs and server data around the routes. */
function App({ router }: { router: RegisteredRouter }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" colorSchemeManager={colorSchemes}>
      <QueryClientProvider client={queryClient}>
        <Toasts />
        <RouterProvider router={router} />
        <ConfirmHost />
      </QueryClientProvider>
    </MantineProvider>
  )
}

await adoptSession()
const root = document.getElementById('root')
if (root === null) throw new Error('The page has no root element')
const router = createAppRouter()
prefetchPage(router)
createRoot(root).render(<App router={router} />)
