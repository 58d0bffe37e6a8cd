import { useMediaQuery, useMergedRef, useResizeObserver } from '@mantine/hooks'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useState, type ReactNode, type UIEvent } from 'react'
import type { Column } from '#contract/datatable.ts'
import { formatNumber, plural } from '#contract/format.ts'
import { SIDEBAR_COLLAPSE_PX } from '#contract/limits.ts'
import { MODELS } from '#contract/models.ts'
import type { ListedModel, Rows } from '#web/data/queries.ts'
import { alignment } from './cells.tsx'
import { columnWidth, isElastic } from './columns.ts'
import type { List } from './list.ts'
import { nextSort } from './list-address.ts'
import type { Selection } from './selection.ts'
import { TableMessage } from './table-message.tsx'
import { RowCheckbox } from './table-row.tsx'
import classes from './table.module.css'

const CHECK_PX = 40
const MENU_PX = 48
/** More than the tallest screen shows. */
const SKELETON_ROWS_MAX = 60

interface TableProps<M extends ListedModel> {
  label: string
  list: List<M>
  selection: Selection
  renderRow: (row: Rows[M]) => ReactNode
  /** Replaces the default text when there are no records. */
  empty: ReactNode
  formatTotal: ((sum: number) => string) | undefined
}

/** The scrolling table: sticky head and first column, fixed widths, and only the visible rows of a long list. */
export function Table<M extends ListedModel>({ label, list, selection, renderRow, empty, formatTotal }: TableProps<M>) {
  const { rows, columns, loading, rights } = list
  const [scrollArea, setScrollArea] = useState<HTMLDivElement | null>(null)
  const [resized, { width: areaPx }] = useResizeObserver<HTMLDivElement>()
  const ref = useMergedRef(setScrollArea, resized)
  const [atStart, setAtStart] = useState(true)
  const [atEnd, setAtEnd] = useState(false)
  const narrow = useMediaQuery(`(max-width: ${SIDEBAR_COLLAPSE_PX - 1}px)`) ?? false
  const widths = columns.map((column) => columnWidth(column, narrow))
  const tablePx = widths.reduce((sum, width) => sum + width, (rights.select ? CHECK_PX : 0) + (rights.menu ? MENU_PX : 0))
  const skeletonColumns = Math.max(columns.length, 5) + Number(rights.select) + Number(rights.menu)
  const onScroll = ({ currentTarget: { scrollLeft, clientWidth, scrollWidth } }: UIEvent<HTMLDivElement>) => {
    setAtStart(scrollLeft === 0)
    setAtEnd(scrollLeft + clientWidth >= scrollWidth - 1)
  }
  return (
    <div
      ref={ref}
      className={classes['scroll']}
      data-scrolled={!atStart || undefined}
      data-more={(areaPx > 0 && tablePx > areaPx && !atEnd) || undefined}
      onScroll={onScroll}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled area must be reachable by keyboard
      tabIndex={0}
      role="region"
      aria-label={`Table of ${label}`}
      aria-busy={loading || list.stale}
    >
      <table className={classes['table']} aria-label={label} aria-rowcount={rows.length + 1} style={{ minWidth: tablePx }}>
        <colgroup>
          {rights.select && <col width={CHECK_PX} />}
          {columns.map((column, index) => (
            <col key={column.src} {...(isElastic(column, columns, narrow) ? {} : { width: widths[index] })} />
          ))}
          {rights.menu && <col width={MENU_PX} />}
        </colgroup>
        {columns.length > 0 && <TableHead list={list} selection={selection} />}
        {loading ? (
          <tbody aria-hidden>
            {Array.from({ length: Math.min(list.perPage, SKELETON_ROWS_MAX) + (columns.length === 0 ? 1 : 0) }, (_, row) => (
              <SkeletonRow key={row} columns={skeletonColumns} />
            ))}
          </tbody>
        ) : (
          <TableBody list={list} renderRow={renderRow} scrollArea={scrollArea} />
        )}
        {rows.length > 0 && <TableFoot list={list} format={formatTotal} />}
      </table>
      <TableMessage list={list} empty={empty} />
    </div>
  )
}

