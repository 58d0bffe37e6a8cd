import { useMutation, useQueryClient } from '@tanstack/react-query'
import { accountCalls } from '#contract/accounts.ts'
import { api } from './client.ts'
import { queries, type ListAnswer } from './queries.ts'
import { invalidateAfterWrite } from './staleness.ts'

interface Change {
  id: string
  favorite: boolean
}

const LISTS = ['index', 'accounts']

/** Adds or removes a favorite. Every list shows the change at once, and the previous state again when the call fails. */
export function useFavorite(onFailure: (error: unknown) => void) {
  const client = useQueryClient()
  const show = ({ id, favorite }: Change) => {
    client.setQueryData(queries.account(id).queryKey, (account) => account && { ...account, favorite })
    client.setQueriesData<ListAnswer<'accounts'>>(
      { queryKey: LISTS },
      (list) => list && { ...list, data: list.data.map((row) => (row.id === id ? { ...row, favorite } : row)) },
    )
  }
  return useMutation({
    mutationFn: ({ id, favorite }: Change) =>
      api(accountCalls.act, { body: { action: favorite ? 'add-favorite' : 'remove-favorite', selectedIds: [id] } }),
    onMutate: async (change) => {
      await Promise.all([client.cancelQueries({ queryKey: LISTS }), client.cancelQueries(queries.account(change.id))])
      show(change)
    },
    onError: (error, change) => {
      show({ ...change, favorite: !change.favorite })
      onFailure(error)
    },
    onSettled: (_answer, _error, { id }) => invalidateAfterWrite('accounts', id),
  })
}
