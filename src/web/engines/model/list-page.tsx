import { Outlet } from '@tanstack/react-router'
import { sentenceCase } from '#contract/format.ts'
import { MODELS } from '#contract/models.ts'
import { modelPaths } from '#web/paths.ts'
import { usePageTitle } from '#web/ui/page-title.ts'
import { Datatable } from '../datatable/datatable.tsx'
import type { ModelView } from './model-view.ts'

/** The list of a model, with the panels of its records over it. */
export function ListPage({ view }: { view: ModelView }) {
  const { one, many } = MODELS[view.model]
  usePageTitle(sentenceCase(many))
  return (
    <>
      <Datatable
        model={view.model}
        label={many}
        basePath={modelPaths(view.model).list()}
        openIn="panel"
        createLabel={`Add ${one}`}
        {...(view.cells ? { cells: view.cells } : {})}
        {...(view.appliesTo ? { appliesTo: view.appliesTo } : {})}
        {...(view.loadContents ? { loadContents: view.loadContents } : {})}
      />
      <Outlet />
    </>
  )
}
