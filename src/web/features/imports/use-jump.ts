import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Import, IssueGroup } from '#contract/imports.ts'
import { ROWS_PAGE, importQueries } from './import-queries.ts'
import type { Chosen } from './sheet-selection.ts'

/** Leads to the first cell that an issue is about, and with every further call to the next one, around again after the last. */
export function useJump(data: Import, onChoose: (chosen: Chosen) => void): (group: IssueGroup) => Promise<void> {
  const client = useQueryClient()
  const last = useRef<{ group: string; row: number } | null>(null)
  return async (group) => {
    const key = `${group.code} ${group.severity} ${group.column ?? ''} ${group.field ?? ''}`
    const after = last.current?.group === key && group.count > 1 ? last.current.row : null
    const row = (after === null ? null : await nextRow(client, data, group, after)) ?? group.first_row - 1
    last.current = { group: key, row }
    const column = data.columns.findIndex(({ letter }) => letter === group.column)
    onChoose({ row, column: column === -1 ? null : column })
  }
}

/** The next row, counted from 0, that has the issue; null after the last one. */
async function nextRow(
  client: QueryClient,
  data: Import,
  { code, severity, column, field }: IssueGroup,
  after: number,
): Promise<number | null> {
  const lastPage = Math.ceil(data.total / ROWS_PAGE)
  for (let page = Math.floor((after + 1) / ROWS_PAGE) + 1; page <= lastPage; page += 1) {
    const { data: rows } = await client.query(importQueries.rows(data.id, page))
    const found = rows.findIndex(
      (row, index) =>
        (page - 1) * ROWS_PAGE + index > after &&
        row.issues.some((issue) => issue.code === code && issue.severity === severity && issue.column === column && issue.field === field),
    )
    if (found !== -1) return (page - 1) * ROWS_PAGE + found
  }
  return null
}
