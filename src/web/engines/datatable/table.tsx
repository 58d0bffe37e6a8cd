import { Button } from '@mantine/core'
import { useMergedRef, useResizeObserver } from '@mantine/hooks'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode, type UIEvent } from 'react'
import { plural } from '#contract/format.ts'
import type { ListedModel, Rows } from '#web/data/queries.ts'
import { lazyPart, PartFailure } from '../lazy-part.tsx'
import { columnWidths, isElastic } from './columns.ts'
import type { List } from './list.ts'
import type { LongTableBodyProps } from './long-table-body.tsx'
import type { PhoneRows } from './phone-rows.tsx'
import type { Selection } from './selection.ts'
import { COMPACT_ROW_PX, ROW_PX, SkeletonRow, TableBody } from './table-body.tsx'
import { TableHead } from './table-head.tsx'
import { TableMessage } from './table-message.tsx'
import { WINDOW_ROWS } from './windowed-rows.ts'
import classes from './table.module.css'

const CHECK_PX = 40
/** In a dense table, which has no margin: the checkboxes align with the title of the page. */
const DENSE_CHECK_PX = 46
const MENU_PX = 40
/** Shown until the columns are loaded. */
const UNKNOWN_COLUMNS = 5
/** More than the tallest screen shows. */
const SKELETON_ROWS_MAX = 60
/** Shorter lists render all rows, so that the browser's own search in the page finds them. */
const SHORT_ROWS_MAX = WINDOW_ROWS

const LongTableBody = lazyPart<LongTableBodyProps & { skeleton: ReactNode }>(
  async () => (await import('./long-table-body.tsx')).LongTableBody,
  {
    fallback: ({ skeleton }) => skeleton,
    failure: (
      <caption>
        <PartFailure />
      </caption>
    ),
  },
)

interface TableProps<M extends ListedModel> {
  label: string
  list: List<M>
  selection: Selection
  renderRow: (row: Rows[M], index: number) => ReactNode
  /** Rows that show everything in one cell. */
  phone: PhoneRows | null
  /** The icons of columns whose heading is an icon, by `src`. */
  headingIcons?: Readonly<Record<string, ReactNode>>
  /** Replaces the default text when there are no records. */
  empty?: ReactNode
  nothingFound?: string | undefined
}

const sizeOf = (element: Element | null, property: 'paddingBottom' | 'marginBottom'): number =>
  element === null ? 0 : Number.parseFloat(getComputedStyle(element)[property]) || 0

/** Ends the scroll area, with what follows it, where the window ends. */
function fitToWindow(scrollArea: HTMLElement): void {
  const top = scrollArea.getBoundingClientRect().top + window.scrollY
  const below = scrollArea.nextElementSibling?.getBoundingClientRect().height ?? 0
  const main = scrollArea.closest('main')
  const section = scrollArea.parentElement
  // A list from edge to edge has a negative margin.
  const margin = sizeOf(main, 'paddingBottom') + sizeOf(section, 'marginBottom')
  scrollArea.style.setProperty('--datatable-around', `${Math.ceil(top + below + margin + 1)}px`)
}

/** Says for the styles whether the table scrolls sideways: cells stick only then. The width without the scroll bar decides. */
function markSideways(scrollArea: HTMLElement): void {
  scrollArea.toggleAttribute('data-sideways', scrollArea.scrollWidth > scrollArea.clientWidth)
}

/** The element that scrolls. It ends where the window does, and starts at the top when the list shows something else. */
function useScrollArea(shownKey: string) {
  const [scrollArea, setScrollArea] = useState<HTMLDivElement | null>(null)
  const [resized, { width: areaPx }] = useResizeObserver<HTMLDivElement>()
  const element = useRef<HTMLDivElement>(null)
  const ref = useMergedRef(setScrollArea, resized, element)
  const lastShown = useRef(shownKey)
  // After each rendering and when its neighbors change their height, which they can do without a rendering of the table.
  useLayoutEffect(() => {
    if (scrollArea === null) return undefined
    fitToWindow(scrollArea)
    markSideways(scrollArea)
    const observer = new ResizeObserver(() => fitToWindow(scrollArea))
    const neighbors = [...(scrollArea.parentElement?.children ?? [])].filter((element) => element !== scrollArea)
    for (const element of neighbors) observer.observe(element)
    return () => observer.disconnect()
  })
  useLayoutEffect(() => {
    if (element.current !== null && lastShown.current !== shownKey) element.current.scrollTop = 0
    lastShown.current = shownKey
  }, [shownKey])
  return { scrollArea, areaPx, ref }
}

