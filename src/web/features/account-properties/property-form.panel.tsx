import { isPropertyField } from '#contract/account-properties.ts'
import type { FormField } from '#contract/form.ts'
import { propertyField } from '#contract/property-fields.ts'
import { RecordForm } from '#web/engines/form/record-form.tsx'
import { RoutePanel, useClosePanel, useOpenPanel } from '#web/engines/panel/route-panel.tsx'
import { paths } from '#web/paths.ts'

const isOptional = ({ name }: FormField) => !isPropertyField(name) || propertyField(name).level === 'optional'

/** Adds a property to the account, or edits the one in the address. Optional fields are folded. */
export function PropertyFormPanel({ id: accountId, prop_id: id = null }: { id: string; prop_id?: string | null }) {
  const open = useOpenPanel()
  const close = useClosePanel(paths.account(accountId))
  return (
    <RoutePanel title={id === null ? 'Add property' : 'Edit property'} closeTo={paths.account(accountId)}>
      <RecordForm
        model="account_properties"
        id={id}
        {...(id === null ? { presets: { account_id: accountId } } : {})}
        isOptional={isOptional}
        saveLabel={id === null ? 'Add property' : 'Save changes'}
        onSaved={(saved) => open(paths.property(accountId, saved))}
        onCancel={close}
      />
    </RoutePanel>
  )
}
