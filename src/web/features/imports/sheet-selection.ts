import { useRef } from 'react'
import type { Import, IssueGroup } from '#contract/imports.ts'
import { queryClient } from '#web/data/query-client.ts'
import { ROWS_PAGE, importQueries } from './use-import.ts'

/** The selected cell, or the whole row if `column` is null. Both are counted from 0. */
export interface SheetSelection {
  row: number
  column: number | null
}

/** The id of the element of a cell, or of the head of a row. */
export const cellId = ({ row, column }: SheetSelection): string => `cell-${row}-${column ?? 'row'}`

const ROW_STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, PageUp: -20, PageDown: 20 }

/** The selection after a key, or null for a key that doesn't move it. To the left of the first cell is the row itself. */
export function moveSelection({ row, column }: SheetSelection, key: string, rows: number, columns: number): SheetSelection | null {
  const step = ROW_STEPS[key]
  if (step !== undefined) return { row: Math.max(0, Math.min(rows - 1, row + step)), column }
  if (key === 'ArrowLeft') return { row, column: column === null || column === 0 ? null : column - 1 }
  if (key === 'ArrowRight') return { row, column: column === null ? 0 : Math.min(columns - 1, column + 1) }
  if (key === 'Home') return { row, column: 0 }
  return key === 'End' ? { row, column: columns - 1 } : null
}

/** Selects the first cell with an issue, and with each further call the next one, starting over after the last. */
export function useSelectIssue(data: Import, onSelect: (selection: SheetSelection) => void): (group: IssueGroup) => Promise<void> {
  const last = useRef<{ group: string; row: number } | null>(null)
  return async (group) => {
    const key = issueKey(group)
    const after = last.current?.group === key && group.count > 1 ? last.current.row : null
    const row = (after === null ? null : await nextRow(data, group, after)) ?? group.first_row - 1
    last.current = { group: key, row }
    const column = data.columns.findIndex(({ letter }) => letter === group.column)
    onSelect({ row, column: column === -1 ? null : column })
  }
}

/** Identifies a group of issues; also computed for a single issue, to find the rows of a group. */
export const issueKey = ({ code, severity, column, field }: Pick<IssueGroup, 'code' | 'severity' | 'column' | 'field'>): string =>
  `${code} ${severity} ${column ?? ''} ${field ?? ''}`

/** The next row that has the issue, counted from 0; null after the last one. */
async function nextRow(data: Import, group: IssueGroup, after: number): Promise<number | null> {
  const lastPage = Math.ceil(data.sheet_rows / ROWS_PAGE)
  for (let page = Math.floor((after + 1) / ROWS_PAGE) + 1; page <= lastPage; page += 1) {
    const { data: rows } = await queryClient.query(importQueries.rows(data.id, page))
    const offset = (page - 1) * ROWS_PAGE
    const found = rows.findIndex(({ issues }, index) => offset + index > after && issues.some((one) => issueKey(one) === issueKey(group)))
    if (found !== -1) return offset + found
  }
  return null
}
