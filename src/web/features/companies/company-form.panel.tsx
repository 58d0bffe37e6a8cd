import { CompanyInput, CompanyUpdate } from '#contract/companies.ts'
import { RecordForm } from '#web/engines/form/record-form.tsx'
import { RoutePanel, useClosePanel } from '#web/engines/panel/route-panel.tsx'
import { useOpenPanel, usePanelParam } from '#web/engines/panel/use-record-panel.ts'
import { paths } from '#web/paths.ts'

/** Makes a company, or changes the one in the address. */
export function CompanyFormPanel() {
  const id = usePanelParam('id') || null
  const open = useOpenPanel()
  const close = useClosePanel(paths.companies())
  return (
    <RoutePanel title={id === null ? 'Add company' : 'Edit company'} closeTo={paths.companies()}>
      <RecordForm
        model="companies"
        id={id}
        input={id === null ? CompanyInput : CompanyUpdate}
        saveLabel={id === null ? 'Add company' : 'Save changes'}
        onSaved={(saved) => open(paths.company(saved.id))}
        onCancel={close}
      />
    </RoutePanel>
  )
}
