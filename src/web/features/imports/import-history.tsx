import { Button, List, Skeleton, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { formatDateTime } from '#contract/format.ts'
import { importCalls, type HistoryItem } from '#contract/imports.ts'
import { api } from '#web/data/client.ts'
import { isApiError, messageOf } from '#web/data/errors.ts'
import { useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { showError } from '#web/engines/show-error.ts'
import { confirmDialog } from '#web/ui/confirm.tsx'
import { toast } from '#web/ui/toast.tsx'
import { CompactButton } from './compact-button.ts'
import { STATE_LABELS, isFinished, summaryOf } from './import-labels.ts'
import classes from './import.page.module.css'
import { importQueries, invalidateAfterImport } from './use-import.ts'

/** The imports of an account, newest first. Unfinished ones can be continued, the newest committed one undone. */
export function ImportHistory({ accountId, onOpen }: { accountId: string; onOpen: (id: string) => void }) {
  const query = useQuery(importQueries.history(accountId))
  const undo = useUndo(accountId)
  const zone = useSession().auth_user.company.timezone
  const detailsOf = (item: HistoryItem) =>
    [formatDateTime(item.committed_at ?? item.created_at, zone), item.created_by, item.state === 'committed' ? summaryOf(item) : '']
      .filter(Boolean)
      .join(' · ')
  return (
    <Loaded query={query} skeleton={<Skeleton height={120} aria-label="Loading earlier imports" />}>
      {(items) =>
        items.length === 0 ? (
          <Text c="dimmed">Nothing has been imported into this account yet.</Text>
        ) : (
          <ul className={classes['list']}>
            {items.map((item) => (
              <FileItem key={item.id} name={item.file_name} details={detailsOf(item)}>
                <Text size="sm">{STATE_LABELS[item.state]}</Text>
                {item.undoable && (
                  <CompactButton loading={undo.isPending} onClick={() => void undo.start(item)}>
                    Undo
                  </CompactButton>
                )}
                <Button variant="subtle" size="compact-md" onClick={() => onOpen(item.id)}>
                  {isFinished(item) ? 'Open' : 'Continue'}
                </Button>
              </FileItem>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

const EditedSince = z.object({ edited: z.array(z.string()), count: z.number() })

/** Undoes an import after confirmation. If properties were edited since, it lists them and offers to undo the others. */
function useUndo(accountId: string) {
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
  const start = async ({ id, file_name }: HistoryItem) => {
    const confirmed = await confirmDialog({
      title: 'Undo this import?',
      message: `Properties that “${file_name}” added are deleted, changed ones get their previous values back, and divested ones are active again.`,
      confirm: 'Undo import',
    })
    if (confirmed) mutate({ id })
  }
  return { isPending, start }
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

/** A document or an earlier import, with what can be done with it. */
export function FileItem({ name, details, children }: { name: string; details: string; children: ReactNode }) {
  return (
    <li className={classes['file']}>
      <div className={classes['description']}>
        <Text fw={600} truncate title={name}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {details}
        </Text>
      </div>
      {children}
    </li>
  )
}
