import { Loader, Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type KeyboardEvent } from 'react'
import { SEARCH_DEBOUNCE_MS } from '#contract/limits.ts'
import { queries } from '#web/data/queries.ts'
import { useReturnedFocus } from '#web/ui/use-returned-focus.ts'
import classes from './global-search.module.css'
import type { ShellModel } from './sidebar.tsx'

/** Finds records by name from any page. Each of the models, to which the user has access, is a group of results. */
export function GlobalSearch({ models, onClose }: { models: readonly ShellModel[]; onClose: () => void }) {
  useReturnedFocus()
  const [term, setTerm] = useState('')
  const [debounced] = useDebouncedValue(term.trim(), SEARCH_DEBOUNCE_MS)
  const searched = term.trim() === '' ? '' : debounced
  const isStale = term.trim() !== searched
  return (
    <Modal.Root opened onClose={onClose} returnFocus={false} size={640} padding={0} centered={false} transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label="Global Search">
        <search>
          <TextInput
            data-autofocus
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the focus trap comes too late for the first typed letters
            autoFocus
            classNames={{ input: classes['field'] ?? '' }}
            aria-label="Search"
            placeholder="Search"
            leftSection={<IconSearch size={20} aria-hidden />}
            rightSection={isStale ? <Loader size={16} /> : undefined}
            value={term}
            onKeyDown={moveWithArrows}
            onChange={(event) => setTerm(event.currentTarget.value)}
          />
          <div className={classes['results']} aria-live="polite">
            {searched === '' ? (
              <p className={classes['hint']}>Enter a search term above to begin searching</p>
            ) : (
              models.map((group) => <Results key={group.model} group={group} term={searched} isStale={isStale} onChosen={onClose} />)
            )}
          </div>
        </search>
      </Modal.Content>
    </Modal.Root>
  )
}

interface ResultsProps {
  group: ShellModel
  term: string
  /** The results are of an older text than the typed one: they can't be opened. */
  isStale: boolean
  onChosen: () => void
}

function Results({ group, term, isStale, onChosen }: ResultsProps) {
  const { data, isPending, isError } = useQuery(queries.search(group.model, term))
  return (
    <section className={classes['group']} aria-label={group.label}>
      <h2 className={classes['label']}>{group.label}</h2>
      {isPending && <p className={classes['empty']}>Loading {group.label}...</p>}
      {isError && <p className={classes['empty']}>This group could not be searched. Please try again.</p>}
      {data?.length === 0 && <p className={classes['empty']}>No results found.</p>}
      {data?.map((found) => (
        <Link
          key={found.id}
          to={group.to(found)}
          className={classes['found']}
          aria-disabled={isStale || undefined}
          onClick={(event) => (isStale ? event.preventDefault() : onChosen())}
          onKeyDown={moveWithArrows}
        >
          <span className={classes['name']}>{found.name}</span>
          <span className={classes['detail']}>{found.detail}</span>
        </Link>
      ))}
    </section>
  )
}

/** Arrow keys move from the field through the results and back. */
function moveWithArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const stops = [...(event.currentTarget.closest('search')?.querySelectorAll<HTMLElement>('input, a[href]') ?? [])]
  const next = stops[stops.findIndex((stop) => stop === document.activeElement) + step]
  event.preventDefault()
  next?.focus()
}
