import { hasCurrency, splitMultiple, withoutCurrency } from './amount-notation.ts'
import { parseNumber, type SheetRow } from './cells.ts'

/** By column; undefined without an amount. */
export type RowAmounts = readonly (number | undefined)[]

/** By column, if texts are written the American and the European way. */
export interface Amounts {
  american: (number | undefined)[]
  european: (number | undefined)[]
}

export function amountsOf({ cells }: SheetRow): Amounts {
  // Without its currency once for both, since this is done for every cell of a file.
  const bare = cells.map((cell) => (typeof cell === 'string' && /\d/.test(cell) ? bareAmount(cell) : cell))
  const amounts = (european: boolean) =>
    bare.map((cell) => {
      if (typeof cell !== 'object' || cell === null || !('multiple' in cell)) return typeof cell === 'number' ? cell : undefined
      const number = parseNumber(cell.number, european)
      return number === undefined ? undefined : number * cell.multiple
    })
  return { american: amounts(false), european: amounts(true) }
}

/** A multiple counts next to a currency only, since `5B` may be the number of a building. */
function bareAmount(cell: string): { number: string; multiple: number } {
  const text = withoutCurrency(cell)
  return /[a-z.]$/i.test(text) && hasCurrency(cell) ? splitMultiple(text) : { number: text, multiple: 1 }
}

export const isAmount = ({ american, european }: Amounts, column: number): boolean => (american[column] ?? european[column]) !== undefined
