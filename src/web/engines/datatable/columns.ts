import type { Column } from '#contract/datatable.ts'
import type { TableSetting } from '#contract/init.ts'

export const isVisible = (column: Column, choices: TableSetting['columns']): boolean =>
  column.disabled || (choices?.[column.src] ?? column.default)

export const visibleColumns = (columns: readonly Column[], choices: TableSetting['columns']): Column[] =>
  columns.filter((column) => isVisible(column, choices))

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

/** With the space at the edges where no checkbox or menu has it. */
export const columnWidths = (columns: readonly Column[], dense: boolean, rights: { select: boolean; menu: boolean }): number[] =>
  columns.map((column, index) => {
    const isOuter = [index === 0 && !rights.select, index === columns.length - 1 && !rights.menu]
    return columnWidth(column, dense) + (dense ? EDGE_PX * isOuter.filter(Boolean).length : 0)
  })

/** Whether a column takes a share of the remaining width: those without a fixed width or, if all have one, the primary column. */
export const isElastic = (column: Column, columns: readonly Column[]): boolean =>
  column.primary ? columns.every((other) => other.primary || other.width !== null) : column.width === null
