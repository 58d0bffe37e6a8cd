import { UserInput, UserUpdate } from '#contract/users.ts'
import { RecordForm } from '#web/engines/form/record-form.tsx'
import { RoutePanel, useClosePanel } from '#web/engines/panel/route-panel.tsx'
import { useOpenPanel } from '#web/engines/panel/use-record-panel.ts'
import { useUserPlace } from './user-place.ts'

/** Adds a user, or changes the one in the address. */
export function UserFormPanel() {
  const place = useUserPlace()
  const id = place.id || null
  const open = useOpenPanel()
  const close = useClosePanel(place.listPath)
  return (
    <RoutePanel title={id === null ? 'Add user' : 'Edit user'} closeTo={place.listPath}>
      <RecordForm
        model="users"
        id={id}
        input={id === null ? UserInput : UserUpdate}
        saveLabel={id === null ? 'Add user' : 'Save changes'}
        onSaved={(saved) => open(place.panelPath(saved.id))}
        onCancel={close}
      />
    </RoutePanel>
  )
}
