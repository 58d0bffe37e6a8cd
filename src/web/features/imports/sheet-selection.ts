import { useRef } from 'react'
import type { ImportRow } from '#contract/import-rows.ts'
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
const nextRow = (data: Import, group: IssueGroup, after: number) =>
  findRow(data, after, 1, ({ issues }) => issues.some((issue) => issueKey(issue) === issueKey(group)))

/** Selects the next (1) or previous (-1) row with an issue, at its first marked cell. */
export function useSelectMarked(data: Import, selected: SheetSelection | null, onSelect: (selection: SheetSelection) => void) {
  return async (step: 1 | -1) => {
    const from = selected?.row ?? (step === 1 ? -1 : data.sheet_rows)
    const row = await findRow(data, from, step, ({ issues }) => issues.length > 0)
    if (row === null) return
    const { data: rows } = await queryClient.query(importQueries.rows(data.id, Math.floor(row / ROWS_PAGE) + 1))
    const letter = rows[row % ROWS_PAGE]?.issues[0]?.column
    const column = data.columns.findIndex((one) => one.letter === letter)
    onSelect({ row, column: column === -1 ? null : column })
  }
}

/** The nearest row after (1) or before (-1) another that fulfills a condition, counted from 0; null if there is none. */
export async function findRow(data: Import, from: number, step: 1 | -1, condition: (row: ImportRow) => boolean): Promise<number | null> {
  const first = from + step
  for (let page = Math.floor(first / ROWS_PAGE); page >= 0 && page * ROWS_PAGE < data.sheet_rows; page += step) {
    const { data: rows } = await queryClient.query(importQueries.rows(data.id, page + 1))
    const offset = page * ROWS_PAGE
    const fits = (row: ImportRow, index: number) => (offset + index - from) * step > 0 && condition(row)
    const found = step === 1 ? rows.findIndex(fits) : rows.findLastIndex(fits)
    if (found !== -1) return offset + found
  }
  return null
}
