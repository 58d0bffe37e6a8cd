import type { Column } from '#contract/datatable.ts'
import type { TableLayout } from '#contract/init.ts'

export const isVisible = (column: Column, choices: TableLayout['columns']): boolean =>
  column.disabled || (choices?.[column.src] ?? column.default)

export const visibleColumns = (columns: readonly Column[], choices: TableLayout['columns']): Column[] =>
  columns.filter((column) => isVisible(column, choices))

/** The frozen column, which stays first; undefined in a list that begins with another one. */
export const firstColumn = (columns: readonly Column[]): Column | undefined => (columns[0]?.primary ? columns[0] : undefined)

/** The columns in the user's order, after the frozen one. One that the order does not name follows the column before it. */
export function orderedColumns(columns: readonly Column[], order: TableLayout['columnOrder']): readonly Column[] {
  if (order === undefined || order.length === 0) return columns
  const placed = [...new Set(order)].flatMap((src) => columns.find((column) => column.src === src) ?? [])
  for (const [index, column] of columns.entries()) {
    if (placed.includes(column)) continue
    const before = columns[index - 1]
    placed.splice(before === undefined ? 0 : placed.indexOf(before) + 1, 0, column)
  }
  const first = firstColumn(columns)
  return placed.toSorted((left, right) => Number(right === first) - Number(left === first))
}

/** The name of a column in the address and in queries. */
export const sortKey = (column: Column): string => column.sort ?? column.src

/** The direction of the first click: the largest numbers and the latest dates first, text from A to Z. */
export const firstOrder = ({ classes }: Column): 'asc' | 'desc' =>
  classes.split(' ').some((name) => name === 'number' || name === 'date') ? 'desc' : 'asc'

const MIN_PX = 56
const DEFAULT_PX = 132
const PRIMARY_PX = 240
/** Of the headings; `dense` tables have smaller text and less space between columns. */
const LETTER_PX = 7.5
const PADDING_PX = 26
const DENSE_LETTER_PX = 6.4
const DENSE_PADDING_PX = 12
const DATE_PX = 116
const DENSE_DATE_PX = 102

/** A heading is never cut off. */
function headingPx({ icon_only, label }: Column, dense: boolean): number {
  if (icon_only) return 0
  return dense ? label.length * DENSE_LETTER_PX + DENSE_PADDING_PX : Math.max(MIN_PX, label.length * LETTER_PX + PADDING_PX)
}

/** "Sep 28, 2026" is never cut off. */
const datePx = ({ classes }: Column, dense: boolean) => (classes === 'date' ? (dense ? DENSE_DATE_PX : DATE_PX) : 0)

/** In pixels. */
const columnWidth = (column: Column, dense: boolean): number =>
  Math.max(headingPx(column, dense), datePx(column, dense), column.width ?? (column.primary ? PRIMARY_PX : DEFAULT_PX))

/** A dense table reaches the edges of the page, from which its outer cells keep this distance in addition to their padding. */
const EDGE_PX = 18

interface WidthOptions {
  dense: boolean
  /** Whether rows have a checkbox and a menu. */
  hasActions: boolean
  /** Those that the user has set. */
  chosen: TableLayout['widths']
}

/** With the space at the edges where no checkbox or menu has it. A width that the user has set is exact. */
export const columnWidths = (columns: readonly Column[], { dense, hasActions, chosen }: WidthOptions): number[] =>
  columns.map((column, index) => {
    const edges = dense && !hasActions ? Number(index === 0) + Number(index === columns.length - 1) : 0
    return chosen?.[column.src] ?? columnWidth(column, dense) + EDGE_PX * edges
  })

/**
 * Whether a column takes a share of the remaining width: those without a fixed width or, if all have one, the primary column. A width that
 * the user has set is fixed.
 */
export function isElastic(column: Column, columns: readonly Column[], chosen: TableLayout['widths']): boolean {
  const isFixed = ({ src, width }: Column) => chosen?.[src] !== undefined || width !== null
  if (chosen?.[column.src] !== undefined) return false
  return column.primary ? columns.every((other) => other.primary || isFixed(other)) : column.width === null
}
