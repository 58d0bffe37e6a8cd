import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ImportPatch } from '#contract/import-inputs.ts'
import type { ImportRow } from '#contract/import-rows.ts'
import { CompactButton } from './compact-button.ts'
import { ROW_LABELS, cellText, isImported, placeName } from './import-labels.ts'
import classes from './import-workbench.module.css'
import { IssueMark } from './issue-mark.tsx'
import type { SheetSelection } from './sheet-selection.ts'
import { useOpenImport, useSheetRows } from './use-import.ts'

/** Above the sheet, like a formula bar: the selected cell or row, its issues and what can be done with it. */
export function CellBar({ selected }: { selected: SheetSelection | null }) {
  const { data } = useOpenImport()
  const index = selected?.row ?? 0
  const row = useSheetRows(data.id, index, index)(index)
  if (selected === null || row === undefined) {
    return (
      <div className={classes['cellBar']}>
        <Text c="dimmed">
          Select a cell to see what was read and correct it, or a row number to exclude the row or use it as the header.
        </Text>
      </div>
    )
  }
  const column = selected.column ?? -1
  const letter = data.columns[column]?.letter ?? null
  const text = cellText(row.cells[column])
  const issues = row.issues.filter((issue) => issue.column === letter)
  return (
    <div className={classes['cellBar']}>
      <Text fw={600} className={classes['cellName']}>
        {placeName(data, row, letter)}
      </Text>
      {letter === null ? (
        <SelectedRow row={row} />
      ) : (
        <SelectedCell key={`${row.row}${letter}${text}`} row={row} letter={letter} text={text} />
      )}
      <div className={classes['cellIssues']} role="status">
        {issues.map(({ code, severity, message }) => (
          <IssueMark key={code} severity={severity} message={message} />
        ))}
      </div>
    </div>
  )
}

function SelectedCell({ row, letter, text }: { row: ImportRow; letter: string; text: string }) {
  const { data, editable, patch } = useOpenImport()
  const [value, setValue] = useState(text)
  const suggestion = row.issues.find((issue) => issue.column === letter && issue.suggestion !== null)?.suggestion ?? text
  const unchanged = value === text
  const replacement = unchanged ? suggestion : value
  const edit = (wanted: string) => patch({ edits: [{ row: row.row, column: letter, value: wanted }] })
  const replaceEqual = () => patch({ replace: { column: letter, from: text, to: replacement } })
  return (
    <>
      <TextInput
        size="sm"
        className={classes['cellValue']}
        aria-label={`Value of cell ${placeName(data, row, letter)}`}
        value={value}
        readOnly={!editable}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && !unchanged && edit(value)}
      />
      {editable && (
        <div className={classes['cellButtons']}>
          {suggestion !== text && (
            <CompactButton variant="light" onClick={() => edit(suggestion)}>
              Use “{suggestion}”
            </CompactButton>
          )}
          <CompactButton disabled={unchanged} onClick={() => edit(value)}>
            Change cell
          </CompactButton>
          <CompactButton disabled={replacement === text || text === ''} onClick={replaceEqual}>
            Change all equal cells in {letter}
          </CompactButton>
        </div>
      )}
    </>
  )
}

function SelectedRow({ row }: { row: ImportRow }) {
  const { editable, patch } = useOpenImport()
  const isHeader = row.kind === 'header'
  const usage = isImported(row) ? 'A location to import' : `${ROW_LABELS[row.kind]}, not imported`
  return (
    <>
      <Text className={classes['cellValue']} c="dimmed">
        {isHeader ? 'The header row' : (row.reason ?? usage)}
        {row.hidden && ' (hidden in the file)'}
      </Text>
      {editable && !isHeader && (
        <div className={classes['cellButtons']}>
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