/** Whether the table is scrolled to its left and to its right end. */
function useSideScroll() {
  const [atStart, setAtStart] = useState(true)
  const [atEnd, setAtEnd] = useState(false)
  const onScroll = ({ currentTarget: { scrollLeft, clientWidth, scrollWidth } }: UIEvent<HTMLDivElement>) => {
    setAtStart(scrollLeft === 0)
    setAtEnd(scrollLeft + clientWidth >= scrollWidth - 1)
  }
  return { atStart, atEnd, onScroll }
}

/** The widths of the columns, in pixels, and which of them share the remaining width. On a phone, a row has the width of the screen. */
function sizesOf<M extends ListedModel>({ columns, rights, windowed: dense, layout }: List<M>, phone: PhoneRows | null) {
  const widths = columnWidths(columns, { dense, hasActions: rights.actions, chosen: layout.widths })
  const checkPx = dense ? DENSE_CHECK_PX : CHECK_PX
  const fixedPx = rights.actions ? checkPx + MENU_PX : 0
  return {
    widths,
    checkPx,
    tablePx: phone ? 0 : widths.reduce((sum, width) => sum + width, fixedPx),
    elastic: columns.map((column) => phone !== null || isElastic(column, columns, layout.widths)),
  }
}

/** The scrolling table: sticky head and first column, fixed widths, and only the visible rows of a long list. */
export function Table<M extends ListedModel>({ label, list, selection, renderRow, phone, headingIcons, ...texts }: TableProps<M>) {
  const { slots, columns, loading, rights, compact, shownKey, windowed: dense } = list
  const { scrollArea, areaPx, ref } = useScrollArea(shownKey)
  const { atStart, atEnd, onScroll } = useSideScroll()
  const rowPx = phone?.rowPx ?? (compact ? COMPACT_ROW_PX : ROW_PX)
  const { widths, elastic, checkPx, tablePx } = sizesOf(list, phone)
  const skeletonColumns = (phone === null ? columns.length || UNKNOWN_COLUMNS : 1) + (rights.actions ? 2 : 0)
  const skeleton = <SkeletonBody rows={list.perPage + (columns.length === 0 ? 1 : 0)} columns={skeletonColumns} />
  const body = {
    list,
    rows: slots.length,
    rowPx,
    columns: skeletonColumns,
    renderRow: (index: number) => (slots[index] === undefined ? null : renderRow(slots[index], index)),
    scrollArea,
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
      <table
        className={classes['table']}
        aria-label={label}
        aria-rowcount={slots.length + 1}
        data-dense={dense || undefined}
        data-select={rights.actions || undefined}
        data-compact={rowPx === COMPACT_ROW_PX || undefined}
        data-phone={phone ? true : undefined}
        // Otherwise the browser would share the remaining width among columns whose width the user has set.
        data-exact={(columns.length > 0 && !elastic.includes(true)) || undefined}
        style={{ minWidth: tablePx }}
      >
        <colgroup>
          {rights.actions && <col width={checkPx} />}
          {columns.map((column, index) => (
            <col key={column.src} style={{ width: elastic[index] ? undefined : widths[index] }} />
          ))}
          {rights.actions && <col width={MENU_PX} />}
        </colgroup>
        {columns.length > 0 && <TableHead list={list} selection={selection} icons={headingIcons} phone={phone} widths={widths} />}
        <Body key={rowPx} {...body} loading={loading} preload={dense} measured={phone?.measured === true} skeleton={skeleton} />
      </table>
      <TableMessage list={list} {...texts} />
      <ChangesElsewhere list={list} />
    </div>
  )
}

/** Shows the rows that other users have added, removed or moved. */
const ChangesElsewhere = <M extends ListedModel>({ list: { changedElsewhere, showChanges } }: { list: List<M> }) => (
  <div className={classes['changes']} role="status">
    {changedElsewhere > 0 && (
      <Button h={36} radius="xl" leftSection={<IconRefresh size={16} aria-hidden />} onClick={showChanges}>
        {plural(changedElsewhere, 'row')} changed
      </Button>
    )}
  </div>
)

interface BodyProps extends LongTableBodyProps {
  loading: boolean
  /** The list is probably long. */
  preload: boolean
  skeleton: ReactNode
}

function Body({ loading, preload, skeleton, measured, ...props }: BodyProps) {
  useEffect(() => {
    if (preload) LongTableBody.preload()
  }, [preload])
  if (loading) return skeleton
  return props.rows > SHORT_ROWS_MAX ? <LongTableBody {...props} measured={measured} skeleton={skeleton} /> : <TableBody {...props} />
}

const SkeletonBody = ({ rows, columns }: { rows: number; columns: number }) => (
  <tbody aria-hidden>
    {Array.from({ length: Math.min(rows, SKELETON_ROWS_MAX) }, (_, row) => (
      <SkeletonRow key={row} columns={columns} />
    ))}
  </tbody>
)
