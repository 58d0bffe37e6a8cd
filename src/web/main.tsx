import { createRoot } from 'react-dom/client'
import type { RegisteredRouter } from '@tanstack/react-router'
import { queryClient } from '#web/data/query-client.ts'
import { initQuery } from '#web/data/session.ts'
import { adoptSession, isSignedIn } from '#web/data/tokens.ts'
import { App } from './app.tsx'
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

await adoptSession()
const root = document.getElementById('root')
if (root === null) throw new Error('The page has no root element')
const router = createAppRouter()
prefetchPage(router)
createRoot(root).render(<App router={router} />)
