/** One cell with content. Rows are sparse: there are no empty cells. */
export interface Cell {
  /** Counted from 1. */
  column: number
  kind: 'text' | 'number' | 'boolean' | 'date' | 'formula' | 'error'
  /** Text untrimmed; dates as ISO text; null for an error and for a formula without a result. */
  value: string | number | boolean | null
  /** As displayed where the display carries meaning (dates in ISO, percents, zero-padded codes), untrimmed. */
  text: string
  formula?: string
  /** The file held no result: `value` was evaluated from the other cells. */
  computed?: true
  /** ISO date of a cell or formula with a date format. */
  date?: string
  /** The stored number of `date`, for columns whose date format is a mistake. */
  serial?: number
  /** Shown as a percentage; `value` is the share as stored (0.5 for 50%). */
  percent?: true
  /** The currency of the number format, as a sign or a code. */
  currency?: string
  /** How many units the number counts by its format: 1000 if it is shown as `1,250K`. */
  multiple?: number
  /** A text or number in the style LITERAL_STYLE. */
  literal?: true
}

/**
 * The name of the cell style of values as they are written, in workbooks that the product writes. An import of such a cell reads no mark
 * such as "same" or "N/A" in a text, and does not round a share. The number is raised if this changes its meaning.
 */
export const LITERAL_STYLE = 'Exported value 1'

/** A row with at least one cell, which may have been left out. Blank rows are left out: `number` skips them. */
export interface Row {
  /** Counted from 1, as the spreadsheet program shows it. */
  number: number
  hidden: boolean
  cells: Cell[]
  /** It has cells in columns beyond those that were read. */
  isCut?: true
  /** In delimited text: how many values the line has, the empty ones at its end included. */
  width?: number
}

/** Rows and columns counted from 1, both ends included. */
export type Area = { top: number; left: number; bottom: number; right: number }

interface Sheet {
  /** Counted from 0, in the order of the tabs. */
  index: number
  name: string
  hidden: boolean
}

export type Workbook = { kind: 'xlsx' | 'csv'; sheets: Sheet[] }

/** Facts that are complete only at the end of a sheet. */
export interface SheetLayout {
  /** Rows with more than white space, and the last of them. */
  filledRows: number
  lastFilledRow: number
  lastRow: number
  lastColumn: number
  merges: Area[]
  /** Numbers of the hidden columns, counted from 1. */
  hiddenColumns: number[]
  /** Numbers of the rows whose text is struck through. */
  struckRows: number[]
  /** The widths of the first rows of delimited text: only these show how many columns an unfilled header has. */
  widths: { row: number; width: number }[]
  /** Cells with content, and those of them with a formula that refers to another sheet. */
  cells: number
  references: number
}

export type SheetPart = { part: 'rows'; sheet: number; rows: Row[] } | { part: 'layout'; sheet: number; layout: SheetLayout }

/** A file opened for reading on this thread; `close` releases it. */
export interface OpenWorkbook {
  workbook: Workbook
  read(index: number, maxRows: number): AsyncGenerator<SheetPart>
  close(): void
}

/** 1 becomes A, 28 becomes AB. */
export function columnLetters(column: number): string {
  let letters = ''
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  }
  return letters
}

/** The column of a reference such as `AB12` or `$AB$12`, counted from 1; 0 without letters. */
export function columnOf(reference: string): number {
  let column = 0
  for (let at = 0; at < reference.length; at++) {
    const code = reference.charCodeAt(at) & ~32
    if (code >= 65 && code <= 90) column = column * 26 + code - 64
    else if (reference[at] !== '$') break
  }
  return column
}

/** The row of a reference such as `AB12`; 0 when there is none. */
export const rowOf = (reference: string): number => Number(/\d+$/.exec(reference)?.[0] ?? 0)

/** `B2:D9` or a single `B2`; undefined when it is neither. */
export function areaOf(reference: string): Area | undefined {
  const [first = '', last = first] = reference.split(':')
  const area = { top: rowOf(first), left: columnOf(first), bottom: rowOf(last), right: columnOf(last) }
  return area.top && area.left && area.bottom && area.right ? area : undefined
}
