import { Button, Popover } from '@mantine/core'
import IconFilter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs'
import { useState } from 'react'
import button from '#web/ui/collapsing-button.module.css'
import { lazyPart } from '../lazy-part.tsx'
import type { List } from './list.ts'
import classes from './controls.module.css'

/** Loaded with the first filter that is opened. */
const FilterChoice = lazyPart(async () => (await import('./filter-choice.tsx')).FilterChoice, {
  fallback: <p className={classes['help']}>Loading…</p>,
})

/** First the filter, then its value, in one popover so that the user can set several in a row. */
export function FilterMenu({ list: { filters, state, setFilters } }: { list: List }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const filter = filters.find((candidate) => candidate.name === chosen)
  return (
    <Popover onClose={() => setChosen(null)} position="bottom-start" trapFocus returnFocus width={264}>
      <Popover.Target>
        <Button variant="default" className={button['collapsing'] ?? ''} leftSection={<IconFilter size={16} aria-hidden />}>
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={8} aria-label="Filters">
        {filter ? (
          <FilterChoice
            key={filter.name}
            filter={filter}
            value={state.filters[filter.name] ?? ''}
            onChange={(value) => setFilters({ [filter.name]: value })}
            onBack={() => setChosen(null)}
          />
        ) : (
          <ul className={classes['filterList']}>
            {filters.map(({ name, label }) => (
              <li key={name}>
                <button type="button" className={classes['filter']} onClick={() => setChosen(name)}>
                  <span>{label}</span>
                  {state.filters[name] !== undefined && <span className={classes['set']}>set</span>}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
