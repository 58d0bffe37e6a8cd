import { NativeSelect, Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconQuestionMark from '@tabler/icons-react/dist/esm/icons/IconQuestionMark.mjs'
import { memo } from 'react'
import { FIELD_GROUPS } from './column-fields.ts'
import type { ImportColumn } from '#contract/imports.ts'
import { COLUMN_WORDS } from './import-words.ts'
import classes from './sheet-grid.module.css'

const ICONS = { mapped: IconCheck, confirm: IconQuestionMark, unmapped: IconAlertTriangle, ignored: IconEyeOff, custom: IconPlus } as const

const NOTES = {
  older_year: 'Older year',
  no_home: 'No such field',
  empty: 'Empty column',
  sum_of: 'Added up',
} as const satisfies Record<NonNullable<ImportColumn['note']>, string>

interface SheetColumnHeadProps {
  column: ImportColumn
  /** From 0. */
  index: number
  /** Letter of the column that holds a field now. */
  taken: ReadonlyMap<string, string>
  left: number
  editable: boolean
  onMap: (letter: string, target: string | null) => void
}

/** The head of a column: where its values go, how sure that is, and three of its values to judge by. */
export const SheetColumnHead = memo(function SheetColumnHead({ column, index, taken, left, editable, onMap }: SheetColumnHeadProps) {
  const Icon = ICONS[column.state]
  const name = column.header || `Column ${column.letter}`
  const takenBy = (field: string) => (field === column.field ? undefined : taken.get(field))
  return (
    <div className={classes['columnHead']} data-state={column.state} role="columnheader" aria-colindex={index + 2} style={{ left }}>
      <div className={classes['columnName']} title={name}>
        <span className={classes['letter']}>{column.letter}</span>
        <Text fw={600} truncate>
          {name}
        </Text>
      </div>
      <div className={classes['columnState']}>
        <Icon size={14} stroke={2} aria-hidden />
        <span title={column.note === null ? undefined : NOTES[column.note]}>
          {column.note === null ? COLUMN_WORDS[column.state] : NOTES[column.note]}
        </span>
        {column.state === 'confirm' && editable && (
          <button type="button" className={classes['confirm']} onClick={() => onMap(column.letter, column.field)}>
            Confirm
          </button>
        )}
      </div>
      <NativeSelect
        size="xs"
        aria-label={`Field for column ${column.letter}, ${name}`}
        value={targetOf(column)}
        disabled={!editable}
        onChange={(event) => onMap(column.letter, event.currentTarget.value === '' ? null : event.currentTarget.value)}
      >
        <option value="">Not mapped</option>
        <option value="ignore">Ignore this column</option>
        <option value="custom">Keep as custom field</option>
        {FIELD_GROUPS.map(({ section, fields }) => (
          <optgroup key={section} label={section}>
            {fields.map((field) => (
              <option key={field.name} value={field.name}>
                {field.label}
                {takenBy(field.name) === undefined ? '' : ` (now column ${takenBy(field.name)})`}
              </option>
            ))}
          </optgroup>
        ))}
      </NativeSelect>
      <Text size="xs" c="dimmed" truncate title={column.samples.join(' · ')}>
        {column.samples.length === 0 ? 'No values' : column.samples.slice(0, 3).join(' · ')}
      </Text>
    </div>
  )
})

function targetOf(column: ImportColumn): string {
  if (column.state === 'ignored') return 'ignore'
  if (column.state === 'custom') return 'custom'
  return column.field ?? ''
}
