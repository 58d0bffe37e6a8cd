import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { FormField } from '#contract/form.ts'
import { PROPERTY_SEARCH_SIZE, SEARCH_DEBOUNCE_MS, SEARCH_GROUP_SIZE } from '#contract/limits.ts'
import { queries } from '#web/data/queries.ts'

interface SearchFieldProps {
  field: FormField
  value: unknown
  onChange: (value: unknown) => void
  inputProps: {
    label: string
    name: string
    required: boolean
    disabled: boolean
    error: ReactNode
    placeholder?: string
    description?: string
    inputWrapperOrder: ('label' | 'input' | 'error' | 'description')[]
  }
}

/** Finds choices by typing. The labels of chosen records are stored, since later results may not include them. */
export function SearchField({ field, value, onChange, inputProps }: SearchFieldProps) {
  const model = field.search ?? 'companies'
  const [typed, setTyped] = useState('')
  const [opened, setOpened] = useState(false)
  const [labels, setLabels] = useState<Record<string, string>>(field.labels ?? {})
  const [search] = useDebouncedValue(typed, SEARCH_DEBOUNCE_MS)
  const found = useQuery({
    ...queries.search(model, search, model === 'account_properties' ? PROPERTY_SEARCH_SIZE : SEARCH_GROUP_SIZE),
    enabled: opened,
    placeholderData: keepPreviousData,
  })
  const chosen = Array.isArray(value)
    ? value.filter((id) => typeof id === 'string')
    : typeof value === 'string' && value !== ''
      ? [value]
      : []
  const options = new Map<string, string>([
    ...chosen.map((id) => [id, labels[id] ?? id] as const),
    ...(found.data ?? []).map((one) => [one.id, one.name] as const),
  ])
  const storeLabels = (ids: readonly string[]) =>
    setLabels((known) => ({ ...known, ...Object.fromEntries(ids.map((id) => [id, options.get(id) ?? id])) }))
  const shared = {
    ...inputProps,
    size: 'md',
    data: [...options].map(([id, label]) => ({ value: id, label })),
    searchable: true,
    nothingFoundMessage: found.isFetching || search !== typed ? 'Searching…' : 'No results found.',
    onSearchChange: setTyped,
    onDropdownOpen: () => setOpened(true),
    placeholder: inputProps.placeholder ?? 'Type to search',
  } as const
  if (field.multiple === true) {
    return (
      <MultiSelect
        {...shared}
        filter={({ options: all }) => all}
        value={chosen}
        onChange={(ids) => {
          storeLabels(ids)
          onChange(ids)
        }}
      />
    )
  }
  return (
    <Select
      {...shared}
      filter={({ options: all }) => all}
      clearable={!field.required}
      clearButtonProps={{ 'aria-label': `Clear ${field.label}` }}
      value={chosen[0] ?? null}
      onChange={(id) => {
        if (id !== null) storeLabels([id])
        onChange(id ?? '')
      }}
    />
  )
}
