import { TextInput } from '@mantine/core'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import { useId, type ComponentType } from 'react'
import type { Filter } from '#contract/datatable.ts'
import { choicesOf } from './filter-bar.tsx'
import classes from './controls.module.css'

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

/** The value of one filter. */
export function FilterChoice({ onBack, ...props }: FilterControlProps & { onBack: () => void }) {
  const { label, type, help } = props.filter
  const hint = useId()
  const Control = CONTROLS[type]
  return (
    <>
      <button type="button" className={classes['back']} aria-label={`All filters, now ${label}`} onClick={onBack} autoFocus>
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
