import { IMPORT_SAMPLE_CELLS } from '#contract/limits.ts'
import { evaluateFormula } from '#server/engines/spreadsheet/formula/evaluate-formula.ts'
import { type RowText, amountText, hasOwnResult, plainValue } from '#server/engines/spreadsheet/read/row-text.ts'
import type { Cell as EngineCell, Row as EngineRow } from '#server/engines/spreadsheet/sheet.ts'
import { withoutCurrency } from './amount-notation.ts'

/** A value as it is written: a text without a meaning such as that of "same" or "N/A", or a share that is not rounded. */
export type LiteralCell = { literal: string | number }
/** A staged cell: dates are YYYY-MM-DD; `formula` is a formula without a known result. */
export type Cell = string | number | boolean | null | { formula: string } | LiteralCell

export const isLiteral = (cell: Cell | undefined): cell is LiteralCell => typeof cell === 'object' && cell !== null && 'literal' in cell

/** A row of a sheet; `cells[0]` is column A, empty cells are null. */
export interface SheetRow {
  /** 1-based, as the spreadsheet program shows it. */
  number: number
  hidden: boolean
  cells: readonly Cell[]
}

/** Leading, trailing or doubled white space, or white space other than a space. */
const UNTIDY = /^\s|\s$|\s\s|[^\S ]/

export function cellText(cell: Cell | undefined): string {
  if (isLiteral(cell)) return cellText(cell.literal)
  if (typeof cell === 'string') return UNTIDY.test(cell) ? cell.replace(/\s+/g, ' ').trim() : cell
  return cell === undefined || typeof cell === 'object' ? '' : String(cell)
}

const FORMULA_ERROR = /^#(n\/a|(ref|value|div\/0|num|null|spill|calc|field|blocked|connect|busy|unknown)!|name\?|getting_data)$/i

/** Whether a text is what a spreadsheet program shows for a formula that failed: #REF!, #NAME?, #DIV/0!. */
export const isFormulaError = (text: string): boolean => FORMULA_ERROR.test(text)

/** A year of this or the last century and nothing else. */
export const isYear = (text: string): boolean => /^(19|20)\d\d$/.test(text)

const LINE_BREAK = /[,;]?\s*[\r\n\u2028]\s*/g

/** The text of a cell whose lines may be parts of an address, with a comma instead of each line break. */
export const lineText = (cell: Cell | undefined): string =>
  cellText(typeof cell === 'string' ? cell.trim().replace(LINE_BREAK, ', ') : cell)

export const isFilled = (cell: Cell | undefined): boolean =>
  isLiteral(cell) ? isFilled(cell.literal) : typeof cell === 'string' ? /\S/.test(cell) : cell !== null && cell !== undefined

export const isNumeric = (cell: Cell | undefined): boolean =>
  typeof cell === 'number' || (typeof cell === 'object' && cell !== null && !isLiteral(cell))

/** A row of the spreadsheet engine as it is staged: one plain value per cell; formulas without a stored result are evaluated if possible. */
export function toRowText(row: RowText | EngineRow): RowText {
  if ('json' in row) return row
  const cells = evaluatedCells(row)
  return { number: row.number, hidden: row.hidden, isBlank: !cells.some(isFilled), json: JSON.stringify(cells) }
}

export const parseRowText = ({ number, hidden, json }: RowText): SheetRow => ({ number, hidden, cells: JSON.parse(json) })

function evaluatedCells(row: EngineRow): Cell[] {
  // Columns without a cell become null in JSON.
  const cells: Cell[] = []
  for (const cell of row.cells) cells[cell.column - 1] = evaluatedCell(cell, row)
  return cells
}

function evaluatedCell(cell: EngineCell, row: EngineRow): Cell {
  if (cell.formula === undefined || hasOwnResult(cell)) return plainValue(cell)
  const result = evaluateFormula(cell.formula, (column, number) => amountAt(row, column, number)) ?? cell.value
  if (typeof result === 'number') return amountText(result, cell)
  return result ?? { formula: `=${cell.formula.replace(/^=/, '')}` }
}

/** Amounts typed as text (`$1,234`) count as amounts, although a spreadsheet program leaves them out of a sum. Undefined if not known. */
function amountAt(row: EngineRow, column: number, number: number): string | number | boolean | null | undefined {
  if (number !== row.number) return undefined
  const cell = row.cells.find((other) => other.column === column)
  const value = cell?.value ?? null
  if (value === null && cell?.formula !== undefined) return undefined
  // A formula with a part that failed fails, too.
  if (cell?.kind === 'error' || (typeof value === 'string' && isFormulaError(value))) return undefined
  return typeof value === 'string' ? (parseNumber(value.replace(/\$/g, ''), false) ?? 0) : value
}

