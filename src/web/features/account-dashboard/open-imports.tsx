import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Account } from '#contract/accounts.ts'
import { formatDateTime, plural } from '#contract/format.ts'
import type { HistoryItem } from '#contract/imports.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { isFinished, progressLabel } from '#web/engines/account/import-progress.ts'
import { paths, withQuery } from '#web/paths.ts'
import classes from './overview.module.css'

const SHOWN = 3
const POLL_MS = 5_000

/** Imports that are not in the register yet, for users who can continue them; nothing if there are none. */
export function OpenImports({ account: { id, accessible_features: features } }: { account: Account }) {
  const mayImport = useCan()('bulk_upload_account_properties') && features.import
  const zone = useSession().auth_user.company.timezone
  const { data = [] } = useQuery({
    ...queries.importHistory(id),
    enabled: mayImport,
    refetchInterval: ({ state }) => (state.data?.some(isWorking) ? POLL_MS : false),
  })
  const open = unfinished(data)
  if (!mayImport || open.length === 0) return null
  const more = open.length - SHOWN
  return (
    <section className={`${classes['card'] ?? ''} ${classes['imports'] ?? ''}`} aria-label="Unfinished imports">
      <h2 className={classes['title']}>{open.length === 1 ? 'Unfinished import' : `${plural(open.length, 'unfinished import')}`}</h2>
      <ul>
        {open.slice(0, SHOWN).map((item) => (
          <li key={item.id}>
            <Link to={withQuery(paths.import(id), { import: item.id })}>{item.file_name}</Link>
            <span>{progressLabel(item)}</span>
            <span className={classes['detail']}>
              {[`started ${formatDateTime(item.created_at, zone)}`, item.created_by && `by ${item.created_by}`].filter(Boolean).join(' ')}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <Link to={paths.import(id)}>{`Show ${more} more`}</Link>}
    </section>
  )
}

const isWorking = (item: HistoryItem): boolean => item.activity !== null || ['uploaded', 'parsed', 'mapped'].includes(item.state)

/** Those that a user can continue, and those that failed since the last one that reached the register. Newest first. */
function unfinished(items: readonly HistoryItem[]): HistoryItem[] {
  const last = items.findIndex(({ state }) => state === 'committed' || state === 'undone')
  const failed = (item: HistoryItem, at: number) => item.state === 'failed' && (last < 0 || at < last)
  return items.filter((item, at) => !isFinished(item) || failed(item, at))
}
