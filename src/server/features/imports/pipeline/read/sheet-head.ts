import type { Area, SheetLayout } from '#server/engines/spreadsheet/sheet.ts'
import type { SheetRow } from './cells.ts'

/** The first rows of a sheet. */
export interface SheetHead {
  index: number
  name: string
  hidden: boolean
  /** Number of rows that are not blank. */
  rows: number
  head: readonly SheetRow[]
  merges: readonly Area[]
  /** Counted from 1. */
  hiddenColumns?: readonly number[]
  struckRows?: readonly number[]
  widths?: Readonly<SheetLayout['widths']>
  /** Share of the cells with a formula that refers to another sheet. */
  references?: number
}

export const EMPTY_LAYOUT = {
  rows: 0,
  lastFilledRow: 0,
  merges: [],
  hiddenColumns: [],
  struckRows: [],
  widths: [],
  references: 0,
} as const

export const sheetFacts = ({ filledRows, lastFilledRow, merges, hiddenColumns, struckRows, widths, cells, references }: SheetLayout) => ({
  rows: filledRows,
  lastFilledRow,
  merges,
  hiddenColumns,
  struckRows,
  widths,
  references: references / Math.max(1, cells),
})
