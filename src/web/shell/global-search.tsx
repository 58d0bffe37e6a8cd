import { Loader, Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useState, type KeyboardEvent } from 'react'
import { SEARCH_DEBOUNCE_MS } from '#contract/limits.ts'
import { clearRecentSearches, recentSearches, rememberSearch } from '#web/data/recent-searches.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { useReturnedFocus } from '#web/ui/use-returned-focus.ts'
import classes from './global-search.module.css'
import { SearchGroup } from './search-group.tsx'
import { TextGroup } from './text-group.tsx'
import type { FoundGroup } from './sidebar.tsx'

/** Finds records by name from any page. Each of the models, to which the user has access, is a group of results. */
export function GlobalSearch({ groups, onClose }: { groups: readonly FoundGroup[]; onClose: () => void }) {
  useReturnedFocus()
  const { id: userId } = useSession().auth_user
  const [term, setTerm] = useState('')
  const [debounced] = useDebouncedValue(term.trim(), SEARCH_DEBOUNCE_MS)
  const [chosen, setChosen] = useState('')
  // A recent search needs no pause.
  const searched = term.trim() === '' ? '' : term === chosen ? chosen : debounced
  const isStale = term.trim() !== searched
  const onChosen = () => {
    rememberSearch(userId, searched)
    onClose()
  }
  return (
    <Modal.Root opened onClose={onClose} returnFocus={false} size={640} padding={0} centered={false} transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label="Global Search">
        <search>
          <TextInput
            data-autofocus
            autoFocus
            classNames={{ input: classes['field'] ?? '' }}
            aria-label="Search"
            placeholder="Search"
            leftSection={<IconSearch size={20} aria-hidden />}
            rightSection={isStale ? <Loader size={16} /> : undefined}
            value={term}
            onKeyDown={(event) => {
              moveByKey(event)
              if (event.key === 'Enter' && !isStale) firstResult(event.currentTarget)?.click()
            }}
            onChange={(event) => setTerm(event.currentTarget.value)}
          />
          <div className={classes['results']} aria-live="polite">
            {searched === '' ? (
              <Idle
                onSearch={(text) => {
                  setChosen(text)
                  setTerm(text)
                }}
              />
            ) : (
              <Results groups={groups} term={searched} isStale={isStale} onChosen={onChosen} />
            )}
          </div>
        </search>
      </Modal.Content>
    </Modal.Root>
  )
}

interface ResultsProps {
  groups: readonly FoundGroup[]
  term: string
  isStale: boolean
  onChosen: () => void
}

function Results({ groups, ...found }: ResultsProps) {
  const can = useCan()
  // What a user cannot open is not found by its text.
  const findsTexts = can('view_account_files') && (can('preview_files') || can('download_files'))
  return (
    <>
      {groups.map((group) => (
        <SearchGroup key={`${group.model} ${found.term}`} group={group} {...found} onKeyDown={moveByKey} />
      ))}
      {findsTexts && <TextGroup key={`texts ${found.term}`} {...found} onKeyDown={moveByKey} />}
    </>
  )
}

function Idle({ onSearch }: { onSearch: (term: string) => void }) {
  const { id: userId } = useSession().auth_user
  const [recent, setRecent] = useState(() => recentSearches(userId))
  return (
    <>
      <p className={classes['hint']}>Enter a search term above to begin searching</p>
      {recent.length > 0 && (
        <section aria-label="Recent searches">
          <div className={classes['head']}>
            <h2 className={classes['label']}>Recent searches</h2>
            <button
              type="button"
              className={classes['more']}
              onClick={() => {
                clearRecentSearches()
                setRecent([])
              }}
            >
              Clear
            </button>
          </div>
          {recent.map((term) => (
            <button key={term} type="button" data-result className={classes['found']} onKeyDown={moveByKey} onClick={() => onSearch(term)}>
              <span className={classes['name']}>
                <IconHistory size={16} className={classes['icon']} aria-hidden />
                {term}
              </span>
            </button>
          ))}
        </section>
      )}
    </>
  )
}

/** The first result, unless a group above it is still loading. */
function firstResult(field: HTMLElement): HTMLElement | null {
  const first = field.closest('search')?.querySelector<HTMLElement>('[data-loading], a[data-result]')
  return first?.hasAttribute('data-loading') === true ? null : (first ?? null)
}

/** Arrow keys move from the field through all results and back; Home and End to the first and last result. */
function moveByKey(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget } = event
  if (!['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(key)) return
  const stops = [...(currentTarget.closest('search')?.querySelectorAll<HTMLElement>('input, [data-result]') ?? [])]
  const at = stops.findIndex((stop) => stop === document.activeElement)
  // In the field, Home and End move the cursor.
  if ((key === 'Home' || key === 'End') && at === 0) return
  const next = key === 'Home' ? stops[1] : key === 'End' ? stops.at(-1) : stops[key === 'ArrowDown' ? at + 1 : at - 1]
  event.preventDefault()
  next?.focus()
}
