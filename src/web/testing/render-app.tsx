import { createMemoryHistory } from '@tanstack/react-router'
import type { InitData } from '#contract/init.ts'
import { createAppRouter } from '../routes.tsx'
import { renderRouter, signInAs } from './render.tsx'

/** Renders the whole application at a path, with its real route table. A session signs its user in first. */
export function renderApp(path: string, session?: InitData) {
  if (session !== undefined) signInAs(session)
  const router = createAppRouter(createMemoryHistory({ initialEntries: [path] }))
  return { ...renderRouter(router), router, path: () => router.state.location.href }
}
