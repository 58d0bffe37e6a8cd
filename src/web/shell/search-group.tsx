import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type KeyboardEvent } from 'react'
import { PROPERTY_SEARCH_SIZE, SEARCH_GROUP_SIZE } from '#contract/limits.ts'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { withQuery } from '#web/paths.ts'
import { Highlighted } from '#web/ui/highlighted.tsx'
import classes from './global-search.module.css'
import type { FoundGroup } from './sidebar.tsx'

interface SearchGroupProps {
  group: FoundGroup
  term: string
  /** The results are of an older text than the typed one: they can't be opened. */
  isStale: boolean
  onChosen: () => void
  /** On each result. */
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

/** What global search found of one model, best first. */
export function SearchGroup({ group: { model, label, to, list }, term, isStale, onChosen, onKeyDown }: SearchGroupProps) {
  const can = useCan()
  const [all, setAll] = useState(false)
  const { data, isPending, isError, isPlaceholderData } = useQuery({
    ...queries.globalSearch(model, term, all ? PROPERTY_SEARCH_SIZE : undefined),
    // The first results stay while all of them load.
    placeholderData: (previous) => (all ? previous : undefined),
  })
  const found = data?.found ?? []
  const hasMore = found.length >= SEARCH_GROUP_SIZE && !all
  const canList = list !== undefined && can(list.searchedWith)
  return (
    <section className={classes['group']} aria-label={`${label} found`} data-loading={isPending || undefined}>
      <div className={classes['head']}>
        <h2 className={classes['label']}>{label}</h2>
        {hasMore && list === undefined && (
          <button type="button" className={classes['more']} aria-label={`Show all ${label}`} onClick={() => setAll(true)}>
            Show all
          </button>
        )}
        {hasMore && canList && (
          <Link
            to={withQuery(list.path, { search: term })}
            className={classes['more']}
            aria-label={`Show all ${label}`}
            onClick={(event) => (isStale ? event.preventDefault() : onChosen())}
          >
            Show all
          </Link>
        )}
      </div>
      {isPending && <p className={classes['empty']}>Loading {label}...</p>}
      {isError && <p className={classes['empty']}>This group could not be searched. Please try again.</p>}
      {data?.found.length === 0 && <p className={classes['empty']}>No results found.</p>}
      {found.map((record) => (
        <Link
          key={record.id}
          to={to(record)}
          data-result
          className={classes['found']}
          aria-disabled={isStale || undefined}
          onKeyDown={onKeyDown}
          onClick={(event) => (isStale ? event.preventDefault() : onChosen())}
        >
          <span className={classes['name']}>
            <Highlighted text={record.name} matched={data?.matched ?? []} />
          </span>
          <span className={classes['detail']}>
            <Highlighted text={record.detail} matched={data?.matched ?? []} />
          </span>
        </Link>
      ))}
      {isPlaceholderData && <p className={classes['empty']}>Loading {label}...</p>}
      {all && found.length >= PROPERTY_SEARCH_SIZE && (
        <p className={classes['empty']}>These are the best {PROPERTY_SEARCH_SIZE} results. Add a word to find others.</p>
      )}
    </section>
  )
}
