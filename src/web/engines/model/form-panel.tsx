import { useLocation } from '@tanstack/react-router'
import { MODELS } from '#contract/models.ts'
import type { FormModel } from '#web/data/models.ts'
import { RecordForm } from '../form/record-form.tsx'
import { RoutePanel, useClosePanel, useOpenPanel } from '../panel/route-panel.tsx'

interface FormPanelProps {
  model: FormModel
  /** Null adds a record. */
  id: string | null
  /** The list underneath. */
  closeTo: string
}

/** Adds a record, or changes the one in the address; saving leads to its panel. */
export function FormPanel({ model, id, closeTo }: FormPanelProps) {
  const { one } = MODELS[model]
  const open = useOpenPanel()
  const close = useClosePanel(closeTo)
  const { pathname } = useLocation()
  const above = pathname.slice(0, pathname.lastIndexOf('/'))
  return (
    <RoutePanel title={`${id === null ? 'Add' : 'Edit'} ${one}`} closeTo={closeTo}>
      <RecordForm
        model={model}
        id={id}
        saveLabel={id === null ? `Add ${one}` : 'Save changes'}
        onSaved={(saved) => open(id === null ? `${above}/${saved}` : above)}
        onCancel={close}
      />
    </RoutePanel>
  )
}
