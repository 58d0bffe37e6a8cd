import type { FormField } from '#contract/form.ts'
import { RISK_CONTROL_FIELDS } from '#contract/risk-control-fields.ts'
import { RecordForm } from '#web/engines/form/record-form.tsx'
import { RoutePanel, useClosePanel, useOpenPanel } from '#web/engines/panel/route-panel.tsx'
import { paths } from '#web/paths.ts'

/** Remarks, contact and water supply are folded while they are empty; the rest is what most reports have. */
const isOptional = ({ name, type }: FormField) => {
  const section = RISK_CONTROL_FIELDS[name]?.section
  return (
    section === 'water' || name.startsWith('site_contact') || (type === 'textarea' && (section === 'opinions' || section === 'hazards'))
  )
}

interface ReportFormParams {
  id: string
  prop_id: string
  risk_control_id?: string | null
}

/** Adds a report to the property, or edits the one in the address. */
export function ReportFormPanel({ id: account_id, prop_id: property_id, risk_control_id: id = null }: ReportFormParams) {
  const open = useOpenPanel()
  const back = id === null ? paths.property(account_id, property_id) : paths.report(account_id, property_id, id)
  const close = useClosePanel(back)
  return (
    <RoutePanel title={id === null ? 'Add risk control report' : 'Edit risk control report'} size="wide" closeTo={back}>
      <RecordForm
        model="risk_control"
        id={id}
        {...(id === null ? { presets: { account_id, property_id } } : {})}
        isOptional={isOptional}
        saveLabel={id === null ? 'Add report' : 'Save changes'}
        onSaved={(saved) => open(paths.report(account_id, property_id, saved))}
        onCancel={close}
      />
    </RoutePanel>
  )
}
