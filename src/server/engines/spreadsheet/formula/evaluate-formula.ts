import { areaOf, columnLetters, columnOf, rowOf } from '../sheet.ts'

const FORMULA_MAX_CHARACTERS = 8_192
const DEPTH_MAX = 64
const TOKEN = /\s*(?:(\$?[A-Z]{1,3}\$?\d{1,7})(?![\w(!])|(\d+(?:\.\d*)?(?:E[+-]?\d+)?|\.\d+)(?![\w.])|(SUM)\s*(?=\()|([-+*/(),:]))/iy

type Token = { reference: string } | { number: number } | { sign: string }

/** The value of a cell: null when empty, undefined when unknown. Column and row counted from 1. */
export type GetCell = (column: number, row: number) => string | number | boolean | null | undefined

interface Reader {
  tokens: Token[]
  at: number
  depth: number
  getCell: GetCell
}

/**
 * Evaluates `SUM` over ranges and lists, `+ - * /`, parentheses and numbers over cells of the same sheet, with the
 * rules of spreadsheets: SUM skips text, arithmetic with text has no result, an empty cell is 0.
 * @returns undefined when the formula uses anything else or needs a cell whose value is unknown.
 */
export function evaluateFormula(formula: string, getCell: GetCell): number | undefined {
  const tokens = tokenize(formula.replace(/^\s*=/, ''))
  if (!tokens) return undefined
  const reader: Reader = { tokens, at: 0, depth: 0, getCell }
  const result = readSum(reader)
  return reader.at === tokens.length && result !== undefined && Number.isFinite(result) ? result : undefined
}

function tokenize(formula: string): Token[] | undefined {
  const tokens: Token[] = []
  if (formula.length > FORMULA_MAX_CHARACTERS) return undefined
  const text = formula.trimEnd()
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length;) {
    const match = TOKEN.exec(text)
    if (!match) return undefined
    const [, reference, number, sum, sign] = match
    if (reference !== undefined) tokens.push({ reference: reference.replaceAll('$', '').toUpperCase() })
    else if (number !== undefined) tokens.push({ number: Number(number) })
    else tokens.push({ sign: sum === undefined ? (sign ?? '') : 'SUM' })
  }
  return tokens.length > 0 ? tokens : undefined
}

function takeSign(reader: Reader, ...signs: string[]): string | undefined {
  const token = reader.tokens[reader.at]
  if (!token || !('sign' in token) || !signs.includes(token.sign)) return undefined
  reader.at++
  return token.sign
}

function readSum(reader: Reader): number | undefined {
  let total = readProduct(reader)
  for (let sign = takeSign(reader, '+', '-'); sign && total !== undefined; sign = takeSign(reader, '+', '-')) {
    const next = readProduct(reader)
    total = next === undefined ? undefined : sign === '+' ? total + next : total - next
  }
  return total
}

function readProduct(reader: Reader): number | undefined {
  let product = readFactor(reader)
  for (let sign = takeSign(reader, '*', '/'); sign && product !== undefined; sign = takeSign(reader, '*', '/')) {
    const next = readFactor(reader)
    product = next === undefined ? undefined : sign === '*' ? product * next : product / next
  }
  return product
}

function readFactor(reader: Reader): number | undefined {
  if (++reader.depth > DEPTH_MAX) return undefined
  const value = readUnsignedFactor(reader)
  reader.depth--
  return value
}

function readUnsignedFactor(reader: Reader): number | undefined {
  if (takeSign(reader, '+')) return readFactor(reader)
  if (takeSign(reader, '-')) {
    const value = readFactor(reader)
    return value === undefined ? undefined : -value
  }
  if (takeSign(reader, 'SUM')) return takeSign(reader, '(') ? readList(reader) : undefined
  if (takeSign(reader, '(')) {
    const value = readSum(reader)
    return takeSign(reader, ')') ? value : undefined
  }
  const token = reader.tokens[reader.at++]
  if (!token || 'sign' in token) return undefined
  if ('number' in token) return token.number
  const value = reader.getCell(columnOf(token.reference), rowOf(token.reference))
  return value === null ? 0 : typeof value === 'number' ? value : undefined
}

function readList(reader: Reader): number | undefined {
  let total = 0
  do {
    const area = takeArea(reader)
    const value = area === undefined ? readSum(reader) : sumArea(area, reader.getCell)
    if (value === undefined) return undefined
    total += value
  } while (takeSign(reader, ','))
  return takeSign(reader, ')') ? total : undefined
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

function sumArea(reference: string, getCell: GetCell): number | undefined {
  const area = areaOf(reference)
  if (!area) return undefined
  let total = 0
  for (let row = Math.min(area.top, area.bottom); row <= Math.max(area.top, area.bottom); row++) {
    for (let column = Math.min(area.left, area.right); column <= Math.max(area.left, area.right); column++) {
      const value = getCell(column, row)
      if (value === undefined) return undefined
      if (typeof value === 'number') total += value
    }
  }
  return total
}

export interface SharedFormula {
  formula: string
  row: number
  column: number
}

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
