import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type KeyboardEvent } from 'react'
import { PROPERTY_SEARCH_SIZE, SEARCH_GROUP_SIZE } from '#contract/limits.ts'
import { queries } from '#web/data/queries.ts'
import { UnreadTexts } from '#web/engines/account/unread-texts.tsx'
import { paths } from '#web/paths.ts'
import { Excerpt } from '#web/ui/excerpt.tsx'
import classes from './global-search.module.css'

interface TextGroupProps {
  term: string
  /** The results are of an older text than the typed one: they can't be opened. */
  isStale: boolean
  onChosen: () => void
  /** On each result. */
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

const LABEL = 'In documents'

/** Documents that global search found by their text, each with the page and sentence. */
export function TextGroup({ term, isStale, onChosen, onKeyDown }: TextGroupProps) {
  const [all, setAll] = useState(false)
  const { data, isPending, isError, isPlaceholderData } = useQuery({
    ...queries.textHits(term, all ? PROPERTY_SEARCH_SIZE : SEARCH_GROUP_SIZE),
    // The first results stay while all of them load.
    placeholderData: (previous) => (all ? previous : undefined),
  })
  const found = data ?? []
  return (
    <section className={classes['group']} aria-label={LABEL} data-loading={isPending || undefined}>
      <div className={classes['head']}>
        <h2 className={classes['label']}>{LABEL}</h2>
        {found.length >= SEARCH_GROUP_SIZE && !all && (
          <button type="button" className={classes['more']} aria-label={`Show all ${LABEL}`} onClick={() => setAll(true)}>
            Show all
          </button>
        )}
      </div>
      {isPending && <p className={classes['empty']}>Loading the texts of documents...</p>}
      {isError && <p className={classes['empty']}>The texts of documents could not be searched. Please try again.</p>}
      {data?.length === 0 && <p className={classes['empty']}>No results found in the documents that are read.</p>}
      {found.map(({ id, account_id, name, account, page, place, excerpt }) => (
        <Link
          key={id}
          to={paths.file(account_id, id, page ?? undefined)}
          data-result
          className={classes['text']}
          aria-disabled={isStale || undefined}
          onKeyDown={onKeyDown}
          onClick={(event) => (isStale ? event.preventDefault() : onChosen())}
        >
          <span className={classes['textHead']}>
            <span className={classes['name']}>{name}</span>
            <span className={classes['detail']}>{account}</span>
          </span>
          <Excerpt place={place} parts={excerpt} />
        </Link>
      ))}
      {isPlaceholderData && <p className={classes['empty']}>Loading the texts of documents...</p>}
      {all && found.length >= PROPERTY_SEARCH_SIZE && (
        <p className={classes['empty']}>These are {PROPERTY_SEARCH_SIZE} results. Add a word to find others.</p>
      )}
      <div className={classes['unread']}>
        <UnreadTexts />
      </div>
    </section>
  )
}
