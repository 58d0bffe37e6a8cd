import type { Cell, Row } from '../sheet.ts'

/** A row as JSON: an array of its values by column, the empty ones null. */
export interface RowText {
  number: number
  hidden: boolean
  /** Whether it holds only white space. */
  isBlank: boolean
  /** It has cells in columns beyond those that were read. */
  isCut?: true
  json: string
}

type PlainValue = string | number | boolean | null | { literal: string | number }

/** The value of a cell in a form that a database can store: dates as YYYY-MM-DD, errors as their text, no NUL, no lone surrogates. */
export function plainValue(cell: Cell): PlainValue {
  if (cell.date !== undefined) return cell.date.slice(0, 10)
  const value = cell.kind === 'error' ? cell.text : cell.value
  if (typeof value === 'number') return cell.literal === true ? { literal: value } : amountText(value, cell)
  if (typeof value !== 'string') return value
  const text = value.replaceAll('\u0000', '').toWellFormed()
  return cell.literal === true ? { literal: text } : text
}

function isBlankValue(value: PlainValue): boolean {
  if (typeof value === 'object') return value === null || isBlankValue(value.literal)
  return typeof value === 'string' && !/\S/.test(value)
}

/** Three decimals could be read as thousands. */
const DECIMALS = /^-?\d+\.\d{3}$/

/** A number with the currency and the multiple that its format shows, which would be lost otherwise: `€ 250`, `1250K`. */
export function amountText(value: number, { currency, multiple }: Pick<Cell, 'currency' | 'multiple'>): string | number {
  if (currency === undefined && multiple === undefined) return value
  const digits = String(value)
  const amount = `${DECIMALS.test(digits) ? `${digits}0` : digits}${value === 0 ? '' : suffixOf(multiple)}`
  return currency === undefined ? amount : `${currency} ${amount}`
}

const suffixOf = (multiple = 1): string => (multiple === 1 ? '' : multiple === 1_000 ? 'K' : 'M')

/** False for a formula without a stored result. */
export const hasOwnResult = (cell: Cell): boolean =>
  cell.formula === undefined || cell.date !== undefined || (!cell.computed && cell.value !== null)

/** Undefined for a row with a formula without a stored result; the import decides how to evaluate it. */
export function rowText(row: Row): RowText | undefined {
  const values: PlainValue[] = []
  let isBlank = true
  for (const cell of row.cells) {
    if (!hasOwnResult(cell)) return undefined
    while (values.length < cell.column) values.push(null)
    const value = plainValue(cell)
    values[cell.column - 1] = value
    isBlank &&= isBlankValue(value)
  }
  return { number: row.number, hidden: row.hidden, isBlank, ...(row.isCut && { isCut: row.isCut }), json: JSON.stringify(values) }
}

/** The values of a row by column as text. Empty for a formula without a result. */
export function shownValues(row: RowText | Row): string[] {
  const values: (PlainValue | undefined)[] = 'json' in row ? JSON.parse(row.json) : []
  if ('cells' in row) for (const cell of row.cells) values[cell.column - 1] = plainValue(cell)
  // `from` also visits columns without a cell.
  return Array.from(values, (value) => {
    const shown = typeof value === 'object' ? value?.literal : value
    return shown === undefined ? '' : String(shown)
  })
}
