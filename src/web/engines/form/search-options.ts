import type { OptionsFilter } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PROPERTY_SEARCH_SIZE, SEARCH_DEBOUNCE_MS, SEARCH_GROUP_SIZE } from '#contract/limits.ts'
import { queries, type SearchedModel } from '#web/data/queries.ts'

/** The server has already filtered them. */
const unfiltered: OptionsFilter = ({ options }) => options

/** Options of a select that are found by typing, loaded once it is open; with `accountId` only those of one account. */
export function useSearchOptions(model: SearchedModel, accountId?: string) {
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
    select: { searchable: true, filter: unfiltered, onSearchChange: setTyped, onDropdownOpen: () => setOpened(true) },
  } as const
}
