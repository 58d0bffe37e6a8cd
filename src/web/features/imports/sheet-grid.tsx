import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import type { ImportRow } from '#contract/import-rows.ts'
import type { Import } from '#contract/imports.ts'
import { columnLetter, isSplit } from './import-words.ts'
import { SheetColumnHead } from './sheet-column-head.tsx'
import classes from './sheet-grid.module.css'
import { SheetRow } from './sheet-row.tsx'
import { COLUMN_PX, HEAD_PX, ROW_HEAD_PX, ROW_PX } from './sheet-size.ts'
import { isGridKey, moveChosen, type Chosen } from './sheet-selection.ts'
import { useSheetRows } from './use-sheet-rows.ts'

export interface SheetGridProps {
  data: Import
  editable: boolean
  chosen: Chosen | null
  onChoose: (chosen: Chosen) => void
  onRow: (row: ImportRow | undefined) => void
  onMap: (letter: string, target: string | null) => void
  onEdit: (row: number, letter: string, value: string) => void
}

/** The sheet as a spreadsheet: only what is on screen is drawn, and rows are fetched by pages as it is scrolled. */
export function SheetGrid(props: SheetGridProps) {
  const { data, editable, chosen, onChoose, onRow } = props
  const [editing, setEditing] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: data.total,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    paddingStart: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
  })
  const columns = useVirtualizer({
    horizontal: true,
    count: data.columns.length,
    getScrollElement: () => frame.current,
    estimateSize: () => COLUMN_PX,
    overscan: 3,
    paddingStart: ROW_HEAD_PX,
    scrollPaddingStart: ROW_HEAD_PX,
  })
  const shown = rows.getVirtualItems()
  const split = isSplit(data)
  const rowAt = useSheetRows(data.id, shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0)
  const chosenRow = chosen === null ? undefined : rowAt(chosen.row)

  useEffect(() => onRow(chosenRow), [chosenRow, onRow])
  useEffect(() => {
    if (chosen === null) return
    rows.scrollToIndex(chosen.row)
    if (chosen.column !== null) columns.scrollToIndex(chosen.column)
  }, [chosen, rows, columns])

  const taken = useMemo(
    () => new Map(data.columns.flatMap(({ field, letter }) => (field === null ? [] : [[field, letter]]))),
    [data.columns],
  )
  const move = (next: Chosen) => {
    setEditing(false)
    onChoose(next)
  }
  const onClick = (event: MouseEvent) => {
    const place = placeOf(event.target)
    if (place === null) return
    // Cells come and go while the sheet is scrolled; the keyboard stays with the grid.
    frame.current?.focus({ preventScroll: true })
    move(place)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest('input, select, button') !== null) return
    if (isGridKey(event.key)) {
      event.preventDefault()
      move(chosen === null ? { row: 0, column: 0 } : moveChosen(chosen, event.key, data.total, data.columns.length))
    }
    if ((event.key === 'Enter' || event.key === 'F2') && editable && chosen !== null && chosen.column !== null) {
      event.preventDefault()
      setEditing(true)
    }
  }
  // Rows are memoised, so what they are given must stay the same while the sheet is scrolled.
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
      aria-activedescendant={chosen === null ? undefined : cellId(chosen)}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onDoubleClick={(event) => setEditing(editable && placeOf(event.target)?.column != null)}
    >
      <div className={classes['canvas']} style={{ height: rows.getTotalSize(), width: columns.getTotalSize() }}>
        <div className={classes['head']} role="row" style={{ height: HEAD_PX }}>
          <div className={classes['corner']} role="columnheader" style={{ width: ROW_HEAD_PX }}>
            Row
          </div>
          {columns.getVirtualItems().map(({ index, start }) => {
            const column = data.columns[index]
            return (
              column && (
                <SheetColumnHead
                  key={column.letter}
                  column={column}
                  index={index}
                  taken={taken}
                  left={start}
                  editable={editable}
                  onMap={props.onMap}
                />
              )
            )
          })}
        </div>
        {shown.map(({ index, start }) => (
          <SheetRow
            key={index}
            index={index}
            top={start}
            row={rowAt(index)}
            columns={data.columns}
            visible={columns.getVirtualItems()}
            split={split}
            chosen={chosen?.row === index ? chosen : null}
            editing={editing && chosen?.row === index}
            onEndEdit={endEditing}
            onEdit={props.onEdit}
          />
        ))}
      </div>
    </div>
  )
}

export const cellId = ({ row, column }: Chosen) => `cell-${row}-${column === null ? 'row' : columnLetter(column + 1)}`

/** The cell or row head that an event hit; null inside the field of an edited cell. */
function placeOf(target: EventTarget): Chosen | null {
  if (!(target instanceof Element) || target.closest('input') !== null) return null
  const hit = target.closest('[data-row]')
  if (hit === null) return null
  const column = hit.getAttribute('data-column')
  return { row: Number(hit.getAttribute('data-row')), column: column === null ? null : Number(column) }
}
