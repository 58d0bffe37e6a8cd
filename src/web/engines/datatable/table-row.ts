import type { ReactNode } from 'react'
import type { Cell } from '#contract/datatable.ts'

/** What the engine knows of every row; the cells stand beside these under their column's `src`. */
export interface TableRow {
  id: string
  deleted_at: string | null
  is_new: boolean
}

/** How a feature draws some cells itself; every other cell shows its text. */
export type CellDrawings<R extends TableRow> = Readonly<Record<string, (row: R) => ReactNode>>

const EMPTY: Cell = { value: null, text: '' }
const isCell = (value: unknown): value is Cell =>
  typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'

/** The cell of a row; a plain value counts as a cell (decisions Q33). */
export function cellOf(row: TableRow, src: string): Cell {
  const value: unknown = Object.getOwnPropertyDescriptor(row, src)?.value
  if (isCell(value)) return value
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return { value, text: String(value) }
  return EMPTY
}

/** What a row is called in questions and names of controls. */
export const rowName = (row: TableRow, primary: string | undefined): string =>
  (primary === undefined ? '' : cellOf(row, primary).text) || 'this record'
