import { cellText, parseNumber, type Cell, type SheetRow } from './cells.ts'
import type { ColumnRole } from './column-roles.ts'
import { namesSum } from './total-words.ts'

export const STREET = /^\d+\S*\s+\p{L}/u
/** `Building 3`, `3`, `B-12`; a single letter at the end: `Bldg C`. */
const NUMBERED = /^(.*?)(\d+)$/
const LETTERED = /^(|.*[^\p{L}])(\p{L})$/u
/** Smaller numbers below a header such as "Building" are those of buildings. */
const AMOUNT_MIN = 1_000
const YEARS = { first: 1_700, last: 2_100 }
const isNumberOfYear = (number: number) => Number.isInteger(number) && number >= YEARS.first && number <= YEARS.last

/**
 * How many cells of a row say that it is a location of its own, not the sum of others: a street, a year, an occupancy, a number or name that
 * follows that of the last row.
 * @param parts the rows that it may add up
 */
export function identityCells(row: SheetRow, parts: readonly SheetRow[], roles: readonly ColumnRole[]): number {
  const last = parts.at(-1)
  const isIdentity = (cell: Cell, column: number): boolean => {
    const text = cellText(cell)
    if (!/[\p{L}\d]/u.test(text)) return false
    if (isNumberedNext(text, cellText(last?.cells[column]), roles[column])) return true
    if (!IDENTIFYING.has(roles[column])) return false
    const number = parseNumber(text, false)
    return number === undefined ? isOwnText(text, column, parts) : !isCount(number, column, parts)
  }
  return row.cells.filter(isIdentity).length
}

const IDENTIFYING: ReadonlySet<ColumnRole | undefined> = new Set(['number', 'place', 'identity'])

/**
 * How many cells of a row say that it is a location of its own, if it may be the sum of all buildings at one place: the place and the numbers of one
 * of them, and what a spreadsheet program computes, say nothing.
 */
export function ownCells(row: SheetRow, parts: readonly SheetRow[], roles: readonly ColumnRole[]): number {
  const last = parts.at(-1)
  const isOwn = (cell: Cell, column: number): boolean => {
    const text = cellText(cell)
    const role = roles[column]
    if (!/[\p{L}\d]/u.test(text) || role === 'value' || namesSum(text)) return false
    const isOfPart = parts.some(({ cells }) => cellText(cells[column]) === text)
    if (role === 'number' || role === 'place') return !isOfPart && !isComputed(text, column, parts)
    if (role === 'identity') return !isComputed(text, column, parts)
    if (role === 'other') return !isOfPart && parseNumber(text, false) !== undefined && !isComputed(text, column, parts)
    return !isOfPart && isNumberedNext(text, cellText(last?.cells[column]), role)
  }
  return row.cells.filter(isOwn).length
}

function isComputed(text: string, column: number, parts: readonly SheetRow[]): boolean {
  const number = parseNumber(text, false)
  return number !== undefined && isCount(number, column, parts)
}

/** Whether a row has a number or name that follows or precedes that of another one. */
export const isNumberedBeside = (row: SheetRow, other: SheetRow | undefined, roles: readonly ColumnRole[]): boolean =>
  row.cells.some((cell, column) => isNumberedNext(cellText(cell), cellText(other?.cells[column]), roles[column]))

function isNumberedNext(text: string, other: string, role: ColumnRole | undefined): boolean {
  if (role !== 'number' && role !== 'name' && role !== 'amount') return false
  const number = parseNumber(text, false)
  return !(role === 'amount' && number !== undefined && number >= AMOUNT_MIN) && isNeighbor(text, other)
}

/** Whether a text is a street, or differs from that of the rows above below a header such as "Occupancy". A label of a total has no number. */
function isOwnText(text: string, column: number, parts: readonly SheetRow[]): boolean {
  if (STREET.test(text)) return true
  const others = parts.map(({ cells }) => cellText(cells[column]))
  return others.every((other) => other !== '' && !/\d/.test(other)) && !others.every((other) => other === text)
}

/** The number of the rows, or the sum or the mean of their numbers: what a spreadsheet program computes for any column. */
function isCount(number: number, column: number, parts: readonly SheetRow[]): boolean {
  const numbers = parts.map(({ cells }) => parseNumber(cellText(cells[column]), false) ?? 0)
  const sum = numbers.reduce((total, other) => total + other, 0)
  const isSumOrMean = [sum, sum / numbers.length].some((other) => Math.abs(other - number) <= NEGLIGIBLE)
  return number === parts.length || number === new Set(numbers).size || (isSumOrMean && !isNumberOfYear(number))
}
const NEGLIGIBLE = 1e-6

/** Whether a number or name precedes or follows another one: 3 and 2, `Bldg C` and `Bldg B`. */
function isNeighbor(text: string, other: string): boolean {
  const [numbered, otherNumbered] = [NUMBERED.exec(text), NUMBERED.exec(other)]
  if (numbered && otherNumbered) return numbered[1] === otherNumbered[1] && Math.abs(Number(numbered[2]) - Number(otherNumbered[2])) === 1
  const [lettered, otherLettered] = [LETTERED.exec(text), LETTERED.exec(other)]
  if (!lettered || !otherLettered || lettered[1] !== otherLettered[1]) return false
  return Math.abs((lettered[2] ?? '').charCodeAt(0) - (otherLettered[2] ?? '').charCodeAt(0)) === 1
}
