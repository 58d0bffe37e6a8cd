import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type RefObject } from 'react'
import { SheetColumnHead } from './sheet-column-head.tsx'
import classes from './sheet-grid.module.css'
import { SheetRow } from './sheet-row.tsx'
import { cellId, moveSelection, type SheetSelection } from './sheet-selection.ts'
import { useOpenImport, useSheetRows } from './use-import.ts'

/** In px, repeated in the style sheet. */
const ROW_PX = 32
const COLUMN_PX = 168
const ROW_HEAD_PX = 76
const HEAD_PX = 122

const FIRST_CELL: SheetSelection = { row: 0, column: 0 }

interface SheetGridProps {
  selected: SheetSelection | null
  onSelect: (selection: SheetSelection) => void
}

/** The sheet as a spreadsheet. Only the visible part is rendered, and rows are fetched by page while scrolling. */
export function SheetGrid({ selected, onSelect }: SheetGridProps) {
  const { data } = useOpenImport()
  const frame = useRef<HTMLDivElement>(null)
  const { rows, columns } = useVirtualSheet(frame, selected)
  const visibleRows = rows.getVirtualItems()
  const visibleColumns = columns.getVirtualItems()
  const rowAt = useSheetRows(data.id, visibleRows[0]?.index ?? 0, visibleRows.at(-1)?.index ?? 0)
  const { editing, endEditing, handlers } = useSheetEvents(frame, { selected, onSelect })
  return (
    <div
      ref={frame}
      className={classes['frame']}
      role="grid"
      tabIndex={0}
      aria-label={`Sheet of ${data.file_name}`}
      aria-rowcount={data.sheet_rows}
      aria-colcount={data.columns.length + 1}
      aria-activedescendant={selected === null ? undefined : cellId(selected)}
      {...handlers}
    >
      <div className={classes['canvas']} style={{ height: rows.getTotalSize(), width: columns.getTotalSize() }}>
        <div className={classes['head']} role="row" style={{ height: HEAD_PX }}>
          <div className={classes['corner']} role="columnheader" style={{ width: ROW_HEAD_PX }}>
            Row
          </div>
          {visibleColumns.map(({ index, start }) => (
            <SheetColumnHead key={index} index={index} left={start} />
          ))}
        </div>
        {visibleRows.map(({ index, start }) => (
          <SheetRow
            key={index}
            index={index}
            top={start}
            row={rowAt(index)}
            visible={visibleColumns}
            selected={selected?.row === index ? selected : null}
            editing={editing && selected?.row === index}
            onEndEdit={endEditing}
          />
        ))}
      </div>
    </div>
  )
}

/** Which rows and columns are in view; scrolls to the selected cell. */
function useVirtualSheet(frame: RefObject<HTMLElement | null>, selected: SheetSelection | null) {
  const { data } = useOpenImport()
  const getScrollElement = () => frame.current
  const rows = useVirtualizer({ count: data.sheet_rows, getScrollElement, overscan: 12, ...sizes(ROW_PX, HEAD_PX) })
  const columnSizes = sizes(COLUMN_PX, ROW_HEAD_PX)
  const columns = useVirtualizer({ horizontal: true, count: data.columns.length, getScrollElement, overscan: 3, ...columnSizes })
  useEffect(() => {
    if (selected === null) return
    rows.scrollToIndex(selected.row)
    if (selected.column !== null) columns.scrollToIndex(selected.column)
  }, [selected, rows, columns])
  return { rows, columns }
}

/** Options of a virtualizer for items of one size, after the space of their heads; in px. */
const sizes = (item: number, head: number) => ({ estimateSize: () => item, paddingStart: head, scrollPaddingStart: head })

/** The cell or row head that contains the target of an event; null inside the input of an edited cell. */
function selectionAt(target: EventTarget): SheetSelection | null {
  if (!(target instanceof Element)) return null
  const { row, column } = target.closest<HTMLElement>('input, [data-row]')?.dataset ?? {}
  return row === undefined ? null : { row: Number(row), column: column === undefined ? null : Number(column) }
}

/** Selects and edits cells by mouse and keyboard. */
function useSheetEvents(frame: RefObject<HTMLElement | null>, { selected, onSelect }: SheetGridProps) {
  const { data, editable } = useOpenImport()
  const [editing, setEditing] = useState(false)
  const select = (next: SheetSelection) => {
    setEditing(false)
    onSelect(next)
  }
  const onClick = (event: MouseEvent) => {
    const target = selectionAt(event.target)
    if (target === null) return
    // Cells are unmounted while scrolling, so the grid itself has the keyboard focus.
    frame.current?.focus({ preventScroll: true })
    select(target)
  }
  const onDoubleClick = (event: MouseEvent) => setEditing(editable && selectionAt(event.target)?.column != null)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest('input, select, button') !== null) return
    const next = moveSelection(selected ?? FIRST_CELL, event.key, data.sheet_rows, data.columns.length)
    const edits = (event.key === 'Enter' || event.key === 'F2') && editable && selected !== null && selected.column !== null
    if (next !== null) select(selected === null ? FIRST_CELL : next)
    if (edits) setEditing(true)
    if (next !== null || edits) event.preventDefault()
  }
  // Rows are memoized, so their props must be stable while scrolling.
  const endEditing = useCallback(() => {
    setEditing(false)
    frame.current?.focus()
  }, [frame])
  return { editing, endEditing, handlers: { onClick, onDoubleClick, onKeyDown } }
}
