import IconTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconTriangleFilled.mjs'
import type { VirtualItem } from '@tanstack/react-virtual'
import { memo } from 'react'
import type { ImportRow } from '#contract/import-rows.ts'
import type { Reading } from '#contract/imports.ts'
import { ChosenMeaning } from './column-words.tsx'
import { ROW_LABELS, cellText, displayText, isImported, isNumeric, isSplit, originalOf, readText, staysOut } from './import-labels.ts'
import { hasUnmappedMoney } from './sheet-column-head.tsx'
import classes from './sheet-grid.module.css'
import { cellId, type SheetSelection } from './sheet-selection.ts'
import { useOpenImport } from './use-import.ts'

interface SheetRowProps {
  index: number
  top: number
  /** Undefined until it is loaded. */
  row: ImportRow | undefined
  visible: readonly VirtualItem[]
  reading: Reading
  selected: SheetSelection | null
  editing: boolean
  /** What the edited cell begins with; null for its own text. */
  typed: string | null
  onEndEdit: () => void
}

/** One row of the sheet. Rows that are not locations are shown with what they were read as. */
export const SheetRow = memo(function SheetRow({ visible, top, ...cell }: SheetRowProps) {
  const { index, row, selected } = cell
  const out = row !== undefined && row.kind !== 'header' && !isImported(row)
  const firstFilled = out ? row.cells.findIndex((value) => cellText(value) !== '') : -1
  return (
    <div
      className={classes['row']}
      role="row"
      aria-rowindex={index + 1}
      data-header={row?.kind === 'header' || undefined}
      data-out={out || undefined}
      data-struck={row?.struck || undefined}
      data-stays-out={(row !== undefined && staysOut(row)) || undefined}
      style={{ top }}
    >
      <RowHead index={index} row={row} selected={selected !== null && selected.column === null} />
      {visible.map(({ index: column, start, size }) => (
        <Cell key={column} column={column} left={start} width={size} titled={column === firstFilled} {...cell} />
      ))}
    </div>
  )
})

/** The number of a row in its sheet, with a plus if its location is added and a triangle if it stays out. */
function RowHead({ index, row, selected }: { index: number; row: ImportRow | undefined; selected: boolean }) {
  const { data } = useOpenImport()
  // Several sheets are shown one after the other, so each row names its sheet.
  const sheet = isSplit(data) && row !== undefined ? row.sheet : ''
  const out = row !== undefined && staysOut(row)
  // A plus in every row would say nothing.
  const someMatch = (data.counts.change ?? 0) + (data.counts.unchanged ?? 0) > 0
  const added = someMatch && row !== undefined && isImported(row) && !out && row.property === null && data.state === 'validated'
  const mark = added ? 'Added' : out ? 'Stays out' : ''
  return (
    <div
      id={cellId({ row: index, column: null })}
      role="rowheader"
      tabIndex={-1}
      data-row={index}
      className={classes['rowHead']}
      data-selected={selected || undefined}
      title={[sheet, row && (row.reason ?? mark)].filter(Boolean).join(': ')}
    >
      {sheet !== '' && <span className={classes['rowSheet']}>{sheet}</span>}
      {added && <span aria-hidden>+</span>}
      {out && !row.issues.some(({ column, severity }) => severity === 'error' && column !== null) && (
        <IconTriangleFilled size={10} aria-label="Stays out" />
      )}
      <span>{row?.sheet_row ?? index + 1}</span>
    </div>
  )
}

interface CellProps extends Omit<SheetRowProps, 'visible' | 'top'> {
  column: number
  left: number
  width: number
  /** The first text of a row that is not a location: it runs over the next cells, and why the row is left out follows it. */
  titled: boolean
}

