import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import {
  memo,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { SECOND_MS } from '#contract/limits.ts'
import type { ListedModel, Rows } from '#web/data/queries.ts'
import { focusControl, moveBetweenRows } from '#web/ui/row-keys.ts'
import type { List } from './list.ts'
import { WINDOW_ROWS } from './windowed-rows.ts'
import classes from './table.module.css'

export const ROW_PX = 40
export const COMPACT_ROW_PX = 32
const HEAD_PX = 40
/** Shorter lists render all rows, so that the browser's own search in the page finds them. */
const VIRTUAL_ABOVE_ROWS = 150
/** Rows are requested, and the place is stored in the address, once scrolling has paused this long. */
const SETTLED_MS = 0.08 * SECOND_MS

interface TableBodyProps<M extends ListedModel> {
  list: List<M>
  rowPx: number
  /** Rows have different heights, of which `rowPx` is an estimate. */
  measured: boolean
  /** Columns of a row that is not loaded yet. */
  columns: number
  renderRow: (row: Rows[M], index: number) => ReactNode
  scrollArea: HTMLElement | null
}

/** The index of the row that contains an element, -1 outside of rows. */
const rowIndexOf = (element: Element | null): number => Number(element?.closest('tr')?.getAttribute('aria-rowindex') ?? 1) - 2

interface VirtualOptions extends Pick<TableBodyProps<ListedModel>, 'rowPx' | 'scrollArea'> {
  list: Pick<List, 'slots' | 'windowed' | 'state'>
  /** The row with the focus stays rendered when it is scrolled out of view: what is typed there is not lost. */
  focused: number
  enabled: boolean
}

const useVirtualRows = ({ list: { slots, windowed, state }, rowPx, scrollArea, focused, enabled }: VirtualOptions) =>
  useVirtualizer({
    count: slots.length,
    enabled,
    getScrollElement: () => scrollArea,
    estimateSize: () => rowPx,
    overscan: 12,
    scrollPaddingEnd: HEAD_PX,
    initialOffset: windowed ? (state.page - 1) * WINDOW_ROWS * rowPx : 0,
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range)
      return focused < 0 || focused >= slots.length || near.includes(focused) ? near : [...near, focused].toSorted((a, b) => a - b)
    },
  })

/** The rows; of a long list only those near the visible area. A component of its own, so that scrolling renders nothing else. */
export function TableBody<M extends ListedModel>({ list, rowPx, measured, columns, renderRow, scrollArea }: TableBodyProps<M>) {
  const { slots } = list
  const enabled = slots.length > VIRTUAL_ABOVE_ROWS
  const [focused, setFocused] = useState(-1)
  const virtualizer = useVirtualRows({ list, rowPx, scrollArea, focused, enabled })
  const places = enabled ? virtualizer.getVirtualItems() : slots.map((_, index) => ({ index, start: 0, end: 0 }))
  useLoading(list, enabled ? virtualizer.range : null)
  const pending = useRef<{ index: number; name: string }>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  useLayoutEffect(() => {
    if (enabled && measured) for (const row of body.current?.querySelectorAll('tr[data-index]') ?? []) virtualizer.measureElement(row)
  })
  /** Focuses the requested row as soon as it is rendered and loaded. */
  const focusPending = () => {
    const row = pending.current && body.current?.querySelector(`tr[aria-rowindex="${pending.current.index + 2}"]`)
    if (row && pending.current && focusControl(row, pending.current.name)) pending.current = null
  }
  useEffect(focusPending)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) =>
    moveBetweenRows(event, (row) => ({
      index: rowIndexOf(row),
      count: slots.length,
      pageRows: Math.max(1, Math.floor(((scrollArea?.clientHeight ?? 0) - HEAD_PX) / rowPx) - 1),
      focusRow: (index, name) => {
        pending.current = { index, name }
        if (enabled) {
          setFocused(index)
          virtualizer.scrollToIndex(index)
        }
        focusPending()
      },
    }))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of the controls in the rows
    <tbody
      ref={body}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => enabled && setFocused(rowIndexOf(target))}
      onBlur={({ relatedTarget, currentTarget }: FocusEvent) => {
        if (enabled && relatedTarget !== null && !currentTarget.contains(relatedTarget)) setFocused(-1)
      }}
    >
      {rowsWithGaps(places, enabled ? virtualizer.getTotalSize() : 0, (index) => {
        const row = slots[index]
        if (row !== undefined) return renderRow(row, index)
        return list.gone.has(index) ? (
          <GoneRow key={`row-${index}`} columns={columns} />
        ) : (
          <SkeletonRow key={`row-${index}`} columns={columns} />
        )
      })}
    </tbody>
  )
}

/** Loads the rows in view and stores the place in the address, so that a link or a reload leads back to it. */
function useLoading<M extends ListedModel>(
  { windowed, showRows, state, change }: List<M>,
  range: { startIndex: number; endIndex: number } | null,
) {
  // Plain values, because `range` is a new object after each scroll.
  const [first, last] = [range?.startIndex ?? 0, range?.endIndex ?? 0]
  const active = windowed && range !== null
  const load = useEffectEvent(() => {
    showRows(first, last)
    const page = Math.floor(first / WINDOW_ROWS) + 1
    if (page !== state.page) change({ page }, { replace: true })
  })
  useEffect(() => {
    if (!active) return undefined
    const timer = setTimeout(load, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [active, first, last])
}

/** Rendered rows, with spacers in place of the others; all in pixels from the top of the first row. */
function rowsWithGaps(
  places: readonly { index: number; start: number; end: number }[],
  total: number,
  render: (index: number) => ReactNode,
): ReactNode[] {
  const parts: ReactNode[] = []
  let bottom = 0
  for (const { index, start, end } of places) {
    if (start > bottom) parts.push(<Spacer key={`before-${index}`} height={start - bottom} />)
    parts.push(render(index))
    bottom = end
  }
  if (total > bottom) parts.push(<Spacer key="end" height={total - bottom} />)
  return parts
}

function Spacer({ height }: { height: number }) {
  return (
    <tr className={classes['spacer']} aria-hidden style={{ height }}>
      <td />
    </tr>
  )
}

/** In the place of a row that is no longer in the list, until the user shows the changes. */
const GoneRow = ({ columns }: { columns: number }) => (
  <tr>
    <td colSpan={columns} className={classes['gone']}>
      Moved or removed
    </td>
  </tr>
)

/** While scrolling fast, most rows are not loaded. */
export const SkeletonRow = memo(({ columns }: { columns: number }) => (
  <tr>
    {Array.from({ length: columns }, (_, column) => (
      <td key={column}>
        <span className={classes['skeleton']} />
      </td>
    ))}
  </tr>
))
