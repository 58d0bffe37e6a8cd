import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { plural } from '#contract/format.ts'
import { queries } from '#web/data/queries.ts'
import classes from './unread-texts.module.css'

interface UnreadTextsProps {
  /** The documents of one kind in an account; all that the user sees by default. */
  of?: { accountId: string; sov: boolean }
}

/** What a search of texts cannot find: documents that are not read yet, and those without a text. */
export function UnreadTexts({ of }: UnreadTextsProps) {
  const { data, isError } = useQuery(
    queries.unreadTexts(of === undefined ? {} : { filter__account_id: of.accountId, filter__sov: of.sov ? '1' : '0' }),
  )
  if (isError) return <p className={classes['note']}>How many documents were not searched is not known.</p>
  if (data === undefined || data.waiting + data.unreadable === 0) return null
  const lines = [
    { group: 'waiting', count: data.waiting, says: data.waiting === 1 ? 'is not read yet' : 'are not read yet' },
    { group: 'unreadable', count: data.unreadable, says: data.unreadable === 1 ? 'has no text to search' : 'have no text to search' },
  ].filter(({ count }) => count > 0)
  return (
    <p className={classes['note']}>
      {lines.map(({ group, count, says }, at) => (
        <span key={group}>
          {at > 0 && ', '}
          {of === undefined ? plural(count, 'document') : <TextLink group={group} label={plural(count, 'document')} />} {says}
        </span>
      ))}
      .
    </p>
  )
}

/** The same documents in the list. */
function TextLink({ group, label }: { group: string; label: string }) {
  return (
    <Link
      to="."
      search={(current: object) => ({ ...current, search: undefined, page: undefined, filter__text: group })}
      className={classes['link']}
      resetScroll={false}
    >
      {label}
    </Link>
  )
}
