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
const LETTER_PX = 7.5
const PADDING_PX = 26
/** A heading is never cut off. */
const headingPx = (column: Column) => (column.icon_only ? 0 : column.label.length * LETTER_PX + PADDING_PX)

/** In pixels; `narrow` is a screen the width of a phone. */
export function columnWidth(column: Column, narrow: boolean): number {
  const width = Math.max(MIN_PX, headingPx(column), column.width ?? (column.primary ? PRIMARY_PX : DEFAULT_PX))
  return column.primary && narrow ? Math.min(width, PRIMARY_NARROW_PX) : width
}

/** Whether a column takes a share of the remaining width: those without a fixed width or, if all have one, the primary column. */
export function isElastic(column: Column, columns: readonly Column[], narrow: boolean): boolean {
  if (!column.primary) return column.width === null
  return !narrow && columns.every((other) => other.primary || other.width !== null)
}
