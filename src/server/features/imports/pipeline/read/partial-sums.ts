import { cellText, isFilled, type SheetRow } from './cells.ts'
import type { ColumnRole } from './column-roles.ts'
import type { RowAmounts } from './row-amounts.ts'
import { isNumberedBeside } from './row-identity.ts'
import { isCertainSum } from './sum-evidence.ts'
import { isValue, tolerance } from './sums.ts'
import { namesSum } from './total-words.ts'

export interface Location {
  row: SheetRow
  amounts: RowAmounts
  filled: number
  /** `textsOf` it. */
  texts: number
}

/** A location that may be the sum of those below it. */
interface Head extends Location {
  rest: Rest
  /** Whether all of them are at its address. */
  isSamePlace: boolean
}

/** What is compared with a row, while locations are added to it. */
interface Rest {
  columns: readonly number[]
  /** The column with the largest amount. */
  key: number
  sums: number[]
  rows: number
  /** The fewest filled cells of them. */
  filled: number
}

/** A sum of more rows is recognized as that of its section or of all rows. */
const ROWS_MAX = 2_000
const HEADS_MAX = 20
/** Smaller numbers are counts. */
const AMOUNT_MIN = 1_000
/** A sum has no number, street or city of its own, so that it fills fewer cells than a location. */
export const FEWER_CELLS = 2
const ADDRESS_CHARACTERS_MIN = 6

/** Recognizes rows that add up some locations: those directly above or directly below it. Only columns of money are compared. */
export function partialSums(roles: readonly ColumnRole[]) {
  let locations: Location[] = []
  let heads: Head[] = []
  return {
    /** Adds a location. Returns the one that turns out to be the sum of those below it, which is removed again. */
    add: (row: SheetRow, amounts: RowAmounts, filled: number): Location | undefined => {
      const location = { row, amounts, filled, texts: textsOf(row, amounts, roles) }
      for (const head of heads) {
        addTo(head.rest, location)
        head.isSamePlace &&= isSamePlace(head.row, row)
      }
      heads = heads.filter(({ rest, amounts: total }) => !exceeds(rest, total))
      locations.push(location)
      const found = heads.find((head) => isHead(head, locations, roles))
      if (found) {
        locations = locations.filter((other) => other.row !== found.row)
        heads = heads.filter((head) => head !== found)
      }
      if (locations.length > ROWS_MAX * 2) locations = locations.slice(-ROWS_MAX)
      const rest = emptyRest(amounts, roles)
      if (rest) heads = [...heads, { ...location, rest, isSamePlace: true }].slice(-HEADS_MAX)
      return found
    },
    /** How many of the last locations a row adds up, 0 if it does not, or if it may not add up one of them. */
    countIn: (amounts: RowAmounts, mayAdd: (location: Location) => boolean): number => {
      const rest = emptyRest(amounts, roles)
      if (!rest) return 0
      for (let at = locations.length - 1; at >= Math.max(0, locations.length - ROWS_MAX); at -= 1) {
        const location = locations[at]
        if (!location || !mayAdd(location)) return 0
        addTo(rest, location)
        if (exceeds(rest, amounts)) return 0
        if (isSum(amounts, rest)) return rest.rows
      }
      return 0
    },
    /** The last locations, at most as many as are compared. */
    last: (count: number): readonly Location[] => (count === 0 ? [] : locations.slice(-Math.min(count, ROWS_MAX))),
  }
}

/** Whether a row is the sum of those below it. A building whose number precedes theirs is one only if this cannot be by chance. */
function isHead(head: Head, locations: readonly Location[], roles: readonly ColumnRole[]): boolean {
  const parts = locations.slice(-head.rest.rows)
  // One amount and nothing else is a copy.
  const isAdded = (column: number) => parts.filter(({ amounts }) => Boolean(amounts[column])).length > 1
  const columns = equalColumns(head, head.rest).filter(isAdded)
  const isSmaller = head.filled + FEWER_CELLS <= head.rest.filled
  const isWhole = columns.length > 1 && (head.isSamePlace || (isLabeled(head, parts) && columns.length === head.rest.columns.length))
  if (columns.length === 0 || !((isSmaller && isSum(head.amounts, head.rest)) || isWhole)) return false
  if (!isNumberedBeside(head.row, parts[0]?.row, roles)) return true
  return isCertainSum(
    head.amounts,
    parts.map(({ amounts }) => amounts),
    columns,
  )
}

/** How many cells of a row are filled, without those with values, counts and areas. */
export const textsOf = ({ cells }: SheetRow, amounts: RowAmounts, roles: readonly ColumnRole[]): number =>
  cells.filter((cell, column) => isFilled(cell) && roles[column] !== 'other' && !isValue(amounts[column], roles[column])).length

/** The columns with a value and their largest one; undefined if this is too small. Below an unknown header only large numbers are values. */
function emptyRest(amounts: RowAmounts, roles: readonly ColumnRole[]): Rest | undefined {
  const columns: number[] = []
  let key = -1
  for (const [column, amount] of amounts.entries()) {
    const role = roles[column] ?? 'amount'
    if (!amount || !(role === 'value' || (role === 'amount' && amount >= AMOUNT_MIN))) continue
    columns.push(column)
    if (amount > (amounts[key] ?? 0)) key = column
  }
  return (amounts[key] ?? 0) < AMOUNT_MIN ? undefined : { columns, key, sums: [], rows: 0, filled: Infinity }
}

function addTo(rest: Rest, { amounts, filled }: Location): void {
  rest.rows += 1
  rest.filled = Math.min(rest.filled, filled)
  for (const column of rest.columns) rest.sums[column] = sumIn(rest, column) + (amounts[column] ?? 0)
}

const sumIn = ({ sums }: Rest, column: number) => sums[column] ?? 0

function exceeds(rest: Rest, amounts: RowAmounts): boolean {
  const sum = sumIn(rest, rest.key)
  return sum - (amounts[rest.key] ?? 0) > tolerance(sum)
}

/** The columns in which the row is the sum of at least two others: none if it is not in the one with the largest amount. */
function equalColumns({ amounts }: Pick<Location, 'amounts'>, rest: Rest): readonly number[] {
  if (rest.rows < 2) return []
  const equal = rest.columns.filter((column) => Math.abs(sumIn(rest, column) - (amounts[column] ?? 0)) <= tolerance(sumIn(rest, column)))
  return equal.includes(rest.key) ? equal : []
}

function isSum(amounts: RowAmounts, rest: Rest): boolean {
  const equal = equalColumns({ amounts }, rest).length
  return equal > 1 || (equal === 1 && rest.columns.length === 1)
}

/** Whether the row has a label of a sum, which is not the name of one of the others. */
const isLabeled = ({ row }: Location, parts: readonly Location[]): boolean =>
  row.cells.some(
    (cell, column) => typeof cell === 'string' && namesSum(cell) && !parts.some((part) => namesSum(cellText(part.row.cells[column]))),
  )

/** Whether one of the texts of a row is an address with which the same cell of the other one begins. */
function isSamePlace({ cells }: SheetRow, other: SheetRow): boolean {
  return cells.some((cell, column) => {
    const text = cellText(cell).toLowerCase()
    const isAddress = text.length >= ADDRESS_CHARACTERS_MIN && /\d/.test(text) && /\p{L}{2}/u.test(text)
    return isAddress && cellText(other.cells[column]).toLowerCase().startsWith(text)
  })
}
