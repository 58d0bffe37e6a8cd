import { Button, Popover, TextInput } from '@mantine/core'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconFilter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useState, type ReactNode } from 'react'
import type { Filter } from '#contract/datatable.ts'
import button from '#web/ui/collapsing-button.module.css'
import type { List } from './list.ts'
import classes from './controls.module.css'

/** The filters in use, as chips that clear one filter each. */
export function FilterBar({ list: { chips, setFilters, clearFilters } }: { list: List }) {
  if (chips.length === 0) return null
  return (
    <ul className={classes['chips']} aria-label="Filters in use">
      {chips.map(({ name, label, text }) => (
        <li key={name} className={classes['chip']}>
          <span className={classes['chipText']}>
            <span className={classes['chipLabel']}>{label}</span> {text}
          </span>
          <button type="button" aria-label={`Clear filter ${label} ${text}`} onClick={() => setFilters({ [name]: '' })}>
            <IconX size={14} aria-hidden />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button type="button" className={classes['clearAll']} onClick={clearFilters}>
            Clear all
          </button>
        </li>
      )}
    </ul>
  )
}

interface FilterMenuProps {
  filters: readonly Filter[]
  values: Readonly<Record<string, string>>
  onChange: (values: Record<string, string>) => void
}

/** First the filter, then its value, in one popover so that the user can set several in a row. */
export function FilterMenu({ filters, values, onChange }: FilterMenuProps) {
  const [opened, setOpened] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const filter = filters.find((candidate) => candidate.name === chosen)
  const toggle = (open: boolean) => {
    setOpened(open)
    if (!open) setChosen(null)
  }
  return (
    <Popover opened={opened} onChange={toggle} position="bottom-start" trapFocus returnFocus width={264}>
      <Popover.Target>
        <Button
          variant="default"
          className={button['collapsing'] ?? ''}
          leftSection={<IconFilter size={16} aria-hidden />}
          onClick={() => toggle(!opened)}
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
            onChange={(value) => onChange({ [filter.name]: value })}
            onBack={() => setChosen(null)}
          />
        ) : (
          <ul className={classes['filterList']}>
            {filters.map(({ name, label }) => (
              <li key={name}>
                <button type="button" className={classes['filter']} onClick={() => setChosen(name)}>
                  <span>{label}</span>
                  {values[name] !== undefined && <span className={classes['set']}>set</span>}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

interface FilterControlProps {
  filter: Filter
  value: string
  onChange: (value: string) => void
}

function FilterChoice({ onBack, ...props }: FilterControlProps & { onBack: () => void }) {
  const { label } = props.filter
  return (
    <>
      <button type="button" className={classes['back']} aria-label={`All filters, now ${label}`} onClick={onBack} data-autofocus>
        <IconChevronLeft size={16} aria-hidden />
        {label}
      </button>
      <div role="group" aria-label={label} className={classes['choices']}>
        {filterControl(props)}
      </div>
    </>
  )
}

function filterControl(props: FilterControlProps): ReactNode {
  switch (props.filter.type) {
    case 'select':
    case 'boolean':
    case 'multiselect':
      return <Options {...props} />
    case 'date_range':
      return <DateRange {...props} />
    case 'text':
      return <TypedText {...props} />
    default:
      return props.filter.type satisfies never
  }
}

const YES_NO = [
  { value: '1', label: 'Yes' },
  { value: '0', label: 'No' },
]

function Options({ filter: { name, type, options }, value, onChange }: FilterControlProps) {
  const several = type === 'multiselect'
  const chosen = several && value !== '' ? value.split(',') : [value]
  const toggle = (option: string) =>
    (chosen.includes(option) ? chosen.filter((other) => other !== option) : [...chosen, option]).filter(Boolean).join(',')
  return (type === 'boolean' ? YES_NO : options).map((option) => (
    <label key={option.value} className={classes['option']}>
      <input
        type={several ? 'checkbox' : 'radio'}
        name={name}
        checked={chosen.includes(option.value)}
        onChange={() => onChange(several ? toggle(option.value) : option.value)}
      />
      {option.label}
    </label>
  ))
}

function DateRange({ value, onChange }: FilterControlProps) {
  const [from = '', to = ''] = value.split('..')
  const send = (nextFrom: string, nextTo: string) => onChange(nextFrom === '' && nextTo === '' ? '' : `${nextFrom}..${nextTo}`)
  return (
    <>
      <TextInput type="date" size="sm" label="From" value={from} onChange={(event) => send(event.currentTarget.value, to)} />
      <TextInput type="date" size="sm" label="To" value={to} onChange={(event) => send(from, event.currentTarget.value)} />
    </>
  )
}

function TypedText({ filter, value, onChange }: FilterControlProps) {
  return (
    <TextInput
      size="sm"
      aria-label={filter.label}
      defaultValue={value}
      placeholder="Type and press Enter"
      onKeyDown={(event) => event.key === 'Enter' && onChange(event.currentTarget.value.trim())}
      onBlur={(event) => event.currentTarget.value.trim() !== value && onChange(event.currentTarget.value.trim())}
    />
  )
}
