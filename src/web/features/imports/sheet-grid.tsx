import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { memo, useCallback, useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import type { ImportRow } from '#contract/import-rows.ts'
import { FIELDS, ROW_LABELS, cellText, isImported, isSplit } from './import-labels.ts'
import { IssueIcon } from './issue-mark.tsx'
import { SheetColumnHead } from './sheet-column-head.tsx'
import classes from './sheet-grid.module.css'
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
  const { data, editable } = useOpenImport()
  const [editing, setEditing] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const getScrollElement = () => frame.current
  const rows = useVirtualizer({ count: data.total, getScrollElement, overscan: 12, ...sizes(ROW_PX, HEAD_PX) })
  const columnSizes = sizes(COLUMN_PX, ROW_HEAD_PX)
  const columns = useVirtualizer({ horizontal: true, count: data.columns.length, getScrollElement, overscan: 3, ...columnSizes })
  const visibleRows = rows.getVirtualItems()
  const visibleColumns = columns.getVirtualItems()
  const rowAt = useSheetRows(data.id, visibleRows[0]?.index ?? 0, visibleRows.at(-1)?.index ?? 0)

  useEffect(() => {
    if (selected === null) return
    rows.scrollToIndex(selected.row)
    if (selected.column !== null) columns.scrollToIndex(selected.column)
  }, [selected, rows, columns])

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
    const edits = (event.key === 'Enter' || event.key === 'F2') && editable && selected !== null && selected.column !== null
    if (next !== null) select(selected === null ? FIRST_CELL : next)
    if (edits) setEditing(true)
    if (next !== null || edits) event.preventDefault()
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

/** Options of a virtualizer for items of one size, after the space of their heads; in px. */
const sizes = (item: number, head: number) => ({ estimateSize: () => item, paddingStart: head, scrollPaddingStart: head })

/** The cell or row head that contains the target of an event; null inside the input of an edited cell. */
function selectionAt(target: EventTarget): SheetSelection | null {
  if (!(target instanceof Element)) return null
  const { row, column } = target.closest<HTMLElement>('input, [data-row]')?.dataset ?? {}
  return row === undefined ? null : { row: Number(row), column: column === undefined ? null : Number(column) }
}

interface SheetRowProps {
  index: number
  top: number
  /** Undefined until it is loaded. */
  row: ImportRow | undefined
  visible: readonly VirtualItem[]
  selected: SheetSelection | null
  editing: boolean
  onEndEdit: () => void
}

/** One row of the sheet. Rows that are not locations are shown with what they were read as. */
export const SheetRow = memo(function SheetRow(props: SheetRowProps) {
  const { index, top, row, visible, selected, editing, onEndEdit } = props
  const { data, patch } = useOpenImport()
  const isHeader = row?.kind === 'header'
  const isOut = row !== undefined && !isHeader && !isImported(row)
  // Several sheets are shown one after the other, so each row names its sheet.
  const split = isSplit(data)
  const kind = row === undefined || row.kind === 'data' ? '' : ROW_LABELS[row.kind]
  const label = split && row !== undefined && (kind === '' || row.sheet_row === 1) ? row.sheet : kind
  return (
    <div
      className={classes['row']}
      role="row"
      aria-rowindex={index + 1}
      data-header={isHeader || undefined}
      data-out={isOut || undefined}
      style={{ top }}
    >
      <div
        id={cellId({ row: index, column: null })}
        role="rowheader"
        tabIndex={-1}
        data-row={index}
        className={classes['rowHead']}
        data-selected={(selected !== null && selected.column === null) || undefined}
        title={[split ? row?.sheet : '', row?.reason ?? kind].filter(Boolean).join(': ')}
      >
        <span>{row?.sheet_row ?? index + 1}</span>
        {label !== '' && <span className={classes['rowLabel']}>{label}</span>}
      </div>
      {visible.map(({ index: at, start }) => {
        const column = data.columns[at]
        if (column === undefined) return null
        const { letter, state, field } = column
        const text = row === undefined ? null : cellText(row.cells[at])
        const issue = worstIssue(row, letter)
        const isSelected = selected?.column === at
        return (
          <div
            key={letter}
            id={cellId({ row: index, column: at })}
            role="gridcell"
            tabIndex={-1}
            // The grid finds the clicked cell by these two, counted from 0.
            data-row={index}
            data-column={at}
            aria-selected={isSelected}
            aria-colindex={at + 2}
            className={classes['cell']}
            style={{ left: start }}
            data-state={state}
            data-number={(!isHeader && isNumeric(field)) || undefined}
            data-issue={issue?.severity}
            data-selected={isSelected || undefined}
            title={issue?.message ?? text ?? undefined}
          >
            {editing && isSelected && row !== undefined ? (
              <CellInput
                text={text ?? ''}
                onEndEdit={onEndEdit}
                onSave={(value) => patch({ edits: [{ row: row.row, column: letter, value }] })}
              />
            ) : (
              <>
                {issue && <IssueIcon severity={issue.severity} size={14} className={classes['issueIcon']} />}
                {text === null ? <span className={classes['loading']} /> : <span className={classes['text']}>{text}</span>}
              </>
            )}
          </div>
        )
      })}
    </div>
  )
})

const NUMERIC_KINDS: readonly string[] = ['integer', 'number', 'area', 'percent', 'money', 'year', 'latitude', 'longitude']
const isNumeric = (field: string | null) => NUMERIC_KINDS.includes(FIELDS.get(field ?? '')?.kind ?? '')

/** The issue that determines the color of a cell: an error before a warning. */
function worstIssue(row: ImportRow | undefined, letter: string) {
  const issues = row?.issues.filter((issue) => issue.column === letter) ?? []
  return issues.find((issue) => issue.severity === 'error') ?? issues[0]
}

/** Edits a cell in place: Enter or leaving the input saves, Escape cancels. */
function CellInput({ text, onEndEdit, onSave }: { text: string; onEndEdit: () => void; onSave: (value: string) => void }) {
  return (
    <input
      className={classes['input']}
      defaultValue={text}
      autoFocus
      aria-label="Value of the cell"
      onFocus={(event) => event.currentTarget.select()}
      onBlur={({ currentTarget: { value } }) => value !== text && onSave(value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          event.currentTarget.value = text
          onEndEdit()
        }
        if (event.key === 'Enter') onEndEdit()
      }}
    />
  )
}
