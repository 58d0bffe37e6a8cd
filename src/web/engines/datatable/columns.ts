import type { Column } from '#contract/datatable.ts'
import type { TableSetting } from '#contract/init.ts'

export const isVisible = (column: Column, choices: TableSetting['columns']): boolean =>
  column.disabled || (choices?.[column.src] ?? column.default)

export const visibleColumns = (columns: readonly Column[], choices: TableSetting['columns']): Column[] =>
  columns.filter((column) => isVisible(column, choices))

const MIN_PX = 56
const DEFAULT_PX = 132
const PRIMARY_PX = 240
/** On a phone, the frozen column leaves room for another one. */
const PRIMARY_NARROW_PX = 168
/** Of the headings; `dense` tables have smaller text and less space between columns. */
const LETTER_PX = 7.5
const PADDING_PX = 26
const DENSE_LETTER_PX = 6.4
const DENSE_PADDING_PX = 12

/** A heading is never cut off. */
function headingPx({ icon_only, label }: Column, dense: boolean): number {
  if (icon_only) return 0
  return dense ? label.length * DENSE_LETTER_PX + DENSE_PADDING_PX : Math.max(MIN_PX, label.length * LETTER_PX + PADDING_PX)
}

/** In pixels; `narrow` is a screen the width of a phone. */
export function columnWidth(column: Column, { narrow, dense }: { narrow: boolean; dense: boolean }): number {
  const width = Math.max(headingPx(column, dense), column.width ?? (column.primary ? PRIMARY_PX : DEFAULT_PX))
  return column.primary && narrow ? Math.min(width, PRIMARY_NARROW_PX) : width
}

/** Whether a column takes a share of the remaining width: those without a fixed width or, if all have one, the primary column. */
export function isElastic(column: Column, columns: readonly Column[], narrow: boolean): boolean {
  if (!column.primary) return column.width === null
  return !narrow && columns.every((other) => other.primary || other.width !== null)
}
