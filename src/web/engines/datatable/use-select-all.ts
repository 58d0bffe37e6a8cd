import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PAGE_SIZE_MAX } from '#contract/limits.ts'
import { queries, type ListedModel } from '#web/data/queries.ts'
import type { Selection } from './use-selection.ts'
import { showError } from '../show-error.ts'

export interface SelectAll {
  checked: boolean
  mixed: boolean
  label: string
  onChange: () => void
  /** More rows are selected than one page can hold: actions go by the filters then. */
  everything: boolean
}

/** Selects every row of the list as it is narrowed now, by fetching a page whose size is the total (S1 section 9). */
export function useSelectAll(
  model: ListedModel,
  query: Readonly<Record<string, string>>,
  rows: readonly { id: string }[],
  total: number,
  selection: Selection,
): SelectAll {
  const client = useQueryClient()
  const [fetched, setFetched] = useState(false)
  const checked = rows.length > 0 && selection.ids.size >= Math.min(total, PAGE_SIZE_MAX)
  const selectEverything = async () => {
    if (total <= rows.length) return selection.select(rows.map((row) => row.id))
    setFetched(true)
    try {
      const page = { ...query, page: '1', paginate: String(Math.min(total, PAGE_SIZE_MAX)) }
      const { data } = await client.query(queries.index(model, page))
      selection.select(data.map((row) => row.id))
    } catch (error) {
      showError(error)
    } finally {
      setFetched(false)
    }
  }
  return {
    checked,
    mixed: !checked && (fetched || selection.ids.size > 0),
    label: checked ? 'Clear the selection' : 'Select all',
    onChange: () => (checked ? selection.clear() : void selectEverything()),
    everything: checked && total > PAGE_SIZE_MAX,
  }
}
