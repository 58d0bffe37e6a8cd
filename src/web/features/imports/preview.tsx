import { Button, Checkbox, NativeSelect, Skeleton, Text } from '@mantine/core'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMoney, formatNumber, plural, sentenceCase } from '#contract/format.ts'
import type { ImportRow } from '#contract/import-rows.ts'
import { IMPORT_TABS, type Import, type ImportTab } from '#contract/imports.ts'
import { RowDecisions } from './cell-bar.tsx'
import { FIELDS, cellName, cellText, fieldLabel, rowName } from './import-labels.ts'
import { IssueMark } from './issue-mark.tsx'
import { LoadError } from './load-error.tsx'
import classes from './preview.module.css'
import { importQueries, type ImportProps } from './use-import.ts'
import type { Removals } from './use-removals.ts'

interface PreviewProps extends ImportProps {
  tab: ImportTab
  removals: Removals
  onTab: (tab: ImportTab) => void
  onShowRow: (row: number) => void
}

/** What the import would do to the register, by kind of change, before anything is written. */
export function Preview(props: PreviewProps) {
  const { data, tab, onTab } = props
  return (
    <div className={classes['preview']}>
      {data.sums && <PreviewSums sums={data.sums} />}
      <div className={classes['tabs']} role="tablist" aria-label="Kinds of change">
        {IMPORT_TABS.map((name) => (
          <button key={name} type="button" role="tab" aria-selected={tab === name} className={classes['tab']} onClick={() => onTab(name)}>
            {sentenceCase(name)} <span className="tabular">{formatNumber(data.counts[name] ?? 0)}</span>
          </button>
        ))}
      </div>
      <PreviewRows key={tab} {...props} />
    </div>
  )
}

/** Total insured values: in the file, in the register before and after, and in the totals row of the file. */
export function PreviewSums({ sums }: { sums: NonNullable<Import['sums']> }) {
  const { file, before, after, stated } = sums
  const gap = stated === null ? 0 : file.tiv - stated
  const figures = { 'In the file': file, 'Register before': before, 'Register after': after }
  return (
    <dl className={classes['sums']}>
      {Object.entries(figures).map(([label, { rows, tiv }]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {formatMoney(tiv)}
            <Text size="xs" c="dimmed">
              {plural(rows, 'location')}
            </Text>
          </dd>
        </div>
      ))}
      {stated !== null && (
        <div>
          <dt>Totals row of the file</dt>
          <dd>
            {formatMoney(stated)}
            <Text size="xs" className={classes[gap === 0 ? 'good' : 'warning']}>
              {gap === 0
                ? 'Agrees with the rows'
                : `Warning: the rows add up to ${formatMoney(Math.abs(gap))} ${gap > 0 ? 'more' : 'less'}`}
            </Text>
          </dd>
        </div>
      )}
    </dl>
  )
}

const EMPTY = {
  add: 'The file has no new locations.',
  change: 'No properties change.',
  unchanged: 'No rows are the same as their property.',
  remove: 'No properties are proposed as divested.',
  conflict: 'No rows need a decision.',
  excluded: 'No rows are excluded.',
  errors: 'No rows have errors.',
} as const satisfies Record<ImportTab, string>

function PreviewRows(props: PreviewProps) {
  const { data, tab } = props
  const [page, setPage] = useState(1)
  const query = useQuery({ ...importQueries.rows(data.id, page, tab), placeholderData: keepPreviousData })
  if (query.isError) return <LoadError query={query} />
  if (query.data === undefined) return <Skeleton height={320} aria-label="Loading the rows" />
  const { data: rows, meta } = query.data
  if (rows.length === 0) return <Text c="dimmed">{EMPTY[tab]}</Text>
  return (
    <>
      <ul className={classes['rows']}>
        {rows.map((row) => (
          <PreviewRow key={`${row.row} ${row.property?.id ?? ''}`} row={row} {...props} />
        ))}
      </ul>
      <div className={classes['pager']}>
        <Text size="sm" c="dimmed" className="tabular" role="status">
          {meta.from ?? 0} to {meta.to ?? 0} of {formatNumber(meta.total)}
        </Text>
        <Button variant="default" size="compact-md" disabled={page === 1} onClick={() => setPage(page - 1)}>
          Previous
        </Button>
        <Button variant="default" size="compact-md" disabled={page >= meta.last_page} onClick={() => setPage(page + 1)}>
          Next
        </Button>
      </div>
    </>
  )
}

/** One row: the property, what changes, its issues and the decision it needs, if any. */
function PreviewRow({ row, data, tab, editable, removals, onPatch, onShowRow }: PreviewProps & { row: ImportRow }) {
  const isRemoval = tab === 'remove'
  return (
    <li className={classes['row']}>
      <div className={classes['rowHead']}>
        <div className={classes['rowTitle']}>
          <Text fw={600} truncate>
            {row.property?.name || titleOf(row, data)}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {row.property?.full_address ?? row.reason ?? ''}
          </Text>
          {isRemoval && <Text size="sm">{row.reason}</Text>}
        </div>
        {row.tiv !== null && <span className="tabular">{formatMoney(row.tiv)}</span>}
        {isRemoval ? (
          <Checkbox
            label="Mark divested"
            disabled={!editable}
            checked={removals.isChecked(row)}
            onChange={(event) => removals.setChecked(row, event.currentTarget.checked)}
          />
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
                <span className={classes['before']}>{formatChange(change.field, change.before)}</span>
                <IconArrowRight size={14} aria-label="becomes" />
                <span>{formatChange(change.field, change.after)}</span>
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
      {tab === 'conflict' && <MatchSelect row={row} editable={editable} onPatch={onPatch} />}
      {editable && (tab === 'excluded' || row.matched_by_hand || row.choice !== null) && (
        <div className={classes['decisions']}>
          <RowDecisions row={row} onPatch={onPatch} />
        </div>
      )}
    </li>
  )
}

const NEW = 'new'

/** Which property a row with several candidates is. */
function MatchSelect({ row, editable, onPatch }: Omit<ImportProps, 'data'> & { row: ImportRow }) {
  const candidates = row.candidates.map(({ id, name, full_address }) => ({
    value: id,
    label: [name, full_address].filter(Boolean).join(', '),
  }))
  return (
    <NativeSelect
      label="This row is"
      size="sm"
      disabled={!editable}
      value=""
      onChange={(event) => {
        const id = event.currentTarget.value
        if (id !== '') onPatch({ matches: [{ row: row.row, property_id: id === NEW ? null : id }] })
      }}
      data={[{ value: '', label: 'Please choose' }, ...candidates, { value: NEW, label: 'A new property' }]}
    />
  )
}

/** The title of a row without a property: its name, number and address cells. */
function titleOf(row: ImportRow, data: Import): string {
  const cellOf = (field: string) => cellText(row.cells[data.columns.findIndex((column) => column.field === field)])
  const parts = ['property_name', 'location_number', 'address', 'full_address', 'city'].map(cellOf).filter((text) => text !== '')
  return parts.length > 0 ? parts.slice(0, 3).join(', ') : rowName(data, row)
}

function formatChange(name: string, value: string | number | boolean | null): string {
  if (value === null || value === '') return 'empty'
  const field = FIELDS.get(name)
  if (field?.kind === 'money' && typeof value === 'number') return formatMoney(value)
  if (field?.kind === 'choice') return field.choices[String(value)] ?? String(value)
  return typeof value === 'number' && field?.kind !== 'year' ? value.toLocaleString('en-US') : String(value)
}
