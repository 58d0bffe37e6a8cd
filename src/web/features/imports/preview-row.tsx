import { Button, Checkbox, NativeSelect, Text } from '@mantine/core'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import { PROPERTY_FIELDS, type PropertyField } from '#contract/property-fields.ts'
import { formatMoney } from '#contract/format.ts'
import type { ImportRow } from '#contract/import-rows.ts'
import type { Import } from '#contract/imports.ts'
import { cellName, cellText, fieldLabel, rowName } from './import-words.ts'
import { IssueMark } from './issue-mark.tsx'
import classes from './preview.module.css'
import type { PreviewProps } from './preview-props.ts'
import { RowChoice } from './row-choice.tsx'

/** One row of the preview: which property, what changes from what to what, and the decision it waits for, if any. */
export function PreviewRow(props: PreviewProps & { row: ImportRow }) {
  const { row, data, tab, onShowRow } = props
  const removal = tab === 'remove'
  return (
    <li className={classes['row']}>
      <div className={classes['rowHead']}>
        <div className={classes['who']}>
          <Text fw={600} truncate>
            {row.property?.name || titleOf(row, data)}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {row.property?.full_address ?? row.reason ?? ''}
          </Text>
          {removal && <Text size="sm">{row.reason}</Text>}
        </div>
        {row.tiv !== null && <span className="tabular">{formatMoney(row.tiv)}</span>}
        {removal ? (
          <Removal {...props} />
        ) : (
          <Button variant="subtle" size="compact-sm" onClick={() => onShowRow(row.row)}>
            {rowName(data, row)}
          </Button>
        )}
      </div>
      {row.changes.length > 0 && (
        <dl className={classes['changes']}>
          {row.changes.map((change) => (
            <div key={change.field}>
              <dt>{fieldLabel(change.field)}</dt>
              <dd>
                <span className={classes['before']}>{valueText(change.field, change.before)}</span>
                <IconArrowRight size={14} aria-label="becomes" />
                <span>{valueText(change.field, change.after)}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {row.issues.map((issue) => (
        <IssueMark
          key={`${issue.code} ${issue.column ?? ''}`}
          severity={issue.severity}
          message={issue.column === null ? issue.message : `${cellName(data, issue.column, row)}: ${issue.message}`}
        />
      ))}
      {tab === 'conflict' && <Decision {...props} />}
      {props.editable && (tab === 'excluded' || row.matched_by_hand || row.choice !== null) && (
        <div className={classes['choices']}>
          <RowChoice row={row} onPatch={props.onPatch} />
        </div>
      )}
    </li>
  )
}

function Removal({ row, ticks, editable }: PreviewProps & { row: ImportRow }) {
  return (
    <Checkbox
      label="Mark divested"
      disabled={!editable}
      checked={ticks.isTicked(row)}
      onChange={(event) => ticks.set(row, event.currentTarget.checked)}
    />
  )
}

const NEW = 'new'

function Decision({ row, editable, onPatch }: PreviewProps & { row: ImportRow }) {
  return (
    <NativeSelect
      label="This row is"
      size="sm"
      disabled={!editable}
      value=""
      onChange={(event) => {
        const chosen = event.currentTarget.value
        if (chosen !== '') onPatch({ matches: [{ row: row.row, property_id: chosen === NEW ? null : chosen }] })
      }}
    >
      <option value="">Please choose</option>
      {row.candidates.map((candidate) => (
        <option key={candidate.id} value={candidate.id}>
          {[candidate.name, candidate.full_address].filter(Boolean).join(', ')}
        </option>
      ))}
      <option value={NEW}>A new property</option>
    </NativeSelect>
  )
}

/** A row that has no property yet is named by what stands in its name, number and address cells. */
function titleOf(row: ImportRow, data: Import): string {
  const cellOf = (field: string) => cellText(row.cells[data.columns.findIndex((column) => column.field === field)])
  const parts = ['property_name', 'location_number', 'address', 'full_address', 'city'].map(cellOf).filter((text) => text !== '')
  return parts.length > 0 ? parts.slice(0, 3).join(', ') : rowName(data, row)
}

function valueText(name: string, value: string | number | boolean | null): string {
  if (value === null || value === '') return 'empty'
  const field = Object.entries<PropertyField>(PROPERTY_FIELDS).find(([known]) => known === name)?.[1]
  if (field?.kind === 'money' && typeof value === 'number') return formatMoney(value)
  if (field?.kind === 'choice') return field.choices[String(value)] ?? String(value)
  return typeof value === 'number' && field?.kind !== 'year' ? value.toLocaleString('en-US') : String(value)
}
