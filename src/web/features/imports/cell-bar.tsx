import { Button, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import classes from './cell-bar.module.css'
import type { ImportRow } from '#contract/import-rows.ts'
import type { Import } from '#contract/imports.ts'
import { IssueMark } from './issue-mark.tsx'
import { RowChoice } from './row-choice.tsx'
import { ROW_WORDS, cellName, cellText, rowName } from './import-words.ts'
import type { Chosen } from './sheet-selection.ts'
import type { Patch } from './use-import.ts'

interface CellBarProps {
  data: Import
  row: ImportRow | undefined
  chosen: Chosen | null
  editable: boolean
  onPatch: (patch: Patch) => void
}

/** Above the sheet, like a formula bar: the chosen cell or row, what is wrong with it and what can be done. */
export function CellBar({ data, row, chosen, editable, onPatch }: CellBarProps) {
  if (chosen === null || row === undefined) {
    return (
      <div className={classes['bar']}>
        <Text c="dimmed">Choose a cell to see what was read and to mend it, or a row number to exclude the row or make it the header.</Text>
      </div>
    )
  }
  const column = chosen.column === null ? undefined : data.columns[chosen.column]
  if (column === undefined || chosen.column === null) return <RowBar data={data} row={row} editable={editable} onPatch={onPatch} />
  const text = cellText(row.cells[chosen.column])
  return (
    <ValueBar
      key={`${row.row}${column.letter}${text}`}
      row={row}
      name={cellName(data, column.letter, row)}
      letter={column.letter}
      text={text}
      editable={editable}
      onPatch={onPatch}
    />
  )
}

interface ValueBarProps {
  row: ImportRow
  name: string
  letter: string
  text: string
  editable: boolean
  onPatch: (patch: Patch) => void
}

function ValueBar({ row, name, letter, text, editable, onPatch }: ValueBarProps) {
  const [value, setValue] = useState(text)
  const issues = row.issues.filter((issue) => issue.column === letter)
  const suggestion = issues.find((issue) => issue.suggestion !== null)?.suggestion ?? null
  const edit = (wanted: string) => onPatch({ edits: [{ row: row.row, column: letter, value: wanted }] })
  return (
    <div className={classes['bar']}>
      <Text fw={600} className={classes['address']}>
        {name}
      </Text>
      <TextInput
        size="sm"
        className={classes['value']}
        aria-label={`Value of cell ${name}`}
        value={value}
        readOnly={!editable}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && value !== text && edit(value)}
      />
      {editable && (
        <div className={classes['buttons']}>
          {suggestion !== null && suggestion !== text && (
            <Button variant="light" size="compact-md" onClick={() => edit(suggestion)}>
              Use “{suggestion}”
            </Button>
          )}
          <Button variant="default" size="compact-md" disabled={value === text} onClick={() => edit(value)}>
            Change cell
          </Button>
          <Button
            variant="default"
            size="compact-md"
            disabled={(value === text && suggestion === null) || text === ''}
            onClick={() =>
              onPatch({ replace: { column: letter, from: text, to: value === text && suggestion !== null ? suggestion : value } })
            }
          >
            Change all equal cells in {letter}
          </Button>
        </div>
      )}
      <div className={classes['issues']} role="status">
        {issues.map((issue) => (
          <IssueMark key={issue.code} severity={issue.severity} message={issue.message} />
        ))}
      </div>
    </div>
  )
}

function RowBar({ data, row, editable, onPatch }: { data: Import; row: ImportRow; editable: boolean; onPatch: (patch: Patch) => void }) {
  const isHeader = row.kind === 'header'
  const out = row.excluded || row.kind !== 'data'
  const whole = row.issues.filter((issue) => issue.column === null)
  return (
    <div className={classes['bar']}>
      <Text fw={600} className={classes['address']}>
        {rowName(data, row)}
      </Text>
      <Text className={classes['value']} c="dimmed">
        {isHeader ? 'The header row' : (row.reason ?? (out ? `${ROW_WORDS[row.kind]}, not imported` : 'A location to import'))}
        {row.hidden ? ' (hidden in the file)' : ''}
      </Text>
      {editable && !isHeader && (
        <div className={classes['buttons']}>
          <Button variant="default" size="compact-md" onClick={() => onPatch({ header_row: row.row })}>
            Use as header row
          </Button>
          <RowChoice row={row} onPatch={onPatch} />
        </div>
      )}
      <div className={classes['issues']} role="status">
        {whole.map((issue) => (
          <IssueMark key={issue.code} severity={issue.severity} message={issue.message} />
        ))}
      </div>
    </div>
  )
}