function Cell({ index, row, reading, column: at, left, width, titled, selected, editing, typed, onEndEdit }: CellProps) {
  const { data, patch } = useOpenImport()
  const column = data.columns[at]
  if (column === undefined) return null
  const { letter, state, field } = column
  const value = row?.cells[at]
  const issue = worstIssue(row, letter)
  const [isSelected, narrow] = [selected?.column === at, state === 'ignored']
  const money = hasUnmappedMoney(data, letter)
  const original = reading === 'file' && row !== undefined ? originalOf(row, letter) : ''
  const asRead = reading === 'register' && row !== undefined && isImported(row)
  const merged = row !== undefined && isMerged(row)
  const shown = row === undefined ? null : (asRead ? readText : displayText)(value, field)
  const text = merged ? (titled ? row.cells.map(cellText).filter(Boolean).join(' · ') : '') : shown
  const why = titled && row !== undefined && <span className={classes['why']}>{whyLeftOut(row)}</span>
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
      style={{ left, width }}
      data-state={money && text !== '' ? 'money' : state}
      data-number={(row?.kind !== 'header' && (field === null ? money || typeof value === 'number' : isNumeric(field))) || undefined}
      data-issue={issue?.severity}
      data-titled={titled || undefined}
      data-empty={text === '' || undefined}
      data-edited={original === '' ? undefined : true}
      data-selected={isSelected || undefined}
      title={[issue?.message ?? text ?? '', original].filter(Boolean).join('\n')}
    >
      {editing && isSelected && row !== undefined ? (
        <CellInput
          text={cellText(value)}
          typed={typed}
          onEndEdit={onEndEdit}
          onSave={(changed) => patch({ edits: [{ row: row.row, column: letter, value: changed }] })}
        />
      ) : (
        <>
          {merged && why}
          {issue?.severity === 'error' && <IconTriangleFilled size={11} className={classes['issueIcon']} aria-hidden />}
          {!narrow &&
            (text === null ? (
              <span className={classes['loading']} />
            ) : (
              <CellText row={row} letter={letter} field={field} text={text} asRead={asRead} />
            ))}
          {row !== undefined && isImported(row) && !narrow && !asRead && <ChosenMeaning column={column} text={cellText(value)} />}
          {!merged && why}
        </>
      )}
    </div>
  )
}

/** All cells of a repeated header are filled, so why it is left out would be cut by the second one: the first one shows all of them. */
const isMerged = (row: ImportRow): boolean => row.kind === 'repeated_header' && !isImported(row)

interface CellTextProps {
  row: ImportRow | undefined
  letter: string
  field: string | null
  text: string
  asRead: boolean
}

/** The text of a cell, before what it replaces, which a narrow cell cuts: the value of the register, or what the file says in a cell edited by hand. */
function CellText({ row, letter, field, text, asRead }: CellTextProps) {
  const change = asRead ? row?.changes.find((one) => one.field === field) : undefined
  const before = asRead ? readText(change?.before, field) : displayText(row?.edited[letter], field)
  const replaces = asRead ? change !== undefined : row !== undefined && letter in row.edited
  if (!replaces) return <span className={classes['text']}>{text}</span>
  return (
    <span className={classes['text']} title={asRead ? `${text || 'empty'}\nIn the register: ${before || 'empty'}` : undefined}>
      <ins>{text || 'empty'}</ins> {before !== '' && <del>{before}</del>}
    </span>
  )
}

const whyLeftOut = ({ kind, reason, choice }: ImportRow) =>
  kind === 'data' || choice !== null ? (reason ?? 'Left out') : `${ROW_LABELS[kind]}, left out`

/** The issue that determines the color of a cell: an error before a warning. */
function worstIssue(row: ImportRow | undefined, letter: string) {
  const issues = row?.issues.filter((issue) => issue.column === letter) ?? []
  return issues.find((issue) => issue.severity === 'error') ?? issues[0]
}

interface CellInputProps {
  text: string
  typed: string | null
  onEndEdit: () => void
  onSave: (value: string) => void
}

/** Edits a cell in place: Enter or leaving the input saves, Escape cancels. */
function CellInput({ text, typed, onEndEdit, onSave }: CellInputProps) {
  return (
    <input
      className={classes['input']}
      defaultValue={typed ?? text}
      autoFocus
      aria-label="Value of the cell"
      onFocus={(event) => typed === null && event.currentTarget.select()}
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
