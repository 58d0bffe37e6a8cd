import { isMoneyField } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { cellText, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import type { ColumnStyle } from './results.ts'

const HEADER =
  /^(?:units?(?: of (?:measure|values?|amounts?))?|uom|scale|multipliers?|magnitude|denomination|k ?\/ ?mm?|(?:values?|amounts?|figures?) (?:in|units?|scale))(?: k ?\/ ?mm?)?$/

/** Whether the cells of a column that is not imported may be units, by its header. */
export const mayNameUnits = (header: string): boolean => HEADER.test(normalizeHeader(header).words)

const UNITS: readonly (readonly [number, RegExp])[] = [
  [1_000, /^(?:in )?(?:k|[$€£]?'?0{3}'?s?|thousands?|tsd\.?)$/i],
  [1_000_000, /^(?:in )?(?:m|mm|mil|mio\.?|millions?)$/i],
]

/**
 * The columns for a row whose amounts are in the unit that a cell of it names; the same ones if none does.
 * @param units the columns with units, from 0
 */
export function columnsInUnit<C extends { target: string; style: ColumnStyle }>(
  cells: readonly (Cell | undefined)[],
  units: readonly number[],
  columns: C[],
): C[] {
  const texts = units.map((index) => cellText(cells[index]))
  const [factor] = UNITS.find(([, pattern]) => texts.some((text) => pattern.test(text))) ?? []
  if (factor === undefined) return columns
  return columns.map((column) => (isMoneyField(column.target) ? { ...column, style: { ...column.style, factor } } : column))
}
