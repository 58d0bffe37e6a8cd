import type { ColumnRole } from './column-roles.ts'
import type { Amounts } from './row-amounts.ts'

/** The amounts of each column, added up. */
export interface Sums extends Amounts {
  rows: number
  /** The fewest filled cells of a row. */
  filled: number
}
export const emptySums = (): Sums => ({ rows: 0, filled: Infinity, american: [], european: [] })

/** Below an unknown header, smaller numbers are counts. */
const AMOUNT_MIN = 1_000

/** Whether an amount is money, by the header of its column. */
export const isValue = (amount: number | undefined, role: ColumnRole = 'amount'): boolean =>
  amount !== undefined && amount !== 0 && (role === 'value' || (role === 'amount' && Math.abs(amount) >= AMOUNT_MIN))

/** What rounding may change in a sum. */
export const tolerance = (sum: number): number => 0.5 + Math.abs(sum) * 1e-9

/** The columns with values in which a row equals the sum of at least two rows above. */
export function matchingColumns({ american, european }: Amounts, sums: Sums, roles: readonly ColumnRole[]): number[] {
  if (sums.rows < 2) return []
  const isSum = (amount: number | undefined, sum = 0) => amount !== undefined && sum !== 0 && Math.abs(amount - sum) <= tolerance(sum)
  return american.flatMap((amount, column) => {
    const other = european[column]
    const isMoney = isValue(amount, roles[column]) || isValue(other, roles[column])
    return isMoney && (isSum(amount, sums.american[column]) || isSum(other, sums.european[column])) ? [column] : []
  })
}

export function addTo(sums: Sums, { american, european }: Amounts, filled: number): void {
  sums.rows += 1
  sums.filled = Math.min(sums.filled, filled)
  addAmounts(sums.american, american, 1)
  addAmounts(sums.european, european, 1)
}

export function subtract(sums: Sums, { american, european }: Amounts): void {
  sums.rows -= 1
  addAmounts(sums.american, american, -1)
  addAmounts(sums.european, european, -1)
}

function addAmounts(sums: Amounts['american'], amounts: Amounts['american'], sign: 1 | -1): void {
  amounts.forEach((amount, column) => {
    if (amount !== undefined) sums[column] = (sums[column] ?? 0) + sign * amount
  })
}
