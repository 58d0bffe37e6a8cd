import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent, type RefObject } from 'react'
import type { Import, ImportColumn, Reading } from '#contract/imports.ts'
import { isSplit } from './import-labels.ts'
import { SheetColumnHead, targetLabel } from './sheet-column-head.tsx'
import classes from './sheet-grid.module.css'
import { SheetRow } from './sheet-row.tsx'
import { cellId, moveSelection, type SheetSelection } from './sheet-selection.ts'
import { useOpenImport, useSheetRows } from './use-import.ts'

/** In px, repeated in the style sheet. */
const ROW_PX = 28
const HEAD_PX = 46
const ROW_HEAD_PX = 58
/** With the name of the sheet in front of each number. */
const SPLIT_ROW_HEAD_PX = 128
const COLUMN_MIN_PX = 72
const COLUMN_MAX_PX = 168
const IGNORED_PX = 30
const CHARACTER_PX = 7.4
const PADDING_PX = 20
/** A longer name of a field is cut. */
const TARGET_MAX_CHARACTERS = 11

const FIRST_CELL: SheetSelection = { row: 0, column: 0 }

interface SheetGridProps {
  selected: SheetSelection | null
  onSelect: (selection: SheetSelection) => void
  /** Cells as they will be can be selected, but not edited in place. */
  reading: Reading
}

/** The sheet as a spreadsheet. Only the visible part is rendered, and rows are fetched by page while scrolling. */
export function SheetGrid({ selected, onSelect, reading }: SheetGridProps) {
  const { data } = useOpenImport()
  const frame = useRef<HTMLDivElement>(null)
  const { folded, unfold } = useFoldedTitles(data, selected)
  const { rows, columns } = useVirtualSheet(frame, selected, folded)
  const visibleRows = rows.getVirtualItems().map(({ index, start }) => ({ index: index + Math.max(0, folded - 1), start }))
  const visibleColumns = columns.getVirtualItems()
  const rowAt = useSheetRows(data.id, visibleRows[0]?.index ?? 0, visibleRows.at(-1)?.index ?? 0, reading)
  const { editing, typed, endEditing, handlers } = useSheetEvents(frame, { selected, onSelect, reading })
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
      data-stale={data.activity !== null || undefined}
      {...handlers}
    >
      <div
        className={classes['canvas']}
        data-split={isSplit(data) || undefined}
        style={{ height: rows.getTotalSize(), width: columns.getTotalSize() }}
      >
        <div className={classes['head']} role="row" style={{ height: HEAD_PX }}>
          <div className={classes['corner']} role="columnheader">
            Row
          </div>
          {visibleColumns.map(({ index, start, size }) => (
            <SheetColumnHead key={index} index={index} left={start} width={size} reading={reading} />
          ))}
        </div>
        {visibleRows.map(({ index, start }) =>
          index < folded ? (
            <FoldedTitles key="titles" count={folded} top={start} onUnfold={unfold} />
          ) : (
            <SheetRow
              key={index}
              index={index}
              top={start}
              row={rowAt(index)}
              reading={reading}
              visible={visibleColumns}
              selected={selected?.row === index ? selected : null}
              editing={editing && selected?.row === index}
              typed={typed}
              onEndEdit={endEditing}
            />
          ),
        )}
      </div>
    </div>
  )
}

/** How many rows at the top, titles and the header, are folded into one line. Selecting one of them unfolds them. */
function useFoldedTitles({ header_row }: Import, selected: SheetSelection | null) {
  const [open, setOpen] = useState(false)
  const inside = selected !== null && selected.row < (header_row ?? 0)
  if (inside && !open) setOpen(true)
  return { folded: open || inside || header_row === null || header_row < 2 ? 0 : header_row, unfold: () => setOpen(true) }
}

function FoldedTitles({ count, top, onUnfold }: { count: number; top: number; onUnfold: () => void }) {
  return (
    <div className={classes['row']} role="row" aria-rowindex={1} data-out style={{ top }}>
      <div role="rowheader" className={classes['rowHead']}>
        1–{count}
      </div>
      <div role="gridcell" className={classes['folded']}>
        <button type="button" onClick={onUnfold}>
          <IconChevronRight size={14} aria-hidden />
          Titles and header row <span className={classes['why']}>{count} rows, not locations</span>
        </button>
      </div>
    </div>
  )
}

