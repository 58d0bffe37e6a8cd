import { IMPORT_MAX_COLUMNS } from '#contract/limits.ts'
import { IMPORT_FORMULA_VISITS } from '#contract/reading-limits.ts'
import { areaOf, columnLetters, columnOf, rowOf, type Cell } from '../sheet.ts'

const FORMULA_MAX_CHARACTERS = 8_192
const DEPTH_MAX = 64
const TOKEN = /\s*(?:(\$?[A-Z]{1,3}\$?\d{1,7})(?![\w(!])|(\d+(?:\.\d*)?(?:E[+-]?\d+)?|\.\d+)(?![\w.])|(SUM)\s*(?=\()|([-+*/(),:]))/iy

type Token = { reference: string } | { number: number } | { sign: string }

/** The value of a cell: null when empty, undefined when unknown. Column and row counted from 1. */
export type GetCell = (column: number, row: number) => string | number | boolean | null | undefined

type Reader = { tokens: Token[]; at: number; depth: number; getCell: GetCell }

/** The value of a part without a result; every calculation with it has none either. */
const NO_RESULT = Number.NaN

/**
 * Evaluates `SUM` over ranges and lists, `+ - * /`, parentheses and numbers over cells of the same sheet, with the
 * rules of spreadsheets: SUM skips text, arithmetic with text has no result, an empty cell is 0.
 * @returns undefined when the formula uses anything else or needs a cell whose value is unknown.
 */
export function evaluateFormula(formula: string, getCell: GetCell): number | undefined {
  const reader: Reader = { tokens: tokenize(formula.replace(/^\s*=/, '')), at: 0, depth: 0, getCell }
  const result = readSum(reader)
  return reader.at === reader.tokens.length && Number.isFinite(result) ? result : undefined
}

/** No tokens for a text that is not a formula of this kind. */
function tokenize(formula: string): Token[] {
  const tokens: Token[] = []
  const text = formula.trimEnd()
  if (formula.length > FORMULA_MAX_CHARACTERS) return []
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length;) {
    const match = TOKEN.exec(text)
    if (!match) return []
    const [, reference, number, sum, sign = ''] = match
    if (reference !== undefined) tokens.push({ reference: reference.replaceAll('$', '').toUpperCase() })
    else if (number !== undefined) tokens.push({ number: Number(number) })
    else tokens.push({ sign: sum === undefined ? sign : 'SUM' })
  }
  return tokens
}

function takeSign(reader: Reader, ...signs: string[]): string | undefined {
  const token = reader.tokens[reader.at]
  if (!token || !('sign' in token) || !signs.includes(token.sign)) return undefined
  reader.at++
  return token.sign
}

function readSum(reader: Reader): number {
  let total = readProduct(reader)
  for (let sign = takeSign(reader, '+', '-'); sign; sign = takeSign(reader, '+', '-')) {
    total += sign === '+' ? readProduct(reader) : -readProduct(reader)
  }
  return total
}

function readProduct(reader: Reader): number {
  let product = readFactor(reader)
  for (let sign = takeSign(reader, '*', '/'); sign; sign = takeSign(reader, '*', '/')) {
    if (sign === '*') product *= readFactor(reader)
    else product /= readFactor(reader)
  }
  return product
}

function readFactor(reader: Reader): number {
  if (++reader.depth > DEPTH_MAX) return NO_RESULT
  const value = readUnsignedFactor(reader)
  reader.depth--
  return value
}

function readUnsignedFactor(reader: Reader): number {
  if (takeSign(reader, '+')) return readFactor(reader)
  if (takeSign(reader, '-')) return -readFactor(reader)
  if (takeSign(reader, 'SUM')) return takeSign(reader, '(') ? readList(reader) : NO_RESULT
  if (takeSign(reader, '(')) {
    const value = readSum(reader)
    return takeSign(reader, ')') ? value : NO_RESULT
  }
  const token = reader.tokens[reader.at++]
  if (!token || 'sign' in token) return NO_RESULT
  if ('number' in token) return token.number
  const value = reader.getCell(columnOf(token.reference), rowOf(token.reference))
  return typeof value === 'number' || value === null ? Number(value) : NO_RESULT
}

function readList(reader: Reader): number {
  let total = 0
  do {
    const area = takeArea(reader)
    total += area === undefined ? readSum(reader) : sumArea(area, reader.getCell)
  } while (takeSign(reader, ','))
  return takeSign(reader, ')') ? total : NO_RESULT
}

/** A range, or a single reference: SUM skips text in both. */
function takeArea(reader: Reader): string | undefined {
  const [first, next, last] = reader.tokens.slice(reader.at, reader.at + 3)
  if (!first || !('reference' in first) || !next || !('sign' in next)) return undefined
  if (next.sign === ':' && last && 'reference' in last) {
    reader.at += 3
    return `${first.reference}:${last.reference}`
  }
  if (next.sign !== ',' && next.sign !== ')') return undefined
  reader.at++
  return first.reference
}

function sumArea(reference: string, getCell: GetCell): number {
  const area = areaOf(reference)
  if (!area) return NO_RESULT
  let total = 0
  for (let row = Math.min(area.top, area.bottom); row <= Math.max(area.top, area.bottom); row++) {
    for (let column = Math.min(area.left, area.right); column <= Math.max(area.left, area.right); column++) {
      const value = getCell(column, row)
      if (value === undefined) return NO_RESULT
      if (typeof value === 'number') total += value
    }
  }
  return total
}

export type SharedFormula = { formula: string; row: number; column: number }

const MOVABLE_PART = /"[^"]*"|'[^']*'!|(?<![\w.$])(\$?)([A-Z]{1,3})(\$?)(\d{1,7})(?![\w(!.])/gi

