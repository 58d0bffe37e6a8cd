import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormField } from '#contract/form.ts'
import { PROPERTY_SEARCH_SIZE, SEARCH_DEBOUNCE_MS, SEARCH_GROUP_SIZE } from '#contract/limits.ts'
import { searchCalls, type Found } from '#contract/search.ts'
import { api } from '#web/data/client.ts'
import { isApiError } from '#web/data/errors.ts'

interface SearchFieldProps {
  field: FormField
  value: unknown
  onChange: (value: unknown) => void
  frame: {
    label: string
    name: string
    required: boolean
    disabled: boolean
    error: string | boolean
    placeholder?: string
    description?: string
    inputWrapperOrder: ('label' | 'input' | 'error' | 'description')[]
  }
}

const CALLS = {
  companies: searchCalls.companies,
  users: searchCalls.users,
  roles: searchCalls.roles,
  account_properties: searchCalls.properties,
} as const
type Searched = keyof typeof CALLS

/** The API answers 404 when a search finds nothing; this is an empty list. */
async function find(model: Searched, search: string, accountId: string | undefined, signal: AbortSignal): Promise<Found[]> {
  try {
    const paginate = model === 'account_properties' ? PROPERTY_SEARCH_SIZE : SEARCH_GROUP_SIZE
    return (await api(CALLS[model], { query: { search, paginate, filter__account_id: accountId }, signal })).data
  } catch (error) {
    if (isApiError(error) && error.kind === 'not_found') return []
    throw error
  }
}

/** Options of a select that are found by typing, loaded once it is open; with `accountId` only those of one account. */
export function useSearchOptions(model: Searched, accountId?: string) {
  const [typed, setTyped] = useState('')
  const [opened, setOpened] = useState(false)
  const [search] = useDebouncedValue(typed, SEARCH_DEBOUNCE_MS)
  const query = useQuery({
    queryKey: ['search', model, 'field', accountId, search],
    queryFn: ({ signal }) => find(model, search, accountId, signal),
    enabled: opened,
    placeholderData: keepPreviousData,
  })
  return {
    found: query.data ?? [],
    isSearching: query.isFetching || search !== typed,
    select: { searchable: true, onSearchChange: setTyped, onDropdownOpen: () => setOpened(true) },
  } as const
}

/** Choices are found by typing; what is chosen keeps its words although later answers no longer hold it. */
export function SearchField({ field, value, onChange, frame }: SearchFieldProps) {
  const model = field.search ?? 'companies'
  const { found, isSearching, select } = useSearchOptions(model)
  const [words, setWords] = useState<Record<string, string>>(field.labels ?? {})
  const chosen = Array.isArray(value)
    ? value.filter((id) => typeof id === 'string')
    : typeof value === 'string' && value !== ''
      ? [value]
      : []
  const options = new Map<string, string>([
    ...chosen.map((id) => [id, words[id] ?? id] as const),
    ...found.map((one) => [one.id, one.name] as const),
  ])
  const remember = (ids: readonly string[]) =>
    setWords((known) => ({ ...known, ...Object.fromEntries(ids.map((id) => [id, options.get(id) ?? id])) }))
  const shared = {
    ...frame,
    ...select,
    size: 'md',
    data: [...options].map(([id, label]) => ({ value: id, label })),
    nothingFoundMessage: isSearching ? 'Searching…' : 'No results found.',
    placeholder: frame.placeholder ?? 'Type to search',
  } as const
  if (field.multiple === true) {
    return (
      <MultiSelect
        {...shared}
        filter={({ options: all }) => all}
        value={chosen}
        onChange={(ids) => {
          remember(ids)
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
        if (id !== null) remember([id])
        onChange(id ?? '')
      }}
    />
  )
}
