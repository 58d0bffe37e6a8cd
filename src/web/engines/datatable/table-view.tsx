import { useMediaQuery, useResizeObserver } from '@mantine/hooks'
import { useState, type ReactNode, type UIEvent } from 'react'
import type { Column } from '#contract/datatable.ts'
import { SIDEBAR_COLLAPSE_PX } from '#contract/limits.ts'
import { rowWindow, scrollStep } from './row-window.ts'
import { columnWidth, isElastic } from './visible-columns.ts'
import classes from './table.module.css'

const CHECK_PX = 40
const MENU_PX = 48
/** Before the view is measured, as when it is first drawn. */
const USUAL_VIEW_PX = 800

interface TableViewProps<R> {
  label: string
  columns: readonly Column[]
  withCheck: boolean
  withMenu: boolean
  head: ReactNode
  rows: readonly R[]
  drawRow: (row: R) => ReactNode
  /** Instead of rows, while there are none to show. */
  body?: ReactNode
  /** Below the table within the scrolled area: empty and failed states. */
  message?: ReactNode
  foot?: ReactNode
  busy: boolean
}

const SPACER = (height: number, key: string) =>
  height > 0 && (
    <tr key={key} className={classes['spacer']} aria-hidden ref={(row) => row?.style.setProperty('height', `${height}px`)}>
      <td />
    </tr>
  )

/** The scrolled table itself: sticky head and first column, fixed widths, long lists drawn by window. */
export function TableView<R>({ label, columns, withCheck, withMenu, head, rows, drawRow, body, message, foot, busy }: TableViewProps<R>) {
  const [scrollTop, setScrollTop] = useState(0)
  const [sideways, setSideways] = useState(false)
  const [area, size] = useResizeObserver<HTMLDivElement>()
  const narrow = useMediaQuery(`(max-width: ${SIDEBAR_COLLAPSE_PX - 1}px)`) ?? false
  const shown = rowWindow(rows.length, scrollTop, size.height || USUAL_VIEW_PX)
  const widths = columns.map((column) => columnWidth(column, narrow))
  const total = widths.reduce((sum, width) => sum + width, (withCheck ? CHECK_PX : 0) + (withMenu ? MENU_PX : 0))
  const [atEnd, setAtEnd] = useState(false)
  const more = total > size.width && size.width > 0 && !atEnd
  const scroll = (event: UIEvent<HTMLDivElement>) => {
    const { scrollLeft, clientWidth, scrollWidth } = event.currentTarget
    setSideways(scrollLeft > 0)
    setAtEnd(scrollLeft + clientWidth >= scrollWidth - 1)
    if (rows.length > shown.end - shown.first) setScrollTop(scrollStep(event.currentTarget.scrollTop))
  }
  return (
    <div
      ref={area}
      className={classes['scroll']}
      data-scrolled={sideways || undefined}
      data-more={more || undefined}
      onScroll={scroll}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled area must be reachable by keyboard
      tabIndex={0}
      role="region"
      aria-label={`Table of ${label}`}
      aria-busy={busy}
    >
      <table className={classes['table']} aria-label={label} aria-rowcount={rows.length + 1} style={{ minWidth: total }}>
        <colgroup>
          {withCheck && <col width={CHECK_PX} />}
          {columns.map((column, index) => (
            <col key={column.src} {...(isElastic(column, columns, narrow) ? {} : { width: widths[index] })} />
          ))}
          {withMenu && <col width={MENU_PX} />}
        </colgroup>
        {head}
        {body ?? (
          <tbody>
            {SPACER(shown.beforePx, 'before')}
            {rows.slice(shown.first, shown.end).map(drawRow)}
            {SPACER(shown.afterPx, 'after')}
          </tbody>
        )}
        {foot}
      </table>
      {message}
    </div>
  )
}
