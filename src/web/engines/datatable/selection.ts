import { useSelection as useIds } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { PAGE_SIZE_MAX } from '#contract/limits.ts'
import { queries } from '#web/data/queries.ts'
import { showError } from '../show-error.ts'
import { rowName } from './cells.tsx'
import type { List } from './list.ts'
import type { Target } from './row-commands.ts'

export type Selection = ReturnType<typeof useSelection>

/** The selected rows of a list. They stay selected on other pages. */
export function useSelection({ model, query, rows, meta, columns }: List) {
  const client = useQueryClient()
  const [selected, { toggle, setSelection, resetSelection: clear }] = useIds({ data: rows.map((row) => row.id), defaultSelection: [] })
  const ids = new Set(selected)
  const total = meta?.total ?? 0
  const checked = rows.length > 0 && ids.size >= Math.min(total, PAGE_SIZE_MAX)
  const everything = checked && total > PAGE_SIZE_MAX
  const selectedRow = rows.find((row) => ids.has(row.id))
  const target: Target = { ids: selected, name: selectedRow ? rowName(selectedRow, columns) : 'this record', everything }
  /** Selects all rows that match the filters, by fetching a page whose size is the total. */
  const { mutate: selectAll, isPending: fetching } = useMutation({
    mutationFn: async () => {
      const page = { ...query, page: '1', paginate: String(Math.min(total, PAGE_SIZE_MAX)) }
      return total <= rows.length ? rows : (await client.query(queries.index(model, page))).data
    },
    onSuccess: (found) => setSelection(found.map((row) => row.id)),
    onError: (error) => showError(error),
  })
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
      onChange: () => (checked ? clear() : selectAll()),
    },
  }
}
