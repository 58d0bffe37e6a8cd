import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { factorCalls, type Factors } from '#contract/factors.ts'
import { formatDate, plural } from '#contract/format.ts'
import { api } from '#web/data/client.ts'
import { useSession } from '#web/data/session.ts'
import { PasswordDialog } from '#web/engines/password-dialog.tsx'
import { showError } from '#web/engines/show-error.ts'
import { TitledSection } from '#web/ui/titled-section.tsx'
import { toast } from '#web/ui/toast.tsx'
import { AppSetup, type Setup } from './app-setup.tsx'
import { RecoveryCodesDialog } from './recovery-codes.tsx'
import { useFactorsChanged } from './use-factors.ts'
import classes from './profile.module.css'

/** The authenticator app of the user: set up, remove, new recovery codes. */
export function AuthenticatorApp({ factors }: { factors: Factors }) {
  const [setup, setSetup] = useState<Setup | null>(null)
  const starting = useMutation({
    mutationFn: () => api(factorCalls.startApp),
    onSuccess: ({ data }) => setSetup(data),
    onError: (error) => showError(error),
  })
  const since = factors.app_since
  return (
    <TitledSection
      title="Authenticator app"
      action={
        since === null && (
          <Button variant="default" size="xs" loading={starting.isPending} onClick={() => starting.mutate()}>
            Set up
          </Button>
        )
      }
    >
      {since === null ? (
        <p className={classes['hint']}>Each sign-in asks for a code of an app on your phone, which replaces the code by email.</p>
      ) : (
        <StoredApp since={since} codes={factors.recovery_codes} />
      )}
      {setup !== null && <AppSetup setup={setup} onClose={() => setSetup(null)} />}
    </TitledSection>
  )
}

function StoredApp({ since, codes }: { since: string; codes: number }) {
  const { timezone } = useSession().auth_user.company
  const changed = useFactorsChanged()
  const [open, setOpen] = useState<'remove' | 'renew' | null>(null)
  const [fresh, setFresh] = useState<readonly string[] | null>(null)
  const close = () => setOpen(null)
  const remove = async (current_password: string) => {
    const { message } = await api(factorCalls.removeApp, { body: { current_password } })
    toast.success(message)
    changed()
  }
  const renew = async (current_password: string) => {
    const { data } = await api(factorCalls.newRecoveryCodes, { body: { current_password } })
    setFresh(data.recovery_codes)
    changed()
  }
  return (
    <>
      <p className={classes['hint']}>
        Set up on {formatDate(since, timezone)}. Sign-ins ask for its code.
        <br />
        {codes === 0 ? 'No recovery codes are left.' : `${plural(codes, 'recovery code')} left.`}
      </p>
      <Group gap={8}>
        <Button variant="default" size="xs" onClick={() => setOpen('renew')}>
          New recovery codes
        </Button>
        <Button variant="default" size="xs" onClick={() => setOpen('remove')}>
          Remove app
        </Button>
      </Group>
      {open === 'remove' && (
        <PasswordDialog
          title="Remove the authenticator app"
          message="Sign-ins no longer ask for its codes, and the recovery codes stop working. You are signed out on all other devices."
          confirm="Remove"
          danger
          send={remove}
          onClose={close}
        />
      )}
      {open === 'renew' && (
        <PasswordDialog
          title="New recovery codes"
          message="The codes that you have now stop working. You are signed out on all other devices."
          confirm="Make new codes"
          send={renew}
          onClose={close}
        />
      )}
      {fresh !== null && <RecoveryCodesDialog codes={fresh} onClose={() => setFresh(null)} />}
    </>
  )
}
