import { useMutation, useQueryClient } from '@tanstack/react-query'
import { accountCalls, type Account, type Status } from '#contract/accounts.ts'
import { api } from '#web/data/client.ts'
import { queries } from '#web/data/queries.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { showError } from '#web/engines/show-error.ts'
import { toast } from '#web/ui/toast.tsx'

/** Sets the status of an account: shown at once, taken back when the server refuses, told when it is done (S1 §4). */
export function useAccountStatus(account: Account) {
  const client = useQueryClient()
  const { queryKey } = queries.account(account.id)
  const show = (status: Status | null) => client.setQueryData(queryKey, (known) => known && { ...known, status })
  return useMutation({
    mutationFn: (status: Status) => api(accountCalls.setStatus, { body: { account_id: account.id, status_id: status.id } }),
    onMutate: async (status) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)?.status ?? null
      show(status)
      return before
    },
    onSuccess: ({ message }) => toast.success(message),
    onError: (error, _status, before) => {
      show(before ?? null)
      showError(error)
    },
    onSettled: () => invalidateAfterWrite('accounts', account.id, account.id),
  })
}