/** Columns are as wide as their content; an ignored one shrinks to a strip. */
function columnWidth(column: ImportColumn): number {
  if (column.state === 'ignored') return IGNORED_PX
  const target = targetLabel(column).slice(0, TARGET_MAX_CHARACTERS) + (column.state === 'confirm' ? ' Confirm ' : '')
  const texts = [`${column.letter}  ${column.header}`, target, ...column.samples]
  const characters = Math.max(...texts.map(({ length }) => length))
  return Math.round(Math.min(COLUMN_MAX_PX, Math.max(COLUMN_MIN_PX, characters * CHARACTER_PX + PADDING_PX)))
}

/** Which rows and columns are in view; scrolls to the selected cell. */
function useVirtualSheet(frame: RefObject<HTMLElement | null>, selected: SheetSelection | null, folded: number) {
  const { data } = useOpenImport()
  const getScrollElement = () => frame.current
  const hidden = Math.max(0, folded - 1)
  const rowHead = isSplit(data) ? SPLIT_ROW_HEAD_PX : ROW_HEAD_PX
  const widths = useMemo(() => data.columns.map(columnWidth), [data.columns])
  const rows = useVirtualizer({
    count: data.sheet_rows - hidden,
    getScrollElement,
    overscan: 12,
    estimateSize: () => ROW_PX,
    ...headSpace(HEAD_PX),
  })
  const columns = useVirtualizer({
    horizontal: true,
    count: widths.length,
    getScrollElement,
    overscan: 3,
    estimateSize: (index) => widths[index] ?? COLUMN_MIN_PX,
    ...headSpace(rowHead),
  })
  useEffect(() => columns.measure(), [columns, widths])
  useEffect(() => {
    if (selected === null) return
    rows.scrollToIndex(selected.row - hidden)
    if (selected.column !== null) columns.scrollToIndex(selected.column)
  }, [selected, rows, columns, hidden])
  return { rows, columns }
}

const headSpace = (head: number) => ({ paddingStart: head, scrollPaddingStart: head })

/** The cell or row head that contains the target of an event; null inside the input of an edited cell. */
function selectionAt(target: EventTarget): SheetSelection | null {
  if (!(target instanceof Element)) return null
  const { row, column } = target.closest<HTMLElement>('input, [data-row]')?.dataset ?? {}
  return row === undefined ? null : { row: Number(row), column: column === undefined ? null : Number(column) }
}

/** The character of a key, which replaces the text of the selected cell, as in spreadsheet programs; null for any other key. */
const typedText = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string | null =>
  [...key].length === 1 && (ctrlKey || metaKey) === altKey ? key : null

/** Selects and edits cells by mouse and keyboard. */
function useSheetEvents(frame: RefObject<HTMLElement | null>, { selected, onSelect, reading }: SheetGridProps) {
  const open = useOpenImport()
  const { data } = open
  const editable = open.editable && reading === 'file'
  const [editing, setEditing] = useState(false)
  /** The text that the edited cell begins with instead of its own. */
  const [typed, setTyped] = useState<string | null>(null)
  const edit = (text: string | null) => {
    setTyped(text)
    setEditing(true)
  }
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
  const onDoubleClick = (event: MouseEvent) => {
    // Inside the input of an edited cell, it selects a word.
    if (editable && !editing && selectionAt(event.target)?.column != null) edit(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest('input, select, button') !== null) return
    const next = moveSelection(selected ?? FIRST_CELL, event.key, data.sheet_rows, data.columns.length)
    const text = typedText(event)
    const edits =
      (event.key === 'Enter' || event.key === 'F2' || text !== null) && editable && selected !== null && selected.column !== null
    if (next !== null) select(selected === null ? FIRST_CELL : next)
    if (edits) edit(text)
    // The shortcuts of the page are single keys.
    if (edits && text !== null) event.nativeEvent.stopImmediatePropagation()
    if (next !== null || edits) event.preventDefault()
  }
  // Rows are memoized, so their props must be stable while scrolling.
  const endEditing = useCallback(() => {
    setEditing(false)
    frame.current?.focus()
  }, [frame])
  return { editing, typed, endEditing, handlers: { onClick, onDoubleClick, onKeyDown } }
}
