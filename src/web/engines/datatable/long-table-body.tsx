import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { SECOND_MS } from '#contract/limits.ts'
import { HEAD_PX, TableBody, type TableBodyProps } from './table-body.tsx'
import { WINDOW_ROWS } from './windowed-rows.ts'

/** Rows are requested, and the place is stored in the address, once scrolling has paused this long. */
const SETTLED_MS = 0.08 * SECOND_MS

export interface LongTableBodyProps extends TableBodyProps {
  /** Rows have different heights, of which `rowPx` is an estimate. */
  measured: boolean
}

/** The rows of a long list, only those near the visible area. A component of its own, so that scrolling renders nothing else. */
export function LongTableBody({ measured, ...props }: LongTableBodyProps) {
  const { list, rows, rowPx, scrollArea } = props
  const { windowed, state } = list
  // The row with the focus stays rendered when it is scrolled out of view: what is typed there is not lost.
  const [focused, setFocused] = useState(-1)
  const virtualizer = useVirtualizer({
    count: rows,
    getScrollElement: () => scrollArea,
    estimateSize: () => rowPx,
    overscan: 12,
    scrollPaddingEnd: HEAD_PX,
    initialOffset: windowed ? (state.page - 1) * WINDOW_ROWS * rowPx : 0,
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range)
      return focused < 0 || focused >= rows || near.includes(focused) ? near : [...near, focused].toSorted((a, b) => a - b)
    },
  })
  useLoading(list, virtualizer.range)
  useLayoutEffect(() => {
    if (measured) for (const row of scrollArea?.querySelectorAll('tr[data-index]') ?? []) virtualizer.measureElement(row)
  })
  const rendered = {
    places: virtualizer.getVirtualItems(),
    totalPx: virtualizer.getTotalSize(),
    onFocusRow: setFocused,
    scrollTo: (index: number) => virtualizer.scrollToIndex(index),
  }
  return <TableBody {...props} rendered={rendered} />
}

/** Loads the rows in view and stores the place in the address, so that a link or a reload leads back to it. */
function useLoading({ windowed, showRows, state, change }: TableBodyProps['list'], range: { startIndex: number; endIndex: number } | null) {
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
