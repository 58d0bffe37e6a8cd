import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { FormField } from '#contract/form.ts'
import { PROPERTY_SEARCH_SIZE, SEARCH_DEBOUNCE_MS, SEARCH_GROUP_SIZE } from '#contract/limits.ts'
import { queries, type FormModel } from '#web/data/queries.ts'

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

/** Options of a select that are found by typing, loaded once it is open; with `accountId` only those of one account. */
export function useSearchOptions(model: FormModel, accountId?: string) {
  const [typed, setTyped] = useState('')
  const [opened, setOpened] = useState(false)
  const [search] = useDebouncedValue(typed, SEARCH_DEBOUNCE_MS)
  const query = useQuery({
    ...queries.search(model, search, model === 'account_properties' ? PROPERTY_SEARCH_SIZE : SEARCH_GROUP_SIZE, accountId),
    enabled: opened,
    placeholderData: keepPreviousData,
  })
  return {
    found: query.data ?? [],
    isSearching: query.isFetching || search !== typed,
    select: { searchable: true, onSearchChange: setTyped, onDropdownOpen: () => setOpened(true) },
  } as const
}

/** Finds choices by typing. The labels of chosen records are stored, since later results may not include them. */
export function SearchField({ field, value, onChange, inputProps }: SearchFieldProps) {
  const { found, isSearching, select } = useSearchOptions(field.search ?? 'companies')
  const [labels, setLabels] = useState<Record<string, string>>(field.labels ?? {})
  const chosen = Array.isArray(value)
    ? value.filter((id) => typeof id === 'string')
    : typeof value === 'string' && value !== ''
      ? [value]
      : []
  const options = new Map<string, string>([
    ...chosen.map((id) => [id, labels[id] ?? id] as const),
    ...found.map((one) => [one.id, one.name] as const),
  ])
  const storeLabels = (ids: readonly string[]) =>
    setLabels((known) => ({ ...known, ...Object.fromEntries(ids.map((id) => [id, options.get(id) ?? id])) }))
  const shared = {
    ...inputProps,
    ...select,
    size: 'md',
    data: [...options].map(([id, label]) => ({ value: id, label })),
    nothingFoundMessage: isSearching ? 'Searching…' : 'No results found.',
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
