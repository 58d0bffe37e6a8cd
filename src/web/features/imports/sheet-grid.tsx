import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent, type RefObject } from 'react'
import type { ImportRow } from '#contract/import-rows.ts'
import { columnLetter, isSplit } from './import-labels.ts'
import { SheetColumnHead } from './sheet-column-head.tsx'
import classes from './sheet-grid.module.css'
import { SheetRow } from './sheet-row.tsx'
import { moveSelection, type SheetSelection } from './sheet-selection.ts'
import { useSheetRows, type ImportProps } from './use-import.ts'

/** In px, repeated in the style sheet. */
const ROW_PX = 32
const COLUMN_PX = 168
const ROW_HEAD_PX = 76
const HEAD_PX = 122

const FIRST_CELL: SheetSelection = { row: 0, column: 0 }

interface SheetGridProps extends ImportProps {
  selected: SheetSelection | null
  onSelect: (selection: SheetSelection) => void
  /** Receives the selected row when it is loaded or changed. */
  onRow: (row: ImportRow | undefined) => void
}

/** The sheet as a spreadsheet. Only the visible part is rendered, and rows are fetched by page while scrolling. */
export function SheetGrid({ data, editable, selected, onSelect, onRow, onPatch }: SheetGridProps) {
  const [editing, setEditing] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const { rows, columns } = useVirtualGrid(frame, data.total, data.columns.length)
  const visibleRows = rows.getVirtualItems()
  const visibleColumns = columns.getVirtualItems()
  const split = isSplit(data)
  const rowAt = useSheetRows(data.id, visibleRows[0]?.index ?? 0, visibleRows.at(-1)?.index ?? 0)
  const selectedRow = selected === null ? undefined : rowAt(selected.row)

  useEffect(() => onRow(selectedRow), [selectedRow, onRow])
  useEffect(() => {
    if (selected === null) return
    rows.scrollToIndex(selected.row)
    if (selected.column !== null) columns.scrollToIndex(selected.column)
  }, [selected, rows, columns])

  const letterOfField = useMemo(
    () => new Map(data.columns.flatMap(({ field, letter }) => (field === null ? [] : [[field, letter]]))),
    [data.columns],
  )
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
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest('input, select, button') !== null) return
    const next = moveSelection(selected ?? FIRST_CELL, event.key, data.total, data.columns.length)
    if (next !== null) {
      event.preventDefault()
      select(selected === null ? FIRST_CELL : next)
    }
    if ((event.key === 'Enter' || event.key === 'F2') && editable && selected !== null && selected.column !== null) {
      event.preventDefault()
      setEditing(true)
    }
  }
  // Rows are memoized, so their props must be stable while scrolling.
  const endEditing = useCallback(() => {
    setEditing(false)
    frame.current?.focus()
  }, [])

  return (
    <div
      ref={frame}
      className={classes['frame']}
      role="grid"
      tabIndex={0}
      aria-label={`Sheet of ${data.file_name}`}
      aria-rowcount={data.total}
      aria-colcount={data.columns.length + 1}
      aria-activedescendant={selected === null ? undefined : cellId(selected)}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onDoubleClick={(event) => setEditing(editable && selectionAt(event.target)?.column != null)}
    >
      <div className={classes['canvas']} style={{ height: rows.getTotalSize(), width: columns.getTotalSize() }}>
        <div className={classes['head']} role="row" style={{ height: HEAD_PX }}>
          <div className={classes['corner']} role="columnheader" style={{ width: ROW_HEAD_PX }}>
            Row
          </div>
          {visibleColumns.map(({ index, start }) => {
            const column = data.columns[index]
            return (
              column && (
                <SheetColumnHead
                  key={column.letter}
                  column={column}
                  index={index}
                  letterOfField={letterOfField}
                  left={start}
                  editable={editable}
                  onPatch={onPatch}
                />
              )
            )
          })}
        </div>
        {visibleRows.map(({ index, start }) => (
          <SheetRow
            key={index}
            index={index}
            top={start}
            row={rowAt(index)}
            columns={data.columns}
            visible={visibleColumns}
            split={split}
            selected={selected?.row === index ? selected : null}
            editing={editing && selected?.row === index}
            onEndEdit={endEditing}
            onPatch={onPatch}
          />
        ))}
      </div>
    </div>
  )
}

function useVirtualGrid(frame: RefObject<HTMLDivElement | null>, rowCount: number, columnCount: number) {
  const getScrollElement = () => frame.current
  const rows = useVirtualizer({
    count: rowCount,
    getScrollElement,
    estimateSize: () => ROW_PX,
    overscan: 12,
    paddingStart: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
  })
  const columns = useVirtualizer({
    horizontal: true,
    count: columnCount,
    getScrollElement,
    estimateSize: () => COLUMN_PX,
    overscan: 3,
    paddingStart: ROW_HEAD_PX,
    scrollPaddingStart: ROW_HEAD_PX,
  })
  return { rows, columns }
}

const cellId = ({ row, column }: SheetSelection) => `cell-${row}-${column === null ? 'row' : columnLetter(column + 1)}`

/** The cell or row head that contains the target of an event; null inside the input of an edited cell. */
function selectionAt(target: EventTarget): SheetSelection | null {
  if (!(target instanceof Element) || target.closest('input') !== null) return null
  const cell = target.closest('[data-row]')
  if (cell === null) return null
  const column = cell.getAttribute('data-column')
  return { row: Number(cell.getAttribute('data-row')), column: column === null ? null : Number(column) }
}