/** Shorter lists render all rows, so that the browser's own search in the page finds them. */
const VIRTUAL_ABOVE_ROWS = 150
const ROW_PX = 40

type TableBodyProps<M extends ListedModel> = Pick<TableProps<M>, 'list' | 'renderRow'> & { scrollArea: HTMLElement | null }

/** The rows; of a long list only those near the visible area. A component of its own, so that scrolling renders nothing else. */
function TableBody<M extends ListedModel>({ list: { rows }, renderRow, scrollArea }: TableBodyProps<M>) {
  const enabled = rows.length > VIRTUAL_ABOVE_ROWS
  const virtualizer = useVirtualizer({
    count: rows.length,
    enabled,
    getScrollElement: () => scrollArea,
    estimateSize: () => ROW_PX,
    overscan: 8,
  })
  const items = virtualizer.getVirtualItems()
  const [first, end] = enabled ? [items[0]?.index ?? 0, (items.at(-1)?.index ?? -1) + 1] : [0, rows.length]
  return (
    <tbody>
      <Spacer height={first * ROW_PX} />
      {rows.slice(first, end).map(renderRow)}
      <Spacer height={(rows.length - end) * ROW_PX} />
    </tbody>
  )
}

function Spacer({ height }: { height: number }) {
  if (height === 0) return null
  return (
    <tr className={classes['spacer']} aria-hidden style={{ height }}>
      <td />
    </tr>
  )
}

function SkeletonRow({ columns }: { columns: number }) {
  return (
    <tr>
      {Array.from({ length: columns }, (_, column) => (
        <td key={column}>
          <span className={classes['skeleton']} />
        </td>
      ))}
    </tr>
  )
}

function TableHead({ list, selection }: { list: List; selection: Selection }) {
  return (
    <thead>
      <tr>
        {list.rights.select && (
          <th scope="col" className={classes['check']}>
            <RowCheckbox {...selection.all} />
          </th>
        )}
        {list.columns.map((column) => (
          <Heading key={column.src} column={column} list={list} />
        ))}
        {list.rights.menu && (
          <th scope="col" className={classes['menu']}>
            <span className="visually-hidden">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

function Heading({ column, list: { state, change } }: { column: Column; list: List }) {
  const key = column.sort ?? column.src
  const sorted = state.sort === key ? state.order : null
  const Arrow = sorted === 'desc' ? IconArrowDown : IconArrowUp
  const label = column.icon_only ? <span className="visually-hidden">{column.label}</span> : column.label
  return (
    <th
      scope="col"
      className={[column.primary && classes['primary'], alignment(column)].filter(Boolean).join(' ') || undefined}
      aria-sort={sorted ? (sorted === 'desc' ? 'descending' : 'ascending') : undefined}
    >
      {column.sortable ? (
        <button
          type="button"
          className={classes['sort']}
          onClick={() => change(nextSort(state, key))}
          data-sorted={sorted !== null || undefined}
        >
          <span className={classes['clip']}>{label}</span>
          {sorted && <Arrow size={14} aria-hidden />}
        </button>
      ) : (
        <span className={classes['clip']}>{label}</span>
      )}
    </th>
  )
}

interface TableFootProps {
  list: List
  format: ((sum: number) => string) | undefined
}

/** The totals of all rows that match the filters, always visible; nothing for a list without totals. */
function TableFoot({ list: { columns, rights, meta, model }, format = formatNumber }: TableFootProps) {
  if (meta?.totals === undefined) return null
  const { one, many } = MODELS[model]
  const sums = Object.fromEntries(Object.entries(meta.totals).map(([src, sum]) => [src, format(sum)]))
  const label = `Total of ${plural(meta.total, one, many)}`
  return (
    <tfoot>
      <tr>
        {rights.select && <td className={classes['check']} />}
        {columns.map((column) =>
          column.primary ? (
            <th key={column.src} scope="row" className={classes['primary']} title={label}>
              {label}
            </th>
          ) : (
            <td key={column.src} className={alignment(column)}>
              {sums[column.src]}
            </td>
          ),
        )}
        {rights.menu && <td className={classes['menu']} />}
      </tr>
    </tfoot>
  )
}
