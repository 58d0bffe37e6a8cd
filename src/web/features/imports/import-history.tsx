import { Button, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { HistoryItem } from '#contract/imports.ts'
import { useSession } from '#web/data/session.ts'
import { formatDateTime } from '#contract/format.ts'
import classes from './import-history.module.css'
import { importQueries } from './import-queries.ts'
import { STATE_WORDS, doneSentence } from './import-words.ts'
import { NotLoaded } from './not-loaded.tsx'
import { useUndo } from './use-undo.tsx'

/** The imports of an account, newest first: open one that is not finished, undo one that is. */
export function ImportHistory({ accountId, onOpen }: { accountId: string; onOpen: (id: string) => void }) {
  const query = useQuery(importQueries.history(accountId))
  const undo = useUndo(accountId)
  const zone = useSession().auth_user.company.timezone
  if (query.isError) return <NotLoaded query={query} />
  if (query.data === undefined) return <Skeleton height={120} aria-label="Loading earlier imports" />
  if (query.data.length === 0) return <Text c="dimmed">Nothing has been imported into this account yet.</Text>
  return (
    <ul className={classes['list']}>
      {query.data.map((item) => (
        <li key={item.id} className={classes['item']}>
          <div className={classes['what']}>
            <Text fw={600} truncate title={item.file_name}>
              {item.file_name}
            </Text>
            <Text size="sm" c="dimmed">
              {[
                formatDateTime(item.committed_at ?? item.created_at, zone),
                item.created_by,
                item.state === 'committed' ? doneSentence(item) : null,
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </div>
          <Text size="sm">{STATE_WORDS[item.state]}</Text>
          {item.undoable && (
            <Button variant="default" size="compact-md" loading={undo.busy} onClick={() => void undo.ask(item)}>
              Undo
            </Button>
          )}
          <Button variant="subtle" size="compact-md" onClick={() => onOpen(item.id)}>
            {isOpen(item) ? 'Continue' : 'Open'}
          </Button>
        </li>
      ))}
    </ul>
  )
}

const isOpen = ({ state }: HistoryItem) => state === 'uploaded' || state === 'parsed' || state === 'mapped' || state === 'validated'
