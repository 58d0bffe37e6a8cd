import { IMPORT_FORMULA_VISITS } from '#contract/limits.ts'
import type { Cell } from '../sheet.ts'
import type { GetCell } from './evaluate-formula.ts'

const TEXT = Number.NaN
const UNKNOWN = Number.POSITIVE_INFINITY

/**
 * Stores the numbers of a sheet read so far, eight bytes a cell, so that formulas without a stored result can be
 * evaluated while the rows are streamed.
 */
export function createSheetNumbers() {
  const ordinals = new Map<number, number>()
  const columns: Float64Array[] = []
  let ordinal = -1
  let currentRow = 0
  let visits = 0
  return {
    startRow(row: number) {
      ordinal++
      currentRow = row
      ordinals.set(row, ordinal)
    },
    store(cell: Cell) {
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
      if (++visits > IMPORT_FORMULA_VISITS || row > currentRow) return undefined
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
