import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import { Outlet } from '@tanstack/react-router'
import { sentenceCase } from '#contract/format.ts'
import { MODELS } from '#contract/models.ts'
import type { Found } from '#contract/search.ts'
import { isSignedIn } from '#web/data/tokens.ts'
import { lazyPart } from '#web/engines/lazy-part.tsx'
import { registry } from './features/index.ts'
import { modelPaths, paths } from './paths.ts'
import { NotFound, NotFoundOutside } from './shell/not-found.tsx'
import type { ShellModel } from './shell/sidebar.tsx'
import { Shell } from './shell/shell.tsx'
import { useLostPermissions } from './use-lost-permissions.ts'

const UploadsCorner = lazyPart(async () => (await import('#web/engines/upload/uploads-corner.tsx')).UploadsCorner)

/** What the shell shows of each model: its place in the sidebar and its group in global search. */
const registered: readonly ShellModel[] = registry.map((entry) => {
  if ('search' in entry) {
    const { label, needs, to } = entry.search
    return { label, needs, found: { model: entry.model, label, to } }
  }
  const label = sentenceCase(MODELS[entry.model].many)
  const page = { to: modelPaths(entry.model).list(), Icon: entry.Icon }
  if ('needs' in entry) return { label, needs: entry.needs, page }
  const { model } = entry
  const to = ({ id }: Found) => modelPaths(model).record(id)
  return {
    label,
    needs: `view_${model}_component`,
    page,
    found: { model, label, to, list: { path: page.to, searchedWith: `view_${model}_datatable_search` } },
  }
})

/** The invitations and links of all accounts have a page, but no list of their model. */
const access: ShellModel = {
  label: 'Links and invitations',
  needs: 'update_account_sharing',
  page: { to: paths.access(), Icon: IconKey },
}
export const shellModels: readonly ShellModel[] = [...registered, access]

export function SignedIn() {
  useLostPermissions()
  return (
    <>
      <Shell models={shellModels}>
        <Outlet />
      </Shell>
      <UploadsCorner />
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
