import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '#web/data/client.ts'
import { isApiError } from '#web/data/errors.ts'
import classes from './global-search.module.css'
import { moveWithArrows } from './search-arrows.ts'
import type { SearchGroup } from './search-groups.ts'

interface SearchResultsProps {
  group: SearchGroup
  term: string
  onChosen: () => void
}

/** One group; 404 and an empty list both mean that nothing was found (decisions C46). */
export function SearchResults({ group, term, onChosen }: SearchResultsProps) {
  const { data, isPending, isError } = useQuery({
    queryKey: ['search', group.call.path, term],
    queryFn: async ({ signal }) => {
      try {
        return (await api(group.call, { query: { search: term }, signal })).data
      } catch (error) {
        if (isApiError(error) && error.kind === 'not_found') return []
        throw error
      }
    },
  })
  return (
    <section className={classes['group']} aria-label={group.label}>
      <h2 className={classes['label']}>{group.label}</h2>
      {isPending && <p className={classes['empty']}>Loading {group.label}...</p>}
      {isError && <p className={classes['empty']}>This group could not be searched. Please try again.</p>}
      {data?.length === 0 && <p className={classes['empty']}>No results found.</p>}
      {data?.map((found) => (
        <Link key={found.id} to={group.to(found)} className={classes['found']} onClick={onChosen} onKeyDown={moveWithArrows}>
          <span className={classes['name']}>{found.name}</span>
          <span className={classes['detail']}>{found.detail}</span>
        </Link>
      ))}
    </section>
  )
}
