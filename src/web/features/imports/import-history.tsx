import { Button, List, Skeleton, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { formatDateTime } from '#contract/format.ts'
import { importCalls, type HistoryItem } from '#contract/imports.ts'
import { api } from '#web/data/client.ts'
import { isApiError, messageOf } from '#web/data/errors.ts'
import { useSession } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { confirmDialog } from '#web/ui/confirm.tsx'
import { toast } from '#web/ui/toast.tsx'
import { STATE_LABELS, summaryOf } from './import-labels.ts'
import { LoadError } from './load-error.tsx'
import classes from './start-import.module.css'
import { importQueries } from './use-import.ts'

const UNFINISHED: readonly HistoryItem['state'][] = ['uploaded', 'parsed', 'mapped', 'validated']

/** The imports of an account, newest first. Unfinished ones can be continued, the newest committed one undone. */
export function ImportHistory({ accountId, onOpen }: { accountId: string; onOpen: (id: string) => void }) {
  const query = useQuery(importQueries.history(accountId))
  const undo = useUndo(accountId)
  const zone = useSession().auth_user.company.timezone
  if (query.isError) return <LoadError query={query} />
  if (query.data === undefined) return <Skeleton height={120} aria-label="Loading earlier imports" />
  if (query.data.length === 0) return <Text c="dimmed">Nothing has been imported into this account yet.</Text>
  const describe = (item: HistoryItem) =>
    [formatDateTime(item.committed_at ?? item.created_at, zone), item.created_by, item.state === 'committed' ? summaryOf(item) : '']
      .filter(Boolean)
      .join(' · ')
  return (
    <ul className={classes['history']}>
      {query.data.map((item) => (
        <li key={item.id} className={classes['import']}>
          <div className={classes['description']}>
            <Text fw={600} truncate title={item.file_name}>
              {item.file_name}
            </Text>
            <Text size="sm" c="dimmed">
              {describe(item)}
            </Text>
          </div>
          <Text size="sm">{STATE_LABELS[item.state]}</Text>
          {item.undoable && (
            <Button variant="default" size="compact-md" loading={undo.busy} onClick={() => void undo.start(item)}>
              Undo
            </Button>
          )}
          <Button variant="subtle" size="compact-md" onClick={() => onOpen(item.id)}>
            {UNFINISHED.includes(item.state) ? 'Continue' : 'Open'}
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** Undoes an import after confirmation. If properties were edited since, it lists them and offers to undo the others. */
function useUndo(accountId: string) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const run = async (id: string, onlyOthers: boolean) => {
    setBusy(true)
    try {
      const { message } = await api(importCalls.cancel, { params: { id }, query: onlyOthers ? { others: '1' } : {} })
      toast.success(message)
    } catch (error) {
      const { data: edited } = EditedSince.safeParse(isApiError(error) && error.kind === 'conflict' ? error.data : undefined)
      if (edited === undefined) toast.warning(messageOf(error))
      else if (await confirmUndoOthers(messageOf(error), edited)) await run(id, true)
    } finally {
      setBusy(false)
      void client.invalidateQueries({ queryKey: ['import-history', accountId] })
      void client.invalidateQueries({ queryKey: ['import'] })
      invalidateAfterWrite('account_properties', null, accountId)
    }
  }
  const start = async ({ id, file_name }: HistoryItem) => {
    const confirmed = await confirmDialog({
      title: 'Undo this import?',
      message: `Properties that “${file_name}” added are deleted, changed ones get their previous values back, and divested ones are active again.`,
      confirm: 'Undo import',
    })
    if (confirmed) await run(id, false)
  }
  return { busy, start }
}

const EditedSince = z.object({ edited: z.array(z.string()), count: z.number() })

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
