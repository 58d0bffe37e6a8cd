import { List, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { importCalls } from '#contract/import-calls.ts'
import type { HistoryItem } from '#contract/imports.ts'
import { api } from '#web/data/client.ts'
import { isApiError, messageOf } from '#web/data/errors.ts'
import { showError } from '#web/engines/show-error.ts'
import { confirmDialog } from '#web/ui/confirm.tsx'
import { toast } from '#web/ui/toast.tsx'
import { amountText, summaryOf } from './import-labels.ts'
import { invalidateAfterImport } from './use-import.ts'

const EditedSince = z.object({ edited: z.array(z.string()), count: z.number() })

/** Undoes an import after confirmation. If properties were edited since, it lists them and offers to undo the others. */
export function useUndo(accountId: string) {
  const { isPending, mutate } = useMutation({
    mutationFn: ({ id, others }: { id: string; others?: '1' }) => api(importCalls.cancel, { params: { id }, query: { others } }),
    onSuccess: ({ message }) => toast.success(message),
    onError: async (error, { id }) => {
      const { data: edited } = EditedSince.safeParse(isApiError(error) ? error.data : undefined)
      if (edited === undefined) showError(error)
      else if (await confirmUndoOthers(messageOf(error), edited)) mutate({ id, others: '1' })
    },
    onSettled: () => invalidateAfterImport(accountId),
  })
  const start = async (item: HistoryItem) => {
    const confirmed = await confirmDialog({
      title: 'Undo this import?',
      message: (
        <>
          <Text fw={600}>{whatItDid(item)}</Text>
          Properties that “{item.file_name}” added are deleted, changed ones get their previous values back, and divested ones are active
          again. If some were edited since the import, nothing is undone yet: they are listed first.
        </>
      ),
      confirm: 'Undo import',
    })
    if (confirmed) mutate({ id: item.id })
  }
  return { isPending, start }
}

/** "59 added, 57 changed. The total insured value of the account, $200 after the import, becomes $90 again." */
function whatItDid(item: HistoryItem): string {
  const value =
    item.sums &&
    `The total insured value of the account, ${amountText(item.sums.after)} after the import, becomes ${amountText(item.sums.before)} again unless properties were edited since`
  return [summaryOf(item), value].flatMap((part) => (part ? [`${part}.`] : [])).join(' ')
}

const confirmUndoOthers = (message: string, { edited, count }: z.output<typeof EditedSince>) =>
  confirmDialog({
    title: 'Some properties were edited since',
    message: (
      <>
        <Text>{message}</Text>
        <List mt="sm" size="sm">
          {edited.map((address) => (
            <List.Item key={address}>{address}</List.Item>
          ))}
        </List>
        {count > edited.length && <Text size="sm">and {count - edited.length} more</Text>}
      </>
    ),
    confirm: 'Undo the others',
  })
