import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { userCalls, type User } from '#contract/users.ts'
import { api } from '#web/data/client.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
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
        </>
      ) : (
        <Button variant="default" disabled={isPending} onClick={() => mutate(() => change(user.id, 'reactivate'))}>
          Reactivate
        </Button>
      )}
    </Group>
  )
}
