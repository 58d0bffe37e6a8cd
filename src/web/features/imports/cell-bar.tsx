import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { formatNumber, formatProgress } from '#contract/format.ts'
import type { ImportPatch } from '#contract/import-inputs.ts'
import type { ImportRow } from '#contract/import-rows.ts'
import type { Import, ImportColumn } from '#contract/imports.ts'
import classes from './cell-bar.module.css'
import { CompactButton } from './compact-button.ts'
import { ROW_LABELS, cellText, isImported, originalOf, placeName } from './import-labels.ts'
import { IssueIcon } from './issue-mark.tsx'
import { targetLabel } from './sheet-column-head.tsx'
import type { SheetSelection } from './sheet-selection.ts'
import { useOpenImport, useSheetRows, useUnsaved } from './use-import.ts'

const HINT = 'Select a cell to see what was read and correct it, or a row number to exclude the row or use it as the header.'

const readingText = ({ progress: { done, total } }: Import) =>
  total === 0
    ? 'Reading the file'
    : `Reading row ${formatNumber(done)} of ${formatNumber(total)}, ${formatProgress((done / total) * 100)} %`

/** Above the sheet, like a formula bar: the selected cell or row, what was read and what can be done with it. */
export function CellBar({ selected }: { selected: SheetSelection | null }) {
  const { data } = useOpenImport()
  const index = selected?.row ?? 0
  const row = useSheetRows(data.id, index, index)(index)
  if (selected === null || row === undefined) {
    return (
      <div className={classes['bar']}>
        <span className={`${classes['message']} ${classes['hint']}`}>{data.activity === 'reading' ? readingText(data) : HINT}</span>
      </div>
    )
  }
  const column = selected.column === null ? undefined : data.columns[selected.column]
  const text = cellText(row.cells[selected.column ?? -1])
  return (
    <div className={classes['bar']}>
      <span className={classes['place']}>{placeName(data, row, column?.letter)}</span>
      {column === undefined ? (
        <SelectedRow row={row} />
      ) : (
        <SelectedCell key={`${row.row}${column.letter}${text}`} row={row} column={column} text={text} />
      )}
    </div>
  )
}

function SelectedCell({ row, column, text }: { row: ImportRow; column: ImportColumn; text: string }) {
  const { data, editable, patch } = useOpenImport()
  const [value, setValue] = useState(text)
  const { letter } = column
  const suggestion = row.issues.find((issue) => issue.column === letter && issue.suggestion !== null)?.suggestion ?? text
  const unchanged = value === text
  useUnsaved(!unchanged)
  const original = originalOf(row, letter)
  const replacement = unchanged ? suggestion : value
  const edit = (wanted: string) => patch({ edits: [{ row: row.row, column: letter, value: wanted }] })
  const replaceEqual = () => patch({ replace: { column: letter, from: text, to: replacement } })
  return (
    <>
      <TextInput
        size="xs"
        className={classes['value']}
        aria-label={`Value of cell ${placeName(data, row, letter)}`}
        value={value}
        readOnly={!editable}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && !unchanged && edit(value)}
      />
      <Issues issues={row.issues.filter((issue) => issue.column === letter)} otherwise={original || targetLabel(column)} />
      {editable && (
        <div className={classes['buttons']}>
          {original !== '' && unchanged && (
            <CompactButton title={original} onClick={() => edit(cellText(row.edited[letter]))}>
              Undo edit
            </CompactButton>
          )}
          {suggestion !== text && unchanged && (
            <CompactButton variant="light" onClick={() => edit(suggestion)}>
              Use “{suggestion}”
            </CompactButton>
          )}
          {(!unchanged || suggestion !== text) && (
            <>
              <CompactButton disabled={unchanged} onClick={() => edit(value)}>
                Change cell
              </CompactButton>
              <CompactButton disabled={replacement === text || text === ''} onClick={replaceEqual}>
                Change all equal cells in {letter}
              </CompactButton>
            </>
          )}
        </div>
      )}
    </>
  )
}

/** What was found, in one line; otherwise what the cell was read as. */
function Issues({ issues, otherwise }: { issues: ImportRow['issues']; otherwise: string }) {
  const messages = issues.map(({ message }) => message).join(' ')
  return (
    <div className={classes['message']} role="status" title={messages}>
      {issues.length === 0 && <span className={classes['hint']}>{otherwise}</span>}
      {issues.map(({ code, severity, message }) => (
        <span key={code}>
          <IssueIcon severity={severity} />
          {message}{' '}
        </span>
      ))}
    </div>
  )
}

function SelectedRow({ row }: { row: ImportRow }) {
  const { editable, patch } = useOpenImport()
  const isHeader = row.kind === 'header'
  const usage = isImported(row) ? 'A location to import' : `${ROW_LABELS[row.kind]}, not imported`
  const what = `${isHeader ? 'The header row' : (row.reason ?? usage)}${row.hidden ? ' (hidden in the file)' : ''}${row.struck ? ' (struck through in the file)' : ''}`
  return (
    <>
      <Issues issues={row.issues.filter((issue) => issue.column === null)} otherwise={what} />
      {editable && !isHeader && (
        <div className={classes['buttons']}>
          <CompactButton onClick={() => patch({ header_row: row.row })}>Use as header row</CompactButton>
          <RowDecisions row={row} />
        </div>
      )}
    </>
  )
}

/** Whether the row is imported and which property it matches, if the user can decide this. Each decision can be undone. */
export function RowDecisions({ row }: { row: ImportRow }) {
  const { patch } = useOpenImport()
  const automatic = { row: row.row, automatic: true } as const
  // A new location that the mode leaves out is not excluded: only another mode includes it.
  const canDecide = row.choice === null && row.kind !== 'blank' && row.kind !== 'header' && (row.kind !== 'data' || !row.excluded)
  const button = (label: string, change: ImportPatch) => <CompactButton onClick={() => patch(change)}>{label}</CompactButton>
  return (
    <>
      {row.matched_by_hand && button('Match automatically again', { matches: [automatic] })}
      {row.choice !== null && button(row.choice === 'excluded' ? 'Include row again' : 'Exclude row again', { exclusions: [automatic] })}
      {canDecide && button(isImported(row) ? 'Exclude row' : 'Include row', { exclusions: [{ row: row.row, excluded: isImported(row) }] })}
    </>
  )
}
