import { Button, Popover, TextInput } from '@mantine/core'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconFilter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useId, useState, type ComponentType } from 'react'
import type { Filter } from '#contract/datatable.ts'
import { formatDate, sentenceCase } from '#contract/format.ts'
import button from '#web/ui/collapsing-button.module.css'
import type { FilterLabel, List } from './list.ts'
import classes from './controls.module.css'

const YES_NO = [
  { value: '1', label: 'Yes' },
  { value: '0', label: 'No' },
]
const choicesOf = ({ type, options }: Filter) => (type === 'boolean' ? YES_NO : options)

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

function rangeText(value: string): string {
  const [from = '', to = ''] = value.split('..').map((day) => (isDay(day) ? formatDate(day, 'UTC') : day))
  if (from !== '' && to !== '') return `${from} to ${to}`
  return from === '' ? `until ${to}` : `from ${from}`
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The names of the chosen values. A record that was deleted, or that the user does not see, has none. */
function filterText(filter: Filter, value: string): string {
  if (filter.type === 'text') return value
  if (filter.type === 'date_range') return rangeText(value)
  const labels = value.split(',').map((part) => choicesOf(filter).find((option) => option.value === part)?.label ?? part)
  const names = labels.filter((label) => !ID.test(label))
  const unknown = labels.length - names.length
  if (unknown === 0) return names.join(', ')
  return [...names, unknown === 1 ? 'not available' : `${unknown} not available`].join(', ')
}

/** One chip for each filter in use. */
export function filterChips(values: readonly (readonly [string, string])[], filters: readonly Filter[], more?: FilterLabel) {
  return values.map(([name, value]) => {
    const special = more?.(name, value)
    if (special) return { name, ...special }
    const filter = filters.find((candidate) => candidate.name === name)
    if (filter) return { name, label: filter.label, text: filterText(filter, value) }
    return { name, label: sentenceCase(name.replaceAll('_', ' ')), text: value }
  })
}

/** The filters in use, as chips that clear one filter each. */
export function FilterBar({ list }: { list: List }) {
  const { usedFilters, filters, filterLabel, setFilters, message, missingView, unknownSort, change } = list
  const chips = filterChips(usedFilters, filters, filterLabel)
  if (chips.length === 0 && unknownSort === null) return missingView ? <MissingView /> : null
  const isIgnored = (name: string) => [',', '.', '='].some((end) => message.includes(` filter__${name}${end}`))
  const cleared = Object.fromEntries(chips.map(({ name }) => [name, '']))
  return (
    <>
      {missingView && <MissingView />}
      <ul className={classes['chips']} aria-label="Filters in use">
        {chips.map(({ name, label, text }) => (
          <li key={name} className={classes['chip']}>
            <span className={classes['chipText']}>
              <span className={classes['chipLabel']}>{label}</span> {text}
              {isIgnored(name) && <span className={classes['chipLabel']}> (has no effect)</span>}
            </span>
            <button type="button" aria-label={`Clear filter ${label} ${text}`} onClick={() => setFilters({ [name]: '' })}>
              <IconX size={14} aria-hidden />
            </button>
          </li>
        ))}
        {unknownSort !== null && (
          <li className={classes['chip']}>
            <span className={classes['chipText']}>
              <span className={classes['chipLabel']}>Order</span> {unknownSort}
              <span className={classes['chipLabel']}> (has no effect)</span>
            </span>
            <button type="button" aria-label={`Clear order ${unknownSort}`} onClick={() => change({ sort: null })}>
              <IconX size={14} aria-hidden />
            </button>
          </li>
        )}
        {chips.length > 1 && (
          <li>
            <button type="button" className={classes['clearAll']} onClick={() => setFilters(cleared)}>
              Clear all
            </button>
          </li>
        )}
      </ul>
    </>
  )
}

const MissingView = () => (
  <p className={classes['missing']} role="status">
    The view in this address was deleted, or it is not shared with you.
  </p>
)

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

interface FilterControlProps {
  filter: Filter
  value: string
  onChange: (value: string) => void
}

const CONTROLS: Readonly<Record<Filter['type'], ComponentType<FilterControlProps>>> = {
  select: Options,
  boolean: Options,
  multiselect: Options,
  date_range: DateRange,
  text: TypedText,
}

function FilterChoice({ onBack, ...props }: FilterControlProps & { onBack: () => void }) {
  const { label, type, help } = props.filter
  const hint = useId()
  const Control = CONTROLS[type]
  return (
    <>
      <button type="button" className={classes['back']} aria-label={`All filters, now ${label}`} onClick={onBack} data-autofocus>
        <IconChevronLeft size={16} aria-hidden />
        {label}
      </button>
      {help !== undefined && (
        <p id={hint} className={classes['help']}>
          {help}
        </p>
      )}
      <div role="group" aria-label={label} aria-describedby={help === undefined ? undefined : hint} className={classes['choices']}>
        <Control {...props} />
      </div>
    </>
  )
}

function Options({ filter, value, onChange }: FilterControlProps) {
  const several = filter.type === 'multiselect'
  const chosen = several && value !== '' ? value.split(',') : [value]
  const toggle = (option: string) =>
    (chosen.includes(option) ? chosen.filter((other) => other !== option) : [...chosen, option]).filter(Boolean).join(',')
  return choicesOf(filter).map((option) => (
    <label key={option.value} className={classes['option']}>
      <input
        type={several ? 'checkbox' : 'radio'}
        name={filter.name}
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
