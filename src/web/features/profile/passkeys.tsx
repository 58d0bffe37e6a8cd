import { Button, TextInput } from '@mantine/core'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import { useState } from 'react'
import { factorCalls, type Passkey } from '#contract/factors.ts'
import { formatAgo, formatDate } from '#contract/format.ts'
import { api } from '#web/data/client.ts'
import { PasskeyCanceled, addPasskey, canUsePasskeys } from '#web/data/passkeys.ts'
import { useSession } from '#web/data/session.ts'
import { PasswordDialog } from '#web/engines/password-dialog.tsx'
import { DateText } from '#web/ui/date-text.tsx'
import { TitledSection } from '#web/ui/titled-section.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useNow } from '#web/ui/use-now.ts'
import { deviceName } from './device-name.ts'
import { useFactorsChanged } from './use-factors.ts'
import classes from './profile.module.css'

const NAME_MAX = 60

/** The passkeys of the user: add, remove. */
export function Passkeys({ passkeys }: { passkeys: readonly Passkey[] }) {
  const changed = useFactorsChanged()
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Passkey | null>(null)
  const remove = async (id: string, current_password: string) => {
    const { message } = await api(factorCalls.removePasskey, { params: { id }, body: { current_password } })
    toast.success(message)
    changed()
  }
  return (
    <TitledSection
      title="Passkeys"
      action={
        canUsePasskeys() && (
          <Button variant="default" size="xs" onClick={() => setAdding(true)}>
            Add passkey
          </Button>
        )
      }
    >
      <p className={classes['hint']}>
        Sign in with your fingerprint, face or the PIN of your device, without a password or code.
        {canUsePasskeys() ? '' : ' This browser cannot use passkeys.'}
      </p>
      <ul className={classes['devices']}>
        {passkeys.map((passkey) => (
          <StoredPasskey key={passkey.id} passkey={passkey} onRemove={() => setRemoving(passkey)} />
        ))}
      </ul>
      {adding && <AddPasskey onClose={() => setAdding(false)} />}
      {removing !== null && (
        <PasswordDialog
          title={`Remove ${removing.name}`}
          message="You can no longer sign in with this passkey. You are signed out on all other devices."
          confirm="Remove"
          danger
          send={(password) => remove(removing.id, password)}
          onClose={() => setRemoving(null)}
        />
      )}
    </TitledSection>
  )
}

function StoredPasskey({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const { name, created_at: created, last_used_at: used } = passkey
  const { timezone } = useSession().auth_user.company
  const now = useNow()
  return (
    <li>
      <IconKey size={20} stroke={1.6} aria-hidden />
      <span className={classes['device']}>
        <strong>{name}</strong>
        <span>
          Added {formatDate(created, timezone)},{' '}
          {used === null ? (
            'not used yet'
          ) : (
            <>
              last used{' '}
              <DateText iso={used} zone={timezone}>
                {formatAgo(used, timezone, now)}
              </DateText>
            </>
          )}
        </span>
      </span>
      <Button variant="default" size="xs" onClick={onRemove} aria-label={`Remove ${name}`}>
        Remove
      </Button>
    </li>
  )
}

function AddPasskey({ onClose }: { onClose: () => void }) {
  const changed = useFactorsChanged()
  const [name, setName] = useState(() => deviceName(navigator.userAgent))
  const add = async (password: string) => {
    try {
      const { message } = await addPasskey(name.trim() || deviceName(navigator.userAgent), password)
      toast.success(message)
      changed()
      return true
    } catch (error) {
      if (!(error instanceof PasskeyCanceled)) throw error
      toast.info('No passkey was added.')
      return false
    }
  }
  return (
    <PasswordDialog
      title="Add a passkey"
      message="Your browser then asks where to store the passkey. You are signed out on all other devices."
      confirm="Continue"
      send={add}
      onClose={onClose}
    >
      <TextInput label="Name" value={name} maxLength={NAME_MAX} onChange={(event) => setName(event.currentTarget.value)} data-autofocus />
    </PasswordDialog>
  )
}
