import { useMutation, useQueryClient } from '@tanstack/react-query'
import { accountCalls } from '#contract/accounts.ts'
import { api } from '#web/data/client.ts'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { showError } from '#web/engines/show-error.ts'

/** Has the invited party upload the documents of a managed account from now on, where its owner uploads them so far. */
export function useInviteMethod(accountId: string): () => void {
  const can = useCan()
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: () =>
      api(accountCalls.update, { params: { id: accountId }, body: { account_id: accountId, file_retrieval_method: 'invite' } }),
    onError: (error) => showError(error),
    onSettled: () => invalidateAfterWrite('accounts', accountId, accountId),
  })
  return () => {
    const account = client.getQueryData(queries.account(accountId).queryKey)
    if (account === undefined || !can('update_accounts') || !account.accessible_features.update) return
    const { type, status, file_retrieval_method: method } = account
    if (type === 'managed' && status?.state === 'uploading' && method === 'upload') mutate()
  }
}
