import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PROPERTY_SEARCH_SIZE, SEARCH_DEBOUNCE_MS } from '#contract/limits.ts'
import { searchCalls, type Found } from '#contract/search.ts'
import { api } from '#web/data/client.ts'
import { isApiError } from '#web/data/errors.ts'
import classes from './property-picker.module.css'

/** The address of each chosen property by its id, so that a chip keeps its words. */
export type ChosenProperties = Readonly<Record<string, string>>

interface PropertyPickerProps {
  accountId: string
  label: string
  value: ChosenProperties
  disabled?: boolean
  onChange: (value: ChosenProperties) => void
}

/** Properties of one account, found by typing an address, a name or a location number. */
export function PropertyPicker({ accountId, label, value, disabled = false, onChange }: PropertyPickerProps) {
  const [typed, setTyped] = useState('')
  const [opened, setOpened] = useState(false)
  const [search] = useDebouncedValue(typed, SEARCH_DEBOUNCE_MS)
  const found = useQuery({
    queryKey: ['search', 'account_properties', 'picker', accountId, search],
    queryFn: ({ signal }) => findProperties(accountId, search, signal),
    enabled: opened,
    placeholderData: keepPreviousData,
  })
  const words = {
    ...Object.fromEntries((found.data ?? []).map((one) => [one.id, one.name])),
    ...value,
  }
  return (
    <MultiSelect
      label={label}
      placeholder={Object.keys(value).length === 0 ? 'Type an address or name' : ''}
      searchable
      classNames={{ inputField: classes['field'] ?? '' }}
      hidePickedOptions
      disabled={disabled}
      value={Object.keys(value)}
      data={Object.entries(words).map(([id, text]) => ({ value: id, label: text }))}
      filter={({ options }) => options}
      nothingFoundMessage={found.isFetching || search !== typed ? 'Searching…' : 'No property of this account matches.'}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpened(true)}
      onChange={(ids) => onChange(Object.fromEntries(ids.map((id) => [id, words[id] ?? id])))}
    />
  )
}

/** Nothing found answers 404 (S0 section 7), which here is an empty list. */
async function findProperties(accountId: string, search: string, signal: AbortSignal): Promise<Found[]> {
  try {
    return (await api(searchCalls.properties, { query: { search, paginate: PROPERTY_SEARCH_SIZE, filter__account_id: accountId }, signal }))
      .data
  } catch (error) {
    if (isApiError(error) && error.kind === 'not_found') return []
    throw error
  }
}
