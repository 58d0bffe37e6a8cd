import { Button, Popover } from '@mantine/core'
import IconFilter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs'
import { useState } from 'react'
import type { Filter } from '#contract/datatable.ts'
import button from '#web/ui/collapsing-button.module.css'
import { FilterChoice } from './filter-choice.tsx'
import classes from './filter-menu.module.css'

interface FilterMenuProps {
  filters: readonly Filter[]
  values: Readonly<Record<string, string>>
  onChange: (name: string, value: string) => void
}

/** First which filter, then its value; both in one small layer so that several can be set in a row. */
export function FilterMenu({ filters, values, onChange }: FilterMenuProps) {
  const [opened, setOpened] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const filter = filters.find((candidate) => candidate.name === chosen)
  const close = (open: boolean) => {
    setOpened(open)
    if (!open) setChosen(null)
  }
  return (
    <Popover opened={opened} onChange={close} position="bottom-start" trapFocus returnFocus width={264}>
      <Popover.Target>
        <Button
          variant="default"
          className={button['collapsing'] ?? ''}
          leftSection={<IconFilter size={16} aria-hidden />}
          onClick={() => close(!opened)}
        >
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={8} aria-label="Filters">
        {filter ? (
          <FilterChoice
            key={filter.name}
            filter={filter}
            value={values[filter.name] ?? ''}
            onChange={(value) => onChange(filter.name, value)}
            onBack={() => setChosen(null)}
          />
        ) : (
          <ul className={classes['list']}>
            {filters.map((candidate) => (
              <li key={candidate.name}>
                <button type="button" className={classes['item']} onClick={() => setChosen(candidate.name)}>
                  <span>{candidate.label}</span>
                  {values[candidate.name] !== undefined && <span className={classes['set']}>set</span>}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
