import type { Cell, Row } from './sheet.ts'

/** A row as JSON: an array of its values by column, the empty ones null. */
export interface RowText {
  number: number
  hidden: boolean
  /** Nothing in it but white space. */
  isBlank: boolean
  json: string
}

/** What a cell says, in a form that can be stored: dates as YYYY-MM-DD, errors by their text, no NUL and no half characters. */
export function plainValue(cell: Cell): string | number | boolean | null {
  if (cell.date !== undefined) return cell.date.slice(0, 10)
  const value = cell.kind === 'error' ? cell.text : cell.value
  return typeof value === 'string' ? value.replaceAll('\u0000', '').toWellFormed() : value
}

/** False for a formula whose result the file does not hold. */
export const hasOwnResult = (cell: Cell): boolean =>
  cell.formula === undefined || cell.date !== undefined || (!cell.computed && cell.value !== null)

/** Undefined for a row with a formula that the file holds no result of: what that means is for the reader to say. */
export function textOf(row: Row): RowText | undefined {
  const values: (string | number | boolean | null)[] = []
  let isBlank = true
  for (const cell of row.cells) {
    if (!hasOwnResult(cell)) return undefined
    while (values.length < cell.column) values.push(null)
    const value = plainValue(cell)
    values[cell.column - 1] = value
    isBlank &&= typeof value === 'string' ? !/\S/.test(value) : value === null
  }
  return { number: row.number, hidden: row.hidden, isBlank, json: JSON.stringify(values) }
}
