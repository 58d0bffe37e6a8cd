import { ActionIcon, Button, Checkbox, Input, MultiSelect, NumberInput, PasswordInput, Select, TextInput, Textarea } from '@mantine/core'
import type { SelectProps } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useState, type ChangeEvent, type ReactNode } from 'react'
import { searchOf, type FormField } from '#contract/form.ts'
import { currencySymbol } from '#contract/format.ts'
import { currencyIn, type FieldProps } from './form-values.ts'
import { GroupField } from './group-field.tsx'
import { GroupedChoices } from './grouped-choices.tsx'
import { useSearchOptions, type Labels } from './search-options.tsx'
import classes from './form.module.css'

const asText = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const asTexts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])

const labelProps = ({ field, error }: FieldProps) => ({
  label: field.label,
  name: field.name,
  disabled: field.disabled ?? false,
  error: error ?? false,
  description: field.help,
})

const ORDER: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description']

const inputProps = (props: FieldProps) => ({
  ...labelProps(props),
  size: 'md',
  required: props.field.required,
  placeholder: props.field.placeholder,
  // With the hint below, the inputs of a row align.
  inputWrapperOrder: ORDER,
})

const textProps = (props: FieldProps) => ({
  ...inputProps(props),
  value: asText(props.value),
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => props.onChange(event.currentTarget.value),
})

/** The input of a field, by its type. */
export function Field(props: FieldProps): ReactNode {
  const { field, value, onChange } = props
  switch (field.type) {
    case 'text':
    case 'email':
    case 'date':
      return <TextInput {...textProps(props)} type={field.type} maxLength={field.max} />
    case 'password':
      return <PasswordInput {...textProps(props)} autoComplete={field.autocomplete ?? 'new-password'} aria-invalid={Boolean(props.error)} />
    case 'textarea':
      return <Textarea {...textProps(props)} autosize minRows={2} maxRows={8} />
    case 'number':
    case 'money':
    case 'percent':
      return <AmountField {...props} />
    case 'select':
      return <SelectField {...props} select={optionProps(field)} />
    case 'multiselect':
      if (field.options?.some(({ group }) => group !== undefined)) return <GroupedChoices {...props} value={asTexts(value)} />
      return <SelectField {...props} select={optionProps(field)} several />
    case 'search':
      return <SearchField {...props} />
    case 'group':
      return <GroupField {...props} Input={Field} />
    case 'pairs':
      return <PairsField {...props} />
    case 'checkbox':
      return <Checkbox {...labelProps(props)} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
    default:
      return field.type satisfies never
  }
}

/** Money can be typed with cents in every field, so that they are never read as dollars. Fields for whole units round it. */
function AmountField({ onChange, currency, ...props }: FieldProps) {
  const { type, cents = false, whole = false } = props.field
  const value = typeof props.value === 'number' ? props.value : asText(props.value)
  const round = () => {
    if (type === 'money' && !cents && typeof value === 'number' && !Number.isInteger(value)) onChange(Math.round(value))
  }
  return (
    <NumberInput
      {...inputProps({ ...props, onChange })}
      hideControls
      thousandSeparator={type === 'money' ? ',' : false}
      prefix={type !== 'money' ? '' : cents ? '$' : currencySymbol(currencyIn(currency))}
      suffix={type === 'percent' ? '%' : ''}
      decimalScale={whole ? 0 : type === 'money' ? 2 : 8}
      value={value}
      onChange={onChange}
      onBlur={round}
    />
  )
}

/** Longer lists can be searched by typing. */
const SEARCHABLE_ABOVE = 8
const optionProps = ({ options = [] }: FormField) => ({ data: options, searchable: options.length > SEARCHABLE_ABOVE })

interface SelectFieldProps extends FieldProps {
  several?: boolean
  select: Pick<
    SelectProps,
    'data' | 'searchable' | 'filter' | 'nothingFoundMessage' | 'placeholder' | 'onSearchChange' | 'onDropdownOpen' | 'renderOption'
  >
}

/** A select of one option or of several. */
function SelectField({ several = false, select, ...props }: SelectFieldProps) {
  const { field, value, onChange } = props
  const shared = { ...inputProps(props), ...select }
  if (several) return <MultiSelect {...shared} clearSearchOnChange={false} value={asTexts(value)} onChange={onChange} />
  return (
    <Select
      {...shared}
      clearable={!field.required}
      clearButtonProps={{ 'aria-label': `Clear ${field.label}` }}
      value={asText(value) || null}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  )
}

/** Finds choices by typing. */
function SearchField(props: FieldProps) {
  const { field, value, onChange } = props
  const [known, setKnown] = useState<Labels>(field.labels ?? {})
  const chosen = asTexts([value].flat()).filter((id) => id !== '')
  const { labels, select } = useSearchOptions(searchOf(field), Object.fromEntries(chosen.map((id) => [id, known[id] ?? id])))
  const choose = (next: unknown) => {
    setKnown({ ...known, ...labels })
    onChange(next)
  }
  return (
    <SelectField
      {...props}
      several={field.multiple === true}
      onChange={choose}
      select={{ ...select, placeholder: field.placeholder ?? 'Type to search' }}
    />
  )
}

interface Pair {
  label: string
  value: string
}

const isPair = (value: unknown): value is Pair => typeof value === 'object' && value !== null && 'label' in value && 'value' in value

/** A list of free label and value items, such as an account's own facts. */
function PairsField({ field, value, error, onChange }: FieldProps) {
  const pairs = Array.isArray(value) ? value.filter(isPair) : []
  const change = (at: number, patch: Partial<Pair>) => onChange(pairs.map((pair, index) => (index === at ? { ...pair, ...patch } : pair)))
  return (
    <Input.Wrapper label={field.label} error={error} labelElement="div" role="group" aria-label={field.label}>
      <div>
        {pairs.map((pair, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- items have no identity of their own; their place is it
          <div key={index} className={classes['pair']}>
            <TextInput
              aria-label={`Name of item ${index + 1}`}
              placeholder="Name"
              value={pair.label}
              onChange={(event) => change(index, { label: event.currentTarget.value })}
            />
            <TextInput
              aria-label={`Value of item ${index + 1}`}
              placeholder="Value"
              value={pair.value}
              onChange={(event) => change(index, { value: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={`Remove item ${index + 1}`}
              onClick={() => onChange(pairs.filter((_, at) => at !== index))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </div>
        ))}
        <Button
          variant="default"
          size="xs"
          mt={4}
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={field.max !== undefined && pairs.length >= field.max}
          onClick={() => onChange([...pairs, { label: '', value: '' }])}
        >
          Add item
        </Button>
      </div>
    </Input.Wrapper>
  )
}
