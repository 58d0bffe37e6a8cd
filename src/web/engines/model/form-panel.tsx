import { useLocation } from '@tanstack/react-router'
import { MODELS } from '#contract/models.ts'
import { useSearchParams } from '#web/search-params.ts'
import { isPageParam } from '../datatable/list-address.ts'
import { RecordForm } from '../form/record-form.tsx'
import { RoutePanel, useClosePanel, useOpenPanel } from '../panel/route-panel.tsx'
import type { ModelView } from './model-view.ts'

interface FormPanelProps {
  view: ModelView
  /** Null adds a record. */
  id: string | null
  /** The list or panel underneath. */
  closeTo: string
  /** Values of a new record, in addition to those in the search params. */
  prefill?: Readonly<Record<string, string>>
}

/** Adds a record, or changes the one in the address; saving leads to its panel. */
export function FormPanel({ view, id, closeTo, prefill = {} }: FormPanelProps) {
  const { one } = MODELS[view.model]
  const params = Object.entries(useSearchParams()).filter(([name]) => id === null && !isPageParam(name))
  const dropped = params.map(([name]) => name)
  const open = useOpenPanel(dropped)
  const close = useClosePanel(closeTo, dropped)
  const { pathname } = useLocation()
  const above = pathname.slice(0, pathname.lastIndexOf('/'))
  return (
    <RoutePanel title={`${id === null ? 'Add' : 'Edit'} ${one}`} closeTo={closeTo} dropped={dropped}>
      {id !== null && view.aboveForm?.(id)}
      <RecordForm
        model={view.model}
        id={id}
        prefill={{ ...Object.fromEntries(params), ...prefill }}
        saveLabel={id === null ? `Add ${one}` : 'Save changes'}
        onSaved={(saved) => open(id === null ? `${above}/${saved}` : above)}
        onCancel={close}
      />
    </RoutePanel>
  )
}
