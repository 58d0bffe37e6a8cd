import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { PAGE_SIZE_MAX } from '#contract/limits.ts'
import { queries } from '#web/data/queries.ts'
import { showError } from '../show-error.ts'
import { rowName } from './cells.tsx'
import type { List } from './list.ts'
import type { Target } from './row-commands.ts'

export type Selection = ReturnType<typeof useSelection>

/** The selected rows of a list. They stay selected on other pages. */
export function useSelection({ model, query, rows, meta, primary }: List) {
  const client = useQueryClient()
  const [ids, setIds] = useState<ReadonlySet<string>>(() => new Set())
  const [fetching, setFetching] = useState(false)
  const total = meta?.total ?? 0
  const checked = rows.length > 0 && ids.size >= Math.min(total, PAGE_SIZE_MAX)
  const everything = checked && total > PAGE_SIZE_MAX
  const selectedRow = rows.find((row) => ids.has(row.id))
  const target: Target = { ids: [...ids], name: selectedRow ? rowName(selectedRow, primary) : 'this record', everything }
  const clear = () => setIds(new Set())

  // Rows are memoized and get this function.
  const toggle = useCallback((id: string) => {
    setIds((current) => {
      const next = new Set(current)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])

  /** Selects all rows that match the filters, by fetching a page whose size is the total. */
  const selectAll = async () => {
    if (total <= rows.length) return setIds(new Set(rows.map((row) => row.id)))
    setFetching(true)
    try {
      const page = { ...query, page: '1', paginate: String(Math.min(total, PAGE_SIZE_MAX)) }
      const { data } = await client.query(queries.index(model, page))
      setIds(new Set(data.map((row) => row.id)))
    } catch (error) {
      showError(error)
    } finally {
      setFetching(false)
    }
  }
  return {
    ids,
    count: everything ? total : ids.size,
    target,
    toggle,
    clear,
    all: {
      checked,
      mixed: !checked && (fetching || ids.size > 0),
      label: checked ? 'Clear the selection' : 'Select all',
      onChange: () => (checked ? clear() : void selectAll()),
    },
  }
}
