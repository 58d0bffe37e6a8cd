import type { VirtualItem } from '@tanstack/react-virtual'
import { memo } from 'react'
import type { ImportRow } from '#contract/import-rows.ts'
import { ChosenMeaning } from './column-words.tsx'
import { FIELDS, ROW_LABELS, cellText, isImported, isSplit } from './import-labels.ts'
import { IssueIcon } from './issue-mark.tsx'
import classes from './sheet-grid.module.css'
import { cellId, type SheetSelection } from './sheet-selection.ts'
import { useOpenImport } from './use-import.ts'

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
export const SheetRow = memo(function SheetRow({ visible, top, ...cell }: SheetRowProps) {
  const { index, row, selected } = cell
  return (
    <div
      className={classes['row']}
      role="row"
      aria-rowindex={index + 1}
      data-header={row?.kind === 'header' || undefined}
      data-out={(row !== undefined && row.kind !== 'header' && !isImported(row)) || undefined}
      style={{ top }}
    >
      <RowHead index={index} row={row} selected={selected !== null && selected.column === null} />
      {visible.map(({ index: column, start }) => (
        <Cell key={column} column={column} left={start} {...cell} />
      ))}
    </div>
  )
})

/** The number of a row in its sheet, and what it was read as. */
function RowHead({ index, row, selected }: { index: number; row: ImportRow | undefined; selected: boolean }) {
  const { data } = useOpenImport()
  // Several sheets are shown one after the other, so each row names its sheet.
  const split = isSplit(data)
  const kind = row === undefined || row.kind === 'data' ? '' : ROW_LABELS[row.kind]
  const label = split && row !== undefined && (kind === '' || row.sheet_row === 1) ? row.sheet : kind
  return (
    <div
      id={cellId({ row: index, column: null })}
      role="rowheader"
      tabIndex={-1}
      data-row={index}
      className={classes['rowHead']}
      data-selected={selected || undefined}
      title={[split ? row?.sheet : '', row?.reason ?? kind].filter(Boolean).join(': ')}
    >
      <span>{row?.sheet_row ?? index + 1}</span>
      {label !== '' && <span className={classes['rowLabel']}>{label}</span>}
    </div>
  )
}

interface CellProps extends Omit<SheetRowProps, 'visible' | 'top'> {
  column: number
  left: number
}

function Cell({ index, row, column: at, left, selected, editing, onEndEdit }: CellProps) {
  const { data, patch } = useOpenImport()
  const column = data.columns[at]
  if (column === undefined) return null
  const { letter, state, field } = column
  const text = row === undefined ? null : cellText(row.cells[at])
  const issue = worstIssue(row, letter)
  const isSelected = selected?.column === at
  return (
    <div
      id={cellId({ row: index, column: at })}
      role="gridcell"
      tabIndex={-1}
      // The grid finds the clicked cell by these two, counted from 0.
      data-row={index}
      data-column={at}
      aria-selected={isSelected}
      aria-colindex={at + 2}
      className={classes['cell']}
      style={{ left }}
      data-state={state}
      data-number={(row?.kind !== 'header' && isNumeric(field)) || undefined}
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
          {row !== undefined && isImported(row) && <ChosenMeaning column={column} text={cellText(row.cells[at])} />}
        </>
      )}
    </div>
  )
}

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
