import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { factorCalls } from '#contract/factors.ts'
import { api } from '#web/data/client.ts'
import { CopyField } from '#web/ui/copy-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodesDialog } from './recovery-codes.tsx'
import { useFactorsChanged } from './use-factors.ts'
import { showSaveError } from './use-profile-edit.ts'
import classes from './profile.module.css'

export interface Setup {
  secret: string
  uri: string
}

interface AppSetupProps {
  setup: Setup
  onClose: () => void
}

/** Shows the secret to the app, then requests a first code, then shows the recovery codes. */
export function AppSetup({ setup, onClose }: AppSetupProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes !== null) return <RecoveryCodesDialog codes={codes} onClose={onClose} />
  return (
    <Modal opened onClose={onClose} title="Set up an authenticator app" size="lg" closeOnClickOutside={false}>
      <div className={classes['setup']}>
        <QrCode text={setup.uri} label="QR code for your authenticator app" />
        <ConfirmApp setup={setup} onConfirmed={setCodes} onClose={onClose} />
      </div>
    </Modal>
  )
}

interface ConfirmAppProps extends AppSetupProps {
  onConfirmed: (codes: readonly string[]) => void
}

function ConfirmApp({ setup, onConfirmed, onClose }: ConfirmAppProps) {
  const changed = useFactorsChanged()
  const form = useForm({ initialValues: { code: '', current_password: '' } })
  const confirm = async (body: typeof form.values) => {
    try {
      const { data, message } = await api(factorCalls.confirmApp, { body })
      toast.success(message)
      changed()
      onConfirmed(data.recovery_codes)
    } catch (error) {
      showSaveError(error, form)
    }
  }
  return (
    <form noValidate onSubmit={form.onSubmit(confirm)} aria-label="Set up an authenticator app">
      <Stack>
        <Text size="sm">Scan the code with an authenticator app, such as Google Authenticator, Microsoft Authenticator or 1Password.</Text>
        <CopyField
          label="Or type this key into the app"
          value={setup.secret.replace(/.{4}(?=.)/g, '$& ')}
          copied="The key was copied."
          isTyped
        />
        <TextInput
          label="Code of the app"
          placeholder="000000"
          inputMode="numeric"
          autoComplete="one-time-code"
          data-autofocus
          {...form.getInputProps('code')}
        />
        <PasswordInput label="Current Password" autoComplete="current-password" {...form.getInputProps('current_password')} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={form.submitting}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
