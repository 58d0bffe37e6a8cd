import { Button, Checkbox, NativeSelect, Skeleton, Text } from '@mantine/core'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isPropertyField } from '#contract/account-properties.ts'
import { formatMoney, formatNumber, plural, sentenceCase } from '#contract/format.ts'
import type { ImportRow } from '#contract/import-rows.ts'
import { IMPORT_TABS, type Import, type ImportTab } from '#contract/imports.ts'
import { formatPropertyValue } from '#contract/property-format.ts'
import { Pager } from '#web/engines/datatable/pager.tsx'
import { Loaded } from '#web/engines/loaded.tsx'
import { RowDecisions } from './cell-bar.tsx'
import { amountText, cellText, fieldLabel, placeName } from './import-labels.ts'
import { IssueMark } from './issue-mark.tsx'
import classes from './preview.module.css'
import { importQueries, useImportAddress, useOpenImport } from './use-import.ts'

interface RowsProps {
  tab: ImportTab
  /** Shows a row, by its number, in the sheet. */
  onShowRow: (row: number) => void
}

/** What the import would do to the register, by kind of change, before anything is written. */
export function Preview({ onShowRow }: Pick<RowsProps, 'onShowRow'>) {
  const { data } = useOpenImport()
  const { tab, go } = useImportAddress()
  return (
    <div className={classes['preview']}>
      {data.sums && <PreviewSums sums={data.sums} />}
      <div className={classes['tabs']} role="tablist" aria-label="Kinds of change">
        {IMPORT_TABS.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={tab === name}
            className={classes['tab']}
            onClick={() => go({ tab: name })}
          >
            {sentenceCase(name)} <span className="tabular">{formatNumber(data.counts[name] ?? 0)}</span>
          </button>
        ))}
      </div>
      <PreviewRows key={tab} tab={tab} onShowRow={onShowRow} />
    </div>
  )
}

interface Figure {
  label: string
  value: string
  note?: string
  color?: string
}

/** Large figures in a row, each with its label. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={classes['figures']}>
      {figures.map(({ label, value, note, color = 'dimmed' }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value}
            {note !== undefined && (
              <Text size="xs" c={color}>
                {note}
              </Text>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Total insured values: in the file, in the register before and after, and in the totals row of the file. */
export function PreviewSums({ sums: { file, before, after, stated } }: { sums: NonNullable<Import['sums']> }) {
  const figureOf = (label: string, sum: typeof file) => ({ label, value: amountText(sum), note: plural(sum.rows, 'location') })
  const figures: Figure[] = [figureOf('In the file', file), figureOf('Register before', before), figureOf('Register after', after)]
  const { currency } = file
  if (stated !== null && currency !== null) {
    const gap = file.tiv - stated
    const difference = `Warning: the rows add up to ${formatMoney(Math.abs(gap), currency)} ${gap > 0 ? 'more' : 'less'}`
    const check = gap === 0 ? { note: 'Agrees with the rows', color: 'var(--good)' } : { note: difference, color: 'var(--warning)' }
    figures.push({ label: 'Totals row of the file', value: formatMoney(stated, currency), ...check })
  }
  return <Figures figures={figures} />
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

function PreviewRows({ tab, onShowRow }: RowsProps) {
  const { data } = useOpenImport()
  const [page, setPage] = useState(1)
  const query = useQuery({ ...importQueries.rows(data.id, page, tab), placeholderData: keepPreviousData })
  return (
    <Loaded query={query} skeleton={<Skeleton height={320} aria-label="Loading the rows" />}>
      {({ data: rows, meta }) =>
        rows.length === 0 ? (
          <Text c="dimmed">{EMPTY[tab]}</Text>
        ) : (
          <>
            <ul className={classes['rows']}>
              {rows.map((row) => (
                <PreviewRow key={`${row.row} ${row.property?.id ?? ''}`} row={row} tab={tab} onShowRow={onShowRow} />
              ))}
            </ul>
            <Pager meta={meta} label="the preview" onPage={setPage} />
          </>
        )
      }
    </Loaded>
  )
}

/** One row: the property, what changes, its issues and the decision it needs, if any. */
function PreviewRow({ row, tab, onShowRow }: RowsProps & { row: ImportRow }) {
  const { data, editable, removals } = useOpenImport()
  return (
    <li className={classes['row']}>
      <div className={classes['rowHead']}>
        <div className={classes['rowTitle']}>
          <Text fw={600} truncate>
            {row.property?.name || titleOf(row, data)}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {row.property?.full_address ?? row.reason}
          </Text>
          {tab === 'remove' && <Text size="sm">{row.reason}</Text>}
        </div>
        {row.tiv !== null && <span className="tabular">{rowAmount(row.tiv, data)}</span>}
        {tab === 'remove' ? (
          <Checkbox
            label="Mark divested"
            disabled={!editable}
            checked={removals.isChecked(row)}
            onChange={(event) => removals.setChecked(row, event.currentTarget.checked)}
          />
        ) : (
          <Button variant="subtle" size="compact-sm" onClick={() => onShowRow(row.row)}>
            {placeName(data, row)}
          </Button>
        )}
      </div>
      {row.changes.length > 0 && <Changes changes={row.changes} />}
      {row.issues.map(({ code, column, severity, message }) => (
        <IssueMark
          key={`${code} ${column ?? ''}`}
          severity={severity}
          message={column === null ? message : `${placeName(data, row, column)}: ${message}`}
        />
      ))}
      {tab === 'conflict' && <MatchSelect row={row} />}
      {editable && (tab === 'excluded' || row.matched_by_hand || row.choice !== null) && (
        <div className={classes['decisions']}>
          <RowDecisions row={row} />
        </div>
      )}
    </li>
  )
}

/** Without a currency when the rows have several. */
function rowAmount(tiv: number, { sums }: Import): string {
  const currency = sums === null ? 'USD' : sums.file.currency
  return currency === null ? formatNumber(tiv) : formatMoney(tiv, currency)
}

function Changes({ changes }: Pick<ImportRow, 'changes'>) {
  return (
    <dl className={classes['changes']}>
      {changes.map(({ field, before, after }) => (
        <div key={field}>
          <dt>{fieldLabel(field)}</dt>
          <dd>
            <span className={classes['before']}>{formatValue(field, before)}</span>
            <IconArrowRight size={14} aria-label="becomes" />
            <span>{formatValue(field, after)}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const NEW = 'new'

/** Which property a row with several candidates is. */
function MatchSelect({ row }: { row: ImportRow }) {
  const { editable, patch } = useOpenImport()
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
      onChange={({ currentTarget: { value: id } }) =>
        id !== '' && patch({ matches: [{ row: row.row, property_id: id === NEW ? null : id }] })
      }
      data={[{ value: '', label: 'Please choose' }, ...candidates, { value: NEW, label: 'A new property' }]}
    />
  )
}

/** The title of a row without a property: its name, number and address cells. */
function titleOf(row: ImportRow, { columns, sheets }: Import): string {
  const cellOf = (name: string) => cellText(row.cells[columns.findIndex(({ field }) => field === name)])
  const parts = ['property_name', 'location_number', 'address', 'full_address', 'city'].map(cellOf).filter(Boolean)
  return parts.slice(0, 3).join(', ') || placeName({ sheets }, row)
}

function formatValue(name: string, value: ImportRow['cells'][number]): string {
  return (isPropertyField(name) && typeof value !== 'boolean' ? formatPropertyValue(name, value) : cellText(value)) || 'empty'
}
