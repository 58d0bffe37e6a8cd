import { useMediaQuery } from '@mantine/hooks'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import { useMemo, type ReactNode } from 'react'
import { SIDEBAR_COLLAPSE_PX } from '#contract/limits.ts'
import type { Column } from '#contract/datatable.ts'
import type { ListedModel, Rows } from '#web/data/queries.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { NO_COLUMNS, type CellRenderers } from './cells.tsx'
import { firstOrder, sortKey } from './columns.ts'
import type { List } from './list.ts'
import classes from './table.module.css'

/** The two lines of a row with a cell of its own. */
const TWO_LINES_PX = 64
/** An estimate: the columns below the name take as many lines as they need. */
const DETAILS_PX = 84
const NO_RENDERERS = {}
const NO_NAMES: readonly string[] = []

/** The rows of a list on a phone. */
export interface PhoneRows {
  rowPx: number
  /** Whether rows have different heights. */
  measured: boolean
  /** The columns that are shown below the name. */
  details: readonly Column[]
  /** The columns of the sort control, which replaces the headings. */
  columns: readonly Column[]
}

interface PhoneOptions<R> {
  cells?: Readonly<Record<string, (row: R) => ReactNode>>
  phoneCell?: (row: R) => ReactNode
  hiddenOnPhone?: readonly string[]
}

/** On a phone, the primary column shows the whole row: its cell for phones or, by default, the name with the other columns below it. */
export function usePhoneRows<M extends ListedModel>(
  list: List<M>,
  { cells = NO_RENDERERS, phoneCell, hiddenOnPhone = NO_NAMES }: PhoneOptions<Rows[M]>,
) {
  const narrow = useMediaQuery(`(max-width: ${SIDEBAR_COLLAPSE_PX - 1}px)`) ?? false
  const primary = list.columns.find((column) => column.primary)
  const phoneCells: CellRenderers<Rows[M]> = useMemo(
    () => (primary === undefined || phoneCell === undefined ? cells : { ...cells, [primary.src]: phoneCell }),
    [primary, phoneCell, cells],
  )
  const others = useMemo(
    () => list.columns.filter(({ src, primary: isPrimary }) => !isPrimary && !hiddenOnPhone.includes(src)),
    [list.columns, hiddenOnPhone],
  )
  if (!narrow || primary === undefined) return { list, cells, phone: null }
  const phone: PhoneRows =
    phoneCell === undefined
      ? { rowPx: DETAILS_PX, measured: true, details: others, columns: list.columns }
      : { rowPx: TWO_LINES_PX, measured: false, details: NO_COLUMNS, columns: list.columns }
  const rights = { ...list.rights, columns: list.rights.columns && phoneCell === undefined }
  return { list: { ...list, columns: [primary], rights }, cells: phoneCells, phone }
}

/** Replaces the headings on a phone: the column that sorts the list, and the direction. */
export function PhoneSort({ list: { state, defaultSort, change }, columns }: { list: List; columns: readonly Column[] }) {
  const sortable = columns.filter((column) => column.sortable)
  const { sort, order } = state.sort === null ? (defaultSort ?? state) : state
  const isListed = sortable.some((column) => sortKey(column) === sort)
  const Arrow = order === 'desc' ? IconArrowDown : IconArrowUp
  const choose = (key: string) => {
    const column = sortable.find((one) => sortKey(one) === key)
    if (column !== undefined) change({ sort: key, order: firstOrder(column) })
  }
  if (sortable.length === 0) return null
  return (
    <span className={classes['phoneSort']}>
      <label>
        <span>Sort by</span>
        <select value={isListed ? (sort ?? '') : ''} onChange={(event) => choose(event.currentTarget.value)}>
          {!isListed && <option value="">Default order</option>}
          {sortable.map((column) => (
            <option key={column.src} value={sortKey(column)}>
              {column.label}
            </option>
          ))}
        </select>
      </label>
      {isListed && (
        <IconButton
          name={order === 'desc' ? 'Sort ascending' : 'Sort descending'}
          onClick={() => change({ sort, order: order === 'desc' ? 'asc' : 'desc' })}
        >
          <Arrow size={16} />
        </IconButton>
      )}
    </span>
  )
}
