import { Switch } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { accountCalls, type Account } from '#contract/accounts.ts'
import { api } from '#web/data/client.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { showError } from '#web/engines/show-error.ts'
import { toast } from '#web/ui/toast.tsx'
import classes from './sharing.module.css'

/** Turns the share link of the account on and off. */
export function ShareSwitch({ account: { id, sharing_enabled: isShared } }: { account: Account }) {
  const saving = useMutation({
    mutationFn: (sharing_enabled: boolean) => {
      const body = { model: 'accounts', id, sharing_enabled }
      return api(accountCalls.update, { params: { id }, body })
    },
    onSuccess: ({ data }) => toast.success(`Sharing of this account is now ${data.sharing_enabled ? 'enabled' : 'disabled'}`),
    onError: (error) => showError(error),
    onSettled: () => {
      invalidateAfterWrite('accounts', id, id)
      invalidateAfterWrite('account_invites', null, id)
    },
  })
  return (
    <div>
      <Switch
        label="Share this account by link"
        checked={saving.isPending ? saving.variables : isShared}
        disabled={saving.isPending}
        onChange={({ currentTarget }) => saving.mutate(currentTarget.checked)}
      />
      <p className={classes['help']}>Anyone with the link sees the properties and documents that are not private.</p>
    </div>
  )
}
