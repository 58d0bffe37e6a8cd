import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { accountCalls, type Account } from '#contract/accounts.ts'
import { api } from '#web/data/client.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { showError } from '#web/engines/show-error.ts'
import { paths } from '#web/paths.ts'
import { confirmDialog } from '#web/ui/confirm.tsx'
import { toast } from '#web/ui/toast.tsx'

/** Asks, leaves for the list and puts the account into the trash, from where Undo brings it back. */
export function useDeleteAccount({ id, name }: Account) {
  const navigate = useNavigate()
  const restoring = useMutation({
    mutationFn: () => api(accountCalls.restore, { body: { ids: [id] } }),
    onSuccess: ({ message }) => {
      toast.success(message)
      invalidateAfterWrite('accounts', id)
    },
    onError: showError,
  })
  const deleting = useMutation({
    mutationFn: async () => {
      // The page would hear of the deletion before the answer and call its own account missing.
      await navigate({ to: paths.accounts() })
      return api(accountCalls.remove, { params: { id } })
    },
    onSuccess: ({ message }) => {
      toast.success(message, { action: { label: 'Undo', onClick: () => restoring.mutate() } })
      invalidateAfterWrite('accounts', null)
    },
    onError: showError,
  })
  const ask = async () => {
    const agreed = await confirmDialog({
      title: `Delete ${name.text}`,
      message: 'Are you sure you want to delete this record? This action cannot be undone.',
      confirm: 'Delete',
    })
    if (agreed) deleting.mutate()
  }
  return { isPending: deleting.isPending, ask: () => void ask() }
}
