import { Button, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { ImportRow } from '#contract/import-rows.ts'
import { ROW_LABELS, cellName, cellText, rowName } from './import-labels.ts'
import classes from './import-workbench.module.css'
import { IssueMark } from './issue-mark.tsx'
import type { SheetSelection } from './sheet-selection.ts'
import type { ImportProps, Patch } from './use-import.ts'

interface CellBarProps extends ImportProps {
  row: ImportRow | undefined
  selected: SheetSelection | null
}

/** Above the sheet, like a formula bar: the selected cell or row, its issues and what can be done with it. */
export function CellBar({ data, row, selected, editable, onPatch }: CellBarProps) {
  if (selected === null || row === undefined) {
    return (
      <div className={classes['cellBar']}>
        <Text c="dimmed">
          Select a cell to see what was read and correct it, or a row number to exclude the row or use it as the header.
        </Text>
      </div>
    )
  }
  const column = selected.column === null ? undefined : data.columns[selected.column]
  if (column === undefined || selected.column === null) return <RowBar data={data} row={row} editable={editable} onPatch={onPatch} />
  const text = cellText(row.cells[selected.column])
  const props = { data, row, editable, onPatch, letter: column.letter, text }
  return <ValueBar key={`${row.row}${column.letter}${text}`} {...props} />
}

interface BarProps {
  name: string
  issues: ImportRow['issues']
  buttons: ReactNode
  children: ReactNode
}

function Bar({ name, issues, buttons, children }: BarProps) {
  return (
    <div className={classes['cellBar']}>
      <Text fw={600} className={classes['cellName']}>
        {name}
      </Text>
      {children}
      {buttons && <div className={classes['cellButtons']}>{buttons}</div>}
      <div className={classes['cellIssues']} role="status">
        {issues.map((issue) => (
          <IssueMark key={issue.code} severity={issue.severity} message={issue.message} />
        ))}
      </div>
    </div>
  )
}

interface ValueBarProps extends ImportProps {
  row: ImportRow
  letter: string
  text: string
}

function ValueBar({ data, row, letter, text, editable, onPatch }: ValueBarProps) {
  const name = cellName(data, letter, row)
  const [value, setValue] = useState(text)
  const issues = row.issues.filter((issue) => issue.column === letter)
  const suggestion = issues.find((issue) => issue.suggestion !== null)?.suggestion ?? null
  const unchanged = value === text
  const edit = (wanted: string) => onPatch({ edits: [{ row: row.row, column: letter, value: wanted }] })
  const replaceEqual = () => onPatch({ replace: { column: letter, from: text, to: unchanged && suggestion !== null ? suggestion : value } })
  const buttons = editable && (
    <>
      {suggestion !== null && suggestion !== text && (
        <Button variant="light" size="compact-md" onClick={() => edit(suggestion)}>
          Use “{suggestion}”
        </Button>
      )}
      <Button variant="default" size="compact-md" disabled={unchanged} onClick={() => edit(value)}>
        Change cell
      </Button>
      <Button variant="default" size="compact-md" disabled={(unchanged && suggestion === null) || text === ''} onClick={replaceEqual}>
        Change all equal cells in {letter}
      </Button>
    </>
  )
  return (
    <Bar name={name} issues={issues} buttons={buttons}>
      <TextInput
        size="sm"
        className={classes['cellValue']}
        aria-label={`Value of cell ${name}`}
        value={value}
        readOnly={!editable}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && !unchanged && edit(value)}
      />
    </Bar>
  )
}

function RowBar({ data, row, editable, onPatch }: ImportProps & { row: ImportRow }) {
  const isHeader = row.kind === 'header'
  const isOut = row.excluded || row.kind !== 'data'
  const buttons = editable && !isHeader && (
    <>
      <Button variant="default" size="compact-md" onClick={() => onPatch({ header_row: row.row })}>
        Use as header row
      </Button>
      <RowDecisions row={row} onPatch={onPatch} />
    </>
  )
  return (
    <Bar name={rowName(data, row)} issues={row.issues.filter((issue) => issue.column === null)} buttons={buttons}>
      <Text className={classes['cellValue']} c="dimmed">
        {isHeader ? 'The header row' : (row.reason ?? (isOut ? `${ROW_LABELS[row.kind]}, not imported` : 'A location to import'))}
        {row.hidden ? ' (hidden in the file)' : ''}
      </Text>
    </Bar>
  )
}

/** Whether the row is imported and which property it matches, if the user can decide this. Each decision can be undone. */
export function RowDecisions({ row, onPatch }: { row: ImportRow; onPatch: (patch: Patch) => void }) {
  const isOut = row.excluded || row.kind !== 'data'
  // A new location that the mode leaves out is not excluded: only another mode includes it.
  const isLeftOutByMode = row.kind === 'data' && row.excluded && row.choice === null
  const canDecide = !isLeftOutByMode && row.kind !== 'blank' && row.kind !== 'header'
  const button = (label: string, patch: Patch) => (
    <Button variant="default" size="compact-md" onClick={() => onPatch(patch)}>
      {label}
    </Button>
  )
  const automatic = { row: row.row, automatic: true } as const
  return (
    <>
      {row.matched_by_hand && button('Match automatically again', { matches: [automatic] })}
      {row.choice !== null && button(row.choice === 'excluded' ? 'Include row again' : 'Exclude row again', { exclusions: [automatic] })}
      {row.choice === null &&
        canDecide &&
        button(isOut ? 'Include row' : 'Exclude row', { exclusions: [{ row: row.row, excluded: !isOut }] })}
    </>
  )
}
