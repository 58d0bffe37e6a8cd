import type { RowAmounts } from './row-amounts.ts'

/** More rows are not compared: the columns of a few show whether they are independent. */
const ROWS_COMPARED = 40
/** Two independent columns with five digits each add up by chance once in ten billion rows. */
const DIGITS_MIN = 10
const COLUMNS_MIN = 2
const NEGLIGIBLE = 1e-9

/**
 * Whether a row cannot have the sums of other rows by chance. Columns that follow from each other, such as a copy, a multiple or the sum of others, are
 * one piece of evidence, and so are all columns of two rows with the same ratio. Round numbers often add up.
 * @param columns in which the row has the sum of the others
 */
export function isCertainSum(row: RowAmounts, parts: readonly RowAmounts[], columns: readonly number[]): boolean {
  const digits = new Map(columns.map((column) => [column, significantDigits([row, ...parts].map((amounts) => amounts[column] ?? 0))]))
  const digitsOf = (column: number) => digits.get(column) ?? 0
  // Of dependent columns, the one with the fewest digits counts.
  const independent = independentColumns(
    parts.slice(-ROWS_COMPARED),
    columns.toSorted((a, b) => digitsOf(a) - digitsOf(b)),
  )
  return independent.length >= COLUMNS_MIN && independent.reduce((sum, column) => sum + digitsOf(column), 0) >= DIGITS_MIN
}

/** The digits of the largest amount without the zeros at the end that all amounts have. */
function significantDigits(amounts: readonly number[]): number {
  const whole = amounts.map((amount) => Math.abs(Math.round(amount))).filter((amount) => amount > 0)
  const largest = Math.max(1, ...whole)
  let unit = 1
  while (unit < largest && whole.every((amount) => amount % (unit * 10) === 0)) unit *= 10
  return String(largest / unit).length
}

/** The first columns of which none is a combination of the ones before, by elimination. */
function independentColumns(rows: readonly RowAmounts[], columns: readonly number[]): number[] {
  const basis: { vector: number[]; pivot: number }[] = []
  return columns.filter((column) => {
    let vector = rows.map((amounts) => amounts[column] ?? 0)
    const size = Math.max(...vector.map(Math.abs))
    if (size === 0) return false
    vector = vector.map((amount) => amount / size)
    for (const { vector: other, pivot } of basis) {
      const factor = (vector[pivot] ?? 0) / (other[pivot] ?? 1)
      vector = vector.map((amount, index) => amount - factor * (other[index] ?? 0))
    }
    const rest = Math.max(...vector.map(Math.abs))
    if (rest <= NEGLIGIBLE) return false
    basis.push({ vector, pivot: vector.findIndex((amount) => Math.abs(amount) === rest) })
    return true
  })
}
