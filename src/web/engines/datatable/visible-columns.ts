import type { Column } from '#contract/datatable.ts'
import type { TableSetting } from '#contract/init.ts'

const NARROWEST_PX = 70
const USUAL_PX = 132
const PRIMARY_PX = 240
/** On a phone the frozen column leaves room for another one. */
const PRIMARY_NARROW_PX = 168

/** The columns a person sees: what cannot be hidden, what he chose, else the default; the primary one first, since it stays when scrolling. */
export function visibleColumns(columns: readonly Column[], chosen: TableSetting['columns']): Column[] {
  const shown = columns.filter((column) => column.disabled || (chosen?.[column.src] ?? column.default))
  return [...shown.filter((column) => column.primary), ...shown.filter((column) => !column.primary)]
}

const LETTER_PX = 7.5
const PADDING_PX = 26
/** A heading is never cut off. */
const headingPx = (column: Column) => (column.icon_only ? 0 : column.label.length * LETTER_PX + PADDING_PX)

/** In pixels; `narrow` is a screen the width of a phone. */
export function columnWidth(column: Column, narrow = false): number {
  const width = Math.max(NARROWEST_PX, headingPx(column), column.width ?? (column.primary ? PRIMARY_PX : USUAL_PX))
  return column.primary && narrow ? Math.min(width, PRIMARY_NARROW_PX) : width
}

/** Whether a column takes its share of the room that is left over: those without a width of their own, else the primary one. */
export function isElastic(column: Column, columns: readonly Column[], narrow: boolean): boolean {
  if (!column.primary) return column.width === null
  return !narrow && columns.every((other) => other.primary || other.width !== null)
}

export const hasClass = (column: Column, name: string): boolean => column.classes.split(' ').includes(name)
