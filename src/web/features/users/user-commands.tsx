import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { userCalls, type User } from '#contract/users.ts'
import { api } from '#web/data/client.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { PasswordDialog } from '#web/engines/password-dialog.tsx'
import { showError } from '#web/engines/show-error.ts'
import { confirmDialog } from '#web/ui/confirm.tsx'
import { toast } from '#web/ui/toast.tsx'

const change = (id: string, action: 'deactivate' | 'reactivate') => api(userCalls.act, { body: { action, selectedIds: [id] } })

/** What can be done with a user, other than edit and delete. */
export function UserCommands({ user }: { user: User }) {
  const can = useCan()
  const own = useSession().auth_user.id === user.id
  const { mutate, isPending } = useMutation({
    mutationFn: (call: () => Promise<{ message: string }>) => call(),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => showError(error, true),
    onSettled: () => invalidateAfterWrite('users', user.id),
  })
  if (!can('update_users') || !user.accessible_features.update) return null
  const deactivate = async () => {
    const confirmed = await confirmDialog({
      title: `Deactivate ${user.full_name}`,
      message: 'They are signed out at once and cannot sign in until they are reactivated. What is assigned to them stays as it is.',
      confirm: 'Deactivate',
    })
    if (confirmed) mutate(() => change(user.id, 'deactivate'))
  }
  return (
    <Group gap={8} pt={16}>
      {user.deactivated_at === null ? (
        <>
          <Button
            variant="default"
            disabled={isPending}
            onClick={() => mutate(() => api(userCalls.sendWelcome, { params: { id: user.id } }))}
          >
            Send welcome email
          </Button>
          {!own && (
            <Button variant="default" disabled={isPending} onClick={() => void deactivate()}>
              Deactivate
            </Button>
          )}
          {!own && (user.has_authenticator_app || user.passkeys > 0) && <ResetFactors user={user} />}
        </>
      ) : (
        <Button variant="default" disabled={isPending} onClick={() => mutate(() => change(user.id, 'reactivate'))}>
          Reactivate
        </Button>
      )}
    </Group>
  )
}

/** For a user who has lost the device with their authenticator app or passkeys. */
function ResetFactors({ user }: { user: User }) {
  const [open, setOpen] = useState(false)
  const reset = async (current_password: string) => {
    const { message } = await api(userCalls.resetFactors, { params: { id: user.id }, body: { current_password } })
    toast.success(message)
    invalidateAfterWrite('users', user.id)
  }
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Reset second factor
      </Button>
      {open && (
        <PasswordDialog
          title={`Reset the second factor of ${user.full_name}`}
          message="Their authenticator app, recovery codes and passkeys are removed, and they are signed out at once. A code by email stays as it is set."
          confirm="Reset"
          danger
          send={reset}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
