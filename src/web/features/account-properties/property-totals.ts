import type { PropertyRow } from '#contract/account-properties.ts'
import { cellOf } from '#web/engines/datatable/cells.tsx'
import { formatMoney } from '#contract/format.ts'

const SUMMED = ['building_value', 'contents_value', 'bi_value', 'tiv']

function sumOf(rows: readonly PropertyRow[], src: string): number {
  return rows.reduce((sum, row) => {
    const { value } = cellOf(row, src)
    return typeof value === 'number' ? sum + value : sum
  }, 0)
}

/** The sums of the values on a page, by column. */
export const propertyTotals = (rows: readonly PropertyRow[]): Record<string, string> =>
  Object.fromEntries(SUMMED.map((src) => [src, formatMoney(sumOf(rows, src))]))
