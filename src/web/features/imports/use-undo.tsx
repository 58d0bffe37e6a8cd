import { List, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { importCalls, type HistoryItem } from '#contract/imports.ts'
import { api } from '#web/data/client.ts'
import { isApiError, messageOf } from '#web/data/errors.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { confirmDialog } from '#web/ui/confirm.tsx'
import { toast } from '#web/ui/toast.tsx'

/** Undoes an import after asking; where properties were edited since, it names them and offers to undo the others. */
export function useUndo(accountId: string): { busy: boolean; ask: (item: HistoryItem) => Promise<void> } {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const run = async (id: string, others: boolean) => {
    setBusy(true)
    try {
      const { message } = await api(importCalls.cancel, { params: { id }, query: others ? { others: '1' } : {} })
      toast.success(message)
    } catch (error) {
      const edited = editedOf(error)
      if (edited === null) toast.warning(messageOf(error))
      else if (await agreesToOthers(messageOf(error), edited)) await run(id, true)
    } finally {
      setBusy(false)
      void client.invalidateQueries({ queryKey: ['import-history', accountId] })
      void client.invalidateQueries({ queryKey: ['import'] })
      invalidateAfterWrite('account_properties', null, accountId)
    }
  }
  return {
    busy,
    ask: async (item) => {
      const agreed = await confirmDialog({
        title: 'Undo this import?',
        message: `What “${item.file_name}” added is deleted, what it changed gets its old values back, and what it marked divested is active again.`,
        confirm: 'Undo import',
      })
      if (agreed) await run(item.id, false)
    },
  }
}

const Edited = z.object({ edited: z.array(z.string()), count: z.number() })
type Edited = z.output<typeof Edited>

function editedOf(error: unknown): Edited | null {
  const parsed = Edited.safeParse(isApiError(error) && error.kind === 'conflict' ? error.data : undefined)
  return parsed.success ? parsed.data : null
}

const agreesToOthers = (message: string, { edited, count }: Edited) =>
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
