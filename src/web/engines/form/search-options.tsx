import { Text, type ComboboxItem, type OptionsFilter } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SEARCH_DEBOUNCE_MS } from '#contract/limits.ts'
import { choicesOf, queries, type SearchedModel } from '#web/data/queries.ts'

/** The server has already filtered them. */
const unfiltered: OptionsFilter = ({ options }) => options

/** Names of records by id. */
export type Labels = Readonly<Record<string, string>>

/**
 * Options of a select that are found by typing, loaded once it is open; with `accountId` only those of one account. While the typed text
 * has no results yet, the previous options are disabled, so that neither Enter nor a click chooses a record of an older search.
 * @param chosen the labels of the chosen records, since later results may not include them
 */
export function useSearchOptions(model: SearchedModel, chosen: Labels, accountId?: string) {
  const [typed, setTyped] = useState('')
  const [opened, setOpened] = useState(false)
  const [search] = useDebouncedValue(typed, SEARCH_DEBOUNCE_MS)
  const query = useQuery({
    ...queries.search(model, search, choicesOf(model), accountId),
    enabled: opened,
    placeholderData: keepPreviousData,
  })
  const found = query.data ?? []
  const isSearching = query.isLoading || query.isPlaceholderData || search !== typed
  const labels: Labels = { ...Object.fromEntries(found.map(({ id, name }) => [id, name])), ...chosen }
  const details = new Map(found.map(({ id, detail }) => [id, detail]))
  return {
    labels,
    select: {
      data: Object.entries(labels).map(([value, label]) => ({ value, label, disabled: isSearching })),
      searchable: true,
      filter: unfiltered,
      onSearchChange: setTyped,
      onDropdownOpen: () => setOpened(true),
      nothingFoundMessage: isSearching ? 'Searching…' : 'No results found.',
      renderOption: ({ option }: { option: ComboboxItem }) => <Option name={option.label} detail={details.get(option.value) ?? ''} />,
    },
  } as const
}

const Option = ({ name, detail }: { name: string; detail: string }) => (
  <span>
    {name}
    {detail !== '' && (
      <Text span display="block" size="sm" c="dimmed">
        {detail}
      </Text>
    )}
  </span>
)