/** The formula of a cell that shares the formula of another: relative references move by the distance between the two. */
export function moveFormula(shared: SharedFormula, row: number, column: number): string {
  return shared.formula.replace(MOVABLE_PART, (whole, fixedColumn?: string, letters?: string, fixedRow?: string, digits?: string) => {
    if (letters === undefined || digits === undefined) return whole
    const movedColumn = fixedColumn ? columnOf(letters) : columnOf(letters) + column - shared.column
    const movedRow = fixedRow ? Number(digits) : Number(digits) + row - shared.row
    return movedColumn < 1 || movedRow < 1 ? '#REF!' : `${fixedColumn ?? ''}${columnLetters(movedColumn)}${fixedRow ?? ''}${movedRow}`
  })
}

const TEXT = Number.NaN
const UNKNOWN = Number.POSITIVE_INFINITY

/** The numbers of a sheet read so far, eight bytes a cell, to evaluate formulas without a stored result while rows are streamed. */
export function createSheetNumbers() {
  const ordinals = new Map<number, number>()
  const columns: Float64Array[] = []
  let ordinal = -1
  let currentRow = 0
  let visits = 0
  let hasMoreColumns = false
  return {
    startRow(row: number) {
      ordinal++
      currentRow = row
      ordinals.set(row, ordinal)
    },
    /** Cells in columns that imports do not read only become unknown, because a column takes memory for each row. */
    store(cell: Cell) {
      if (cell.column > IMPORT_MAX_COLUMNS) {
        hasMoreColumns = true
        return
      }
      let numbers = columns[cell.column] ?? new Float64Array(64)
      if (ordinal >= numbers.length) {
        const grown = new Float64Array(Math.max(ordinal + 1, numbers.length * 2))
        grown.set(numbers)
        numbers = grown
      }
      numbers[ordinal] = numberOf(cell)
      columns[cell.column] = numbers
    },
    /** Values of the current row and those above; rows below have not been read. */
    getCell: (column: number, row: number): ReturnType<GetCell> => {
      if (++visits > IMPORT_FORMULA_VISITS || row > currentRow || (hasMoreColumns && column > IMPORT_MAX_COLUMNS)) return undefined
      const at = ordinals.get(row)
      const value = at === undefined ? 0 : (columns[column]?.[at] ?? 0)
      return value === UNKNOWN ? undefined : Number.isNaN(value) ? '' : value
    },
  }
}

export type SheetNumbers = ReturnType<typeof createSheetNumbers>

function numberOf(cell: Cell): number {
  if (cell.serial !== undefined) return cell.serial
  if (typeof cell.value === 'number') return cell.value
  if (cell.value === null) return UNKNOWN
  return typeof cell.value === 'string' ? numberInText(cell.value) : TEXT
}

/** Numbers typed as text count: the author who typed `$1,234,567` expects the sum to include it. */
function numberInText(text: string): number {
  const [, minus, opening, digits, closing] = /^\s*(-?)(\(?)\$?\s*(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(\)?)\s*$/.exec(text) ?? []
  if (digits === undefined || Boolean(opening) !== Boolean(closing)) return TEXT
  const number = Number(digits.replaceAll(',', ''))
  return minus || opening ? -number : number
}
