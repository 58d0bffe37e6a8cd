import { memo, useEffect, useRef, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react'
import { focusControl, moveBetweenRows } from '#web/ui/row-keys.ts'
import type { List } from './list.ts'
import classes from './table.module.css'

export const ROW_PX = 40
export const COMPACT_ROW_PX = 32
export const HEAD_PX = 40

export interface TableBodyProps {
  list: Pick<List, 'windowed' | 'gone' | 'showRows' | 'state' | 'change'>
  rows: number
  rowPx: number
  /** Columns of a row that is not loaded yet. */
  columns: number
  /** Null for a row that is not loaded yet. */
  renderRow: (index: number) => ReactNode
  scrollArea: HTMLElement | null
}

/** The rows of a long list that are rendered, in pixels from the top of the first row. */
interface RenderedRows {
  places: readonly { index: number; start: number; end: number }[]
  totalPx: number
  /** The row with the focus, -1 if none has it. */
  onFocusRow: (index: number) => void
  scrollTo: (index: number) => void
}

/** The index of the row that contains an element, -1 outside of rows. */
const rowIndexOf = (element: Element | null): number => Number(element?.closest('tr')?.getAttribute('aria-rowindex') ?? 1) - 2

interface Props extends TableBodyProps {
  /** Otherwise all rows are rendered. */
  rendered?: RenderedRows
}

/** The rows, between which the keyboard moves. */
export function TableBody({ list, rows, rowPx, columns, renderRow, scrollArea, rendered }: Props) {
  const places = rendered?.places ?? Array.from({ length: rows }, (_, index) => ({ index, start: 0, end: 0 }))
  const pending = useRef<{ index: number; name: string }>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  /** Focuses the requested row as soon as it is rendered and loaded. */
  const focusPending = () => {
    const row = pending.current && body.current?.querySelector(`tr[aria-rowindex="${pending.current.index + 2}"]`)
    if (row && pending.current && focusControl(row, pending.current.name)) pending.current = null
  }
  useEffect(focusPending)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) =>
    moveBetweenRows(event, (row) => ({
      index: rowIndexOf(row),
      count: rows,
      pageRows: Math.max(1, Math.floor(((scrollArea?.clientHeight ?? 0) - HEAD_PX) / rowPx) - 1),
      focusRow: (index, name) => {
        pending.current = { index, name }
        rendered?.onFocusRow(index)
        rendered?.scrollTo(index)
        focusPending()
      },
    }))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of the controls in the rows
    <tbody
      ref={body}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => rendered?.onFocusRow(rowIndexOf(target))}
      onBlur={({ relatedTarget, currentTarget }: FocusEvent) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) rendered?.onFocusRow(-1)
      }}
    >
      {rowsWithGaps(places, rendered?.totalPx ?? 0, (index) => {
        const row = renderRow(index)
        if (row !== null) return row
        return list.gone.has(index) ? (
          <GoneRow key={`row-${index}`} columns={columns} />
        ) : (
          <SkeletonRow key={`row-${index}`} columns={columns} />
        )
      })}
    </tbody>
  )
}

/** Rendered rows, with spacers in place of the others. */
function rowsWithGaps(places: RenderedRows['places'], totalPx: number, render: (index: number) => ReactNode): ReactNode[] {
  const parts: ReactNode[] = []
  let bottom = 0
  for (const { index, start, end } of places) {
    if (start > bottom) parts.push(<Spacer key={`before-${index}`} height={start - bottom} />)
    parts.push(render(index))
    bottom = end
  }
  if (totalPx > bottom) parts.push(<Spacer key="end" height={totalPx - bottom} />)
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
