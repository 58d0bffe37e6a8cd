import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs'
import { memo } from 'react'
import { formatShare } from '#contract/format.ts'
import { SPLIT_TARGETS } from '#contract/import-inputs.ts'
import { openMoney, type Import, type ImportColumn, type Reading } from '#contract/imports.ts'
import { PROPERTY_SECTIONS } from '#contract/property-fields.ts'
import { COLUMN_LABELS, FIELDS, fieldLabel } from './import-labels.ts'
import classes from './sheet-column-head.module.css'
import { useOpenImport } from './use-import.ts'

const NOTES = {
  older_year: 'Older year',
  limit: 'Limit, not a value',
  no_home: 'No such field',
  empty: 'Empty column',
  sum_of: 'Added up',
  other_table: 'Other table',
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

/** What the values of a column become: the field, or why there is none. */
export function targetLabel({ state, field, note }: ImportColumn): string {
  if (field !== null && (state === 'mapped' || state === 'confirm')) return fieldLabel(field)
  return note === null ? COLUMN_LABELS[state] : NOTES[note]
}

/** Whether a column without a mapping contains money, which would not reach the register. */
export const hasUnmappedMoney = ({ unmapped_money }: Pick<Import, 'unmapped_money'>, letter: string): boolean =>
  openMoney(unmapped_money).some((column) => column.letter === letter)

interface HeadProps {
  index: number
  left: number
  width: number
  reading: Reading
}

/** The head of a column: its name in the file and the field it is mapped to. All of it opens the menu of the fields. */
export const SheetColumnHead = memo(function SheetColumnHead({ index, left, width, reading }: HeadProps) {
  const { data, editable, patch } = useOpenImport()
  const column = data.columns[index]
  if (column === undefined) return null
  const { letter, state, field, score } = column
  const name = column.header || `Column ${letter}`
  const money = hasUnmappedMoney(data, letter)
  const target = money ? 'Not imported' : targetLabel(column)
  const asRead = reading === 'register' && (state === 'mapped' || state === 'confirm')
  return (
    <div
      className={classes['columnHead']}
      data-state={money ? 'money' : state}
      role="columnheader"
      aria-colindex={index + 2}
      style={{ left, width }}
      title={descriptionOf(column)}
    >
      <div className={classes['columnName']}>
        <span className={classes['letter']}>{letter}</span>
        {state !== 'ignored' && <strong>{asRead ? target : name}</strong>}
      </div>
      <div className={classes['columnTarget']}>
        {money && <IconAlertTriangle size={12} aria-hidden />}
        {state === 'ignored' ? <IconEyeOff size={14} aria-hidden /> : <span>{asRead ? name : target}</span>}
        {state === 'confirm' && editable && (
          <button
            type="button"
            className={classes['confirm']}
            title={`Confirm: ${formatShare(score)} certain`}
            onClick={() => patch({ mapping: { [letter]: field } })}
          >
            Confirm
          </button>
        )}
      </div>
      <FieldSelect column={column} name={name} />
    </div>
  )
})

/** For the tooltip: name, target, how certain the mapping is, and values or the parts that they are split into. */
function descriptionOf(column: ImportColumn): string {
  const { letter, header, state, score, samples, split } = column
  const certainty = state === 'mapped' || state === 'confirm' ? `, ${formatShare(score)} certain` : ''
  const values = (split ?? samples).slice(0, 3).join(' · ') || 'No values'
  return `${letter}  ${header}\n${targetLabel(column)}${certainty}\n${split === null ? '' : 'Split into: '}${values}`
}

/** Invisible over the whole head, so that a click anywhere opens the menu. */
function FieldSelect({ column, name }: { column: ImportColumn; name: string }) {
  const { data, editable, patch } = useOpenImport()
  const { letter, state, field } = column
  const mappedElsewhere = (target: string) => {
    const mapped = data.columns.findLast((other) => other.field === target)
    return mapped === undefined || target === field ? '' : ` (now column ${mapped.letter})`
  }
  return (
    <select
      className={classes['fieldSelect']}
      aria-label={`Field for column ${letter}, ${name}`}
      value={OPTION_OF_STATE[state] ?? field ?? ''}
      disabled={!editable}
      onChange={(event) => patch({ mapping: { [letter]: event.currentTarget.value || null } })}
    >
      <option value="">Not mapped</option>
      <option value="ignore">Ignore this column</option>
      <option value="custom">Keep as custom field</option>
      {FIELD_GROUPS.map(({ title, fields }) => (
        <optgroup key={title} label={title}>
          {fields.map((target) => (
            <option key={target.name} value={target.name}>
              {target.label + mappedElsewhere(target.name)}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}
