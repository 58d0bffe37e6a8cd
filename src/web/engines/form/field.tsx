import { Checkbox, MultiSelect, NumberInput, PasswordInput, Select, TextInput, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import type { FormField } from '#contract/form.ts'
import { PairsField } from './pairs-field.tsx'
import { SearchField } from './search-field.tsx'

export interface FieldProps {
  field: FormField
  value: unknown
  error: ReactNode
  onChange: (value: unknown) => void
}

const asText = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const asTexts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])
const asNumber = (value: unknown): number | string => (typeof value === 'number' || typeof value === 'string' ? value : '')
/** Longer lists can be searched by typing. */
const SEARCHABLE_ABOVE = 8

const ORDER: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description']

const inputProps = ({ field, error }: FieldProps) => ({
  label: field.label,
  name: field.name,
  required: field.required,
  disabled: field.disabled ?? false,
  error: error ?? false,
  // With the hint below, the inputs of a row align.
  inputWrapperOrder: ORDER,
  ...(field.placeholder === undefined ? {} : { placeholder: field.placeholder }),
  ...(field.help === undefined ? {} : { description: field.help }),
})

function TextField(props: FieldProps & { type: 'text' | 'email' | 'date' }) {
  const { field, value, onChange, type } = props
  return (
    <TextInput
      {...inputProps(props)}
      type={type}
      value={asText(value)}
      {...(field.max === undefined ? {} : { maxLength: field.max })}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function AmountField(props: FieldProps) {
  const { field, value, onChange } = props
  const money = field.type === 'money'
  return (
    <NumberInput
      {...inputProps(props)}
      size="md"
      hideControls
      thousandSeparator={money ? ',' : false}
      prefix={money ? '$' : ''}
      suffix={field.type === 'percent' ? '%' : ''}
      decimalScale={money ? 0 : 8}
      value={asNumber(value)}
      onChange={onChange}
    />
  )
}

function ChoiceField(props: FieldProps) {
  const { field, value, onChange } = props
  const options = field.options ?? []
  const searchable = options.length > SEARCHABLE_ABOVE
  if (field.type === 'multiselect')
    return (
      <MultiSelect {...inputProps(props)} size="md" data={options} searchable={searchable} value={asTexts(value)} onChange={onChange} />
    )
  return (
    <Select
      {...inputProps(props)}
      data={options}
      searchable={searchable}
      clearable={!field.required}
      clearButtonProps={{ 'aria-label': `Clear ${field.label}` }}
      value={asText(value) || null}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  )
}

/** The input of a field, by its type. */
export function Field(props: FieldProps): ReactNode {
  const { field, value, onChange } = props
  switch (field.type) {
    case 'text':
    case 'email':
    case 'date':
      return <TextField {...props} type={field.type} />
    case 'password':
      return (
        <PasswordInput
          {...inputProps(props)}
          autoComplete="new-password"
          value={asText(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'textarea':
      return (
        <Textarea
          {...inputProps(props)}
          size="md"
          autosize
          minRows={2}
          maxRows={8}
          value={asText(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'number':
    case 'money':
    case 'percent':
      return <AmountField {...props} />
    case 'select':
    case 'multiselect':
      return <ChoiceField {...props} />
    case 'search':
      return <SearchField {...props} inputProps={inputProps(props)} />
    case 'pairs':
      return <PairsField {...props} />
    case 'checkbox': {
      const { placeholder: _, required: __, inputWrapperOrder: ___, ...rest } = inputProps(props)
      return <Checkbox {...rest} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
    }
    default:
      return field.type satisfies never
  }
}
