import { Loader, Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useState } from 'react'
import { SEARCH_DEBOUNCE_MS } from '#contract/limits.ts'
import { can, useSession } from '#web/data/session.ts'
import { useReturnedFocus } from '#web/ui/use-returned-focus.ts'
import classes from './global-search.module.css'
import { SEARCH_GROUPS } from './search-groups.ts'
import { moveWithArrows } from './search-arrows.ts'
import { SearchResults } from './search-results.tsx'

/** Finds records by name from anywhere; Escape or a click beside it closes. */
export function GlobalSearch({ onClose }: { onClose: () => void }) {
  const session = useSession()
  useReturnedFocus()
  const [term, setTerm] = useState('')
  const [debounced] = useDebouncedValue(term.trim(), SEARCH_DEBOUNCE_MS)
  const groups = SEARCH_GROUPS.filter(({ needs }) => can(session, needs))
  const searched = term.trim() === '' ? '' : debounced
  return (
    <Modal.Root opened onClose={onClose} returnFocus={false} size={640} padding={0} centered={false} transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label="Global Search">
        <search>
          <TextInput
            data-autofocus
            classNames={{ input: classes['field'] ?? '' }}
            aria-label="Search"
            placeholder="Search"
            leftSection={<IconSearch size={20} aria-hidden />}
            rightSection={term.trim() !== searched ? <Loader size={16} /> : undefined}
            value={term}
            onKeyDown={moveWithArrows}
            onChange={(event) => setTerm(event.currentTarget.value)}
          />
          <div className={classes['results']} aria-live="polite">
            {searched === '' ? (
              <p className={classes['hint']}>Enter a search term above to begin searching</p>
            ) : (
              groups.map((group) => <SearchResults key={group.label} group={group} term={searched} onChosen={onClose} />)
            )}
          </div>
        </search>
      </Modal.Content>
    </Modal.Root>
  )
}
