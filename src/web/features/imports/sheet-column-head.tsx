import { NativeSelect, Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconQuestionMark from '@tabler/icons-react/dist/esm/icons/IconQuestionMark.mjs'
import { memo } from 'react'
import { SPLIT_TARGETS } from '#contract/import-inputs.ts'
import type { ImportColumn } from '#contract/imports.ts'
import { PROPERTY_SECTIONS } from '#contract/property-fields.ts'
import { COLUMN_LABELS, FIELDS } from './import-labels.ts'
import classes from './sheet-grid.module.css'
import { useOpenImport } from './use-import.ts'

const ICONS = { mapped: IconCheck, confirm: IconQuestionMark, unmapped: IconAlertTriangle, ignored: IconEyeOff, custom: IconPlus } as const

const NOTES = {
  older_year: 'Older year',
  no_home: 'No such field',
  empty: 'Empty column',
  sum_of: 'Added up',
} as const satisfies Record<NonNullable<ImportColumn['note']>, string>

/** The options that are not a field. */
const OPTION_OF_STATE: Partial<Record<ImportColumn['state'], string>> = { ignored: 'ignore', custom: 'custom' }

/** The fields that a column can be mapped to, by section of the property. */
const FIELD_GROUPS = Object.entries(PROPERTY_SECTIONS).map(([section, title]) => ({
  title,
  fields: [
    ...[...FIELDS].flatMap(([name, field]) => (field.importable && field.section === section ? [{ name, label: field.label }] : [])),
    ...Object.entries(SPLIT_TARGETS).flatMap(([name, split]) => (split.section === section ? [{ name, label: split.label }] : [])),
  ],
}))

/** The head of a column: the field it is mapped to, how certain that is, and three of its values. */
export const SheetColumnHead = memo(function SheetColumnHead({ index, left }: { index: number; left: number }) {
  const { data, editable, patch } = useOpenImport()
  const column = data.columns[index]
  if (column === undefined) return null
  const Icon = ICONS[column.state]
  const name = column.header || `Column ${column.letter}`
  const samples = column.split ?? column.samples
  const note = column.note === null ? undefined : NOTES[column.note]
  const map = (target: string | null) => patch({ mapping: { [column.letter]: target } })
  const mappedElsewhere = (target: string) => {
    const mapped = data.columns.findLast(({ field }) => field === target)
    return mapped === undefined || target === column.field ? '' : ` (now column ${mapped.letter})`
  }
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
        <span title={note}>{note ?? COLUMN_LABELS[column.state]}</span>
        {column.state === 'confirm' && editable && (
          <button type="button" className={classes['confirm']} onClick={() => map(column.field)}>
            Confirm
          </button>
        )}
      </div>
      <NativeSelect
        size="xs"
        aria-label={`Field for column ${column.letter}, ${name}`}
        value={OPTION_OF_STATE[column.state] ?? column.field ?? ''}
        disabled={!editable}
        onChange={(event) => map(event.currentTarget.value || null)}
        data={[
          { value: '', label: 'Not mapped' },
          { value: 'ignore', label: 'Ignore this column' },
          { value: 'custom', label: 'Keep as custom field' },
          ...FIELD_GROUPS.map(({ title, fields }) => ({
            group: title,
            items: fields.map((field) => ({ value: field.name, label: field.label + mappedElsewhere(field.name) })),
          })),
        ]}
      />
      <Text size="xs" c="dimmed" truncate title={samples.join(' · ')}>
        {samples.length === 0 ? 'No values' : samples.slice(0, 3).join(' · ')}
      </Text>
    </div>
  )
})