/** A single group of three digits after a dot is ambiguous: 1.125 may be a height. */
const EUROPEAN = /^-?\d{1,3}(\.\d{3}){2,}(,\d+)?$|^-?\d{1,3}(\.\d{3})+,(?!\d{3}$)\d+$|^-?\d+,\d{1,2}$|^-?\d{4,},\d+$|^-?0,\d+$/
const AMERICAN = /^-?(?!0,)\d{1,3}(,\d{3})+(\.\d+)?$|^-?\d+\.\d{1,2}$|^-?\d{1,3}(?:['’ʼ´`]\d{3})+\.\d{1,2}$/

export const looksEuropean = (text: string): boolean => SEPARATOR.test(text) && EUROPEAN.test(bare(text)) && !AMERICAN.test(bare(text))
export const looksAmerican = (text: string): boolean => SEPARATOR.test(text) && AMERICAN.test(bare(text))

/** A single group of three digits after a comma, which may be decimals where other numbers of the column have a decimal comma. */
export const hasUnclearComma = (text: string): boolean => SEPARATOR.test(text) && /^-?[1-9]\d{0,2},\d{3}$/.test(bare(text))

/** Neither notation shows without one. This test is faster than the others, which every cell of a file would take. */
const SEPARATOR = /[.,]/
const bare = (text: string) => withoutCurrency(text).replace(/[\p{Sc}\s]/gu, '')

/** Most texts of a file are no numbers, which this test shows faster than the others. */
const NOT_IN_NUMBERS = /[^\d.,+\-−–e()'’ʼ´`\s]/i

/** Whether a sign follows another one somewhere. A pattern takes too long for a long text. */
const isAfter = (sign: string, other: string, text: string): boolean => text.includes(other) && text.lastIndexOf(sign) > text.indexOf(other)

/** Lakhs and crores: groups of two digits above the thousands. */
const INDIAN = /^[+-]?\d{1,2}(,\d{2})+,\d{3}(\.\d+)?$/

const MARKED_GROUPS = /^[+-]?\d{1,3}(?:[\s\u00a0'’ʼ´`]\d{3})+[.,]\d{1,2}$/
const DECIMAL_DOT = /^[+-]?\d+\.\d{1,2}$/

/** The number in a text, `1,234.5`, `1,25,00,000` or (European) `1.234,5`; parentheses mean negative. Undefined when the text is not a number. */
export function parseNumber(text: string, european: boolean): number | undefined {
  if (NOT_IN_NUMBERS.test(text)) return undefined
  const trimmed = text.trim()
  const inParentheses = /^\((.+)\)$/.exec(trimmed)
  const body = (inParentheses?.[1] ?? trimmed).replace(/[\s\u00a0'’ʼ´`]/g, '').replace(/[−–]/g, '-')
  // `1.000,000` is written in neither notation, and `0,850` has a decimal comma.
  if (european ? isAfter('.', ',', body) : isAfter(',', '.', body) || /^[+-]?0,/.test(body)) return undefined
  // After other marks between thousands, the last one separates decimals in any column: `12'500'000.00`.
  const isMarked = MARKED_GROUPS.test(inParentheses?.[1] ?? trimmed)
  // Dots before two digits separate no thousands.
  if (european && !isMarked && DECIMAL_DOT.test(body)) return undefined
  const plain = isMarked
    ? body.replace(',', '.')
    : european
      ? body.replace(/\./g, '').replace(',', '.')
      : body.replace(INDIAN.test(body) ? /,/g : /,(?=\d{3}(\D|$))/g, '')
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return undefined
  const value = Number(plain)
  return inParentheses ? -value : value
}

/** `1985.0` as `1985`: spreadsheets print whole numbers with decimals. */
export const withoutDecimals = (text: string): string => text.replace(/^(\d+)\.0+$/, '$1')

/** Spread over the whole column, since its top may differ from the rest. */
export function sampleOf(cells: readonly Cell[]): readonly Cell[] {
  if (cells.length <= IMPORT_SAMPLE_CELLS) return cells
  const step = cells.length / IMPORT_SAMPLE_CELLS
  return Array.from({ length: IMPORT_SAMPLE_CELLS }, (_, index) => cells[Math.floor(index * step)] ?? null)
}

const SAMPLED_CELLS = 400

/** Collects filled cells of one column, spread over its whole length, in bounded memory. */
export function sampleColumn() {
  let cells: Cell[] = []
  let stride = 1
  let filled = 0
  const add = (cell: Cell | undefined) => {
    if (cell === undefined || !isFilled(cell)) return
    if (filled % stride === 0) cells.push(cell)
    filled += 1
    if (cells.length < SAMPLED_CELLS * 2) return
    cells = cells.filter((_, index) => index % 2 === 0)
    stride *= 2
  }
  return { add, cells: () => cells, filled: () => filled }
}
