import { TextInput } from '@mantine/core'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import type { ReactNode } from 'react'
import type { Filter } from '#contract/datatable.ts'
import classes from './filter-menu.module.css'

interface FilterChoiceProps {
  filter: Filter
  value: string
  onChange: (value: string) => void
  onBack: () => void
}

const YES_NO = [
  { value: '1', label: 'Yes' },
  { value: '0', label: 'No' },
]

function OneOf({ filter, value, onChange, options }: Omit<FilterChoiceProps, 'onBack'> & { options: Filter['options'] }) {
  return options.map((option) => (
    <label key={option.value} className={classes['option']}>
      <input type="radio" name={filter.name} checked={value === option.value} onChange={() => onChange(option.value)} />
      {option.label}
    </label>
  ))
}

function AnyOf({ filter, value, onChange }: Omit<FilterChoiceProps, 'onBack'>) {
  const chosen = value === '' ? [] : value.split(',')
  const toggle = (option: string) =>
    onChange((chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option]).join(','))
  return filter.options.map((option) => (
    <label key={option.value} className={classes['option']}>
      <input type="checkbox" checked={chosen.includes(option.value)} onChange={() => toggle(option.value)} />
      {option.label}
    </label>
  ))
}

function Range({ value, onChange }: Omit<FilterChoiceProps, 'onBack'>) {
  const [from = '', to = ''] = value.split('..')
  const send = (nextFrom: string, nextTo: string) => onChange(nextFrom === '' && nextTo === '' ? '' : `${nextFrom}..${nextTo}`)
  return (
    <>
      <TextInput type="date" size="sm" label="From" value={from} onChange={(event) => send(event.currentTarget.value, to)} />
      <TextInput type="date" size="sm" label="To" value={to} onChange={(event) => send(from, event.currentTarget.value)} />
    </>
  )
}

function Typed({ filter, value, onChange }: Omit<FilterChoiceProps, 'onBack'>) {
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

function control(props: Omit<FilterChoiceProps, 'onBack'>): ReactNode {
  switch (props.filter.type) {
    case 'select':
      return <OneOf {...props} options={props.filter.options} />
    case 'boolean':
      return <OneOf {...props} options={YES_NO} />
    case 'multiselect':
      return <AnyOf {...props} />
    case 'date_range':
      return <Range {...props} />
    case 'text':
      return <Typed {...props} />
    default:
      return props.filter.type satisfies never
  }
}

/** The value of one filter, drawn by its type. */
export function FilterChoice({ onBack, ...props }: FilterChoiceProps) {
  return (
    <>
      <button
        type="button"
        className={classes['back']}
        aria-label={`All filters, now ${props.filter.label}`}
        onClick={onBack}
        data-autofocus
      >
        <IconChevronLeft size={16} aria-hidden />
        {props.filter.label}
      </button>
      <div role="group" aria-label={props.filter.label} className={classes['choices']}>
        {control(props)}
      </div>
    </>
  )
}
