import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { sentenceCase } from '#contract/format.ts'
import { MODELS } from '#contract/models.ts'
import { isSignedIn } from '#web/data/tokens.ts'
import { registry } from './features/index.ts'
import { modelPaths } from './paths.ts'
import { NotFound, NotFoundOutside } from './shell/not-found.tsx'
import type { ShellModel } from './shell/sidebar.tsx'
import { Shell } from './shell/shell.tsx'

const UploadTray = lazy(() => import('#web/engines/upload/upload-tray.tsx').then(({ UploadTray: component }) => ({ default: component })))

/** What the shell shows of each model: its place in the sidebar and its group in global search. */
export const shellModels: readonly ShellModel[] = registry.map((entry) => {
  if ('search' in entry) return { model: entry.model, ...entry.search }
  const { model, Icon } = entry
  return {
    model,
    Icon,
    label: sentenceCase(MODELS[model].many),
    needs: `view_${model}_component`,
    to: ({ id }) => modelPaths(model).record(id),
  }
})

export function SignedIn() {
  return (
    <>
      <Shell models={shellModels}>
        <Outlet />
      </Shell>
      <Suspense>
        <UploadTray />
      </Suspense>
    </>
  )
}

/** No such page: inside the shell for a signed-in user, a page of its own otherwise. */
export function AnyNotFound() {
  if (!isSignedIn()) return <NotFoundOutside />
  return (
    <Shell models={shellModels}>
      <NotFound />
    </Shell>
  )
}
