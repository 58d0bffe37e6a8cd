import { Checkbox } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatMoney, formatNumber } from '#contract/format.ts'
import type { ImportRow } from '#contract/import-rows.ts'
import type { Import, ImportTab, Reading } from '#contract/imports.ts'
import { showError } from '#web/engines/show-error.ts'
import { RowDecisions } from './cell-bar.tsx'
import { DECISION_CODES, displayText, fieldLabel, isNumeric, placeName, readText, registerText } from './import-labels.ts'
import { IssueIcon } from './issue-mark.tsx'
import classes from './preview.module.css'
import { targetLabel } from './sheet-column-head.tsx'
import { readRemovals, useOpenImport } from './use-import.ts'

export interface PreviewColumn {
  key: string
  label: string
  /** Of the column in the file. */
  letter?: string
  /** Shown in the head instead of the label. */
  header?: ReactNode
  numeric?: boolean
  render: (row: ImportRow) => ReactNode
}

type OpenImport = ReturnType<typeof useOpenImport>

/** The columns of a tab: what the user decides or must read first, then the property with its changes, or the cells of the file. */
export function previewColumns(
  tab: ImportTab,
  reading: Reading,
  rows: readonly ImportRow[],
  { data, editable }: OpenImport,
): PreviewColumn[] {
  const decided = editable && (tab === 'excluded' || rows.some((row) => row.matched_by_hand || row.choice !== null))
  const found = rows.some(({ issues }) => issues.length > 0) && ISSUES
  const known = reading === 'register' && (tab === 'change' || tab === 'remove' || tab === 'unchanged')
  const columns: (PreviewColumn | false)[] = [
    tab === 'remove' && { key: 'remove', label: 'Mark divested', header: <AllRemovals />, render: (row) => <Removal row={row} /> },
    tab === 'conflict' && { key: 'match', label: 'This row is', render: (row) => <MatchSelect row={row} /> },
    (tab === 'excluded' || tab === 'remove') && { key: 'reason', label: 'Why', render: ({ reason }) => reason },
    tab === 'excluded' && decided && DECISIONS,
    (tab === 'errors' || tab === 'conflict') && found,
    ...(known ? [PROPERTY] : []),
    ...(known && tab === 'change' ? changeColumns(rows) : []),
    ...(known ? [ADDRESS] : fileColumns(data, reading)),
    tab !== 'excluded' && { key: 'tiv', label: 'Insured value', numeric: true, render: ({ tiv, currency }) => amountOf(tiv, currency) },
    tab !== 'excluded' && decided && DECISIONS,
    tab !== 'errors' && tab !== 'conflict' && tab !== 'excluded' && found,
  ]
  return columns.filter((column) => column !== false)
}

const DECISIONS: PreviewColumn = {
  key: 'decisions',
  label: 'Decision',
  render: (row) => (
    <span className={classes['decisions']}>
      <RowDecisions row={row} />
    </span>
  ),
}

const PROPERTY: PreviewColumn = {
  key: 'property',
  label: 'Property',
  render: ({ property }) => property && <strong title={property.full_address}>{property.name || property.full_address}</strong>,
}

const ADDRESS: PreviewColumn = { key: 'address', label: 'Address', render: ({ property }) => property?.full_address }

const ISSUES: PreviewColumn = {
  key: 'issues',
  label: 'Found',
  render: ({ issues }) => {
    const decision = issues.find(({ code }) => DECISION_CODES.includes(code))
    const worst = issues.find(({ severity }) => severity === 'error') ?? decision ?? issues[0]
    return (
      worst && (
        <span className={classes['found']} title={issues.map(({ message }) => message).join('\n')}>
          <IssueIcon severity={worst.severity} className={classes['mark'] ?? ''} />
          {worst.message}
          {issues.length > 1 && <small> and {issues.length - 1} more</small>}
        </span>
      )
    )
  },
}

const Before = ({ text }: { text: string }) => (text === '' ? <del data-empty>empty</del> : <del>{text}</del>)

/** One column for every field that changes in one of the rows, with the old and the new value. */
function changeColumns(rows: readonly ImportRow[]): PreviewColumn[] {
  const fields = [...new Set(rows.flatMap(({ changes }) => changes.map(({ field }) => field)))]
  return fields.map((field) => ({
    // Another column can have the name of the field.
    key: `changed ${field}`,
    label: fieldLabel(field),
    numeric: isNumeric(field),
    render: (row) => {
      const change = row.changes.find((one) => one.field === field)
      const { before, after } = currenciesOf(row)
      return (
        change && (
          <>
            <Before text={registerText(field, change.before, before)} /> <ins>{registerText(field, change.after, after) || 'empty'}</ins>
          </>
        )
      )
    },
  }))
}

/** The mapped columns: named by their fields with what was read, or by their headers with what is written. */
const fileColumns = ({ columns }: Import, reading: Reading): PreviewColumn[] =>
  columns.flatMap((column, index) =>
    column.state === 'mapped' || column.state === 'confirm' || column.state === 'custom'
      ? [
          {
            key: column.letter,
            letter: column.letter,
            label: reading === 'file' || column.state === 'custom' ? column.header || `Column ${column.letter}` : targetLabel(column),
            numeric: isNumeric(column.field),
            render: (row) => (reading === 'file' ? displayText : readText)(row.cells[index], column.field),
          },
        ]
      : [],
  )

const amountOf = (tiv: number | null, currency: string | null): string =>
  tiv === null ? '' : currency === null ? formatNumber(tiv) : formatMoney(tiv, currency)

/** The currency of the amounts before and after a change of the row. */
function currenciesOf({ changes, currency }: ImportRow): { before: string | undefined; after: string | undefined } {
  const after = currency ?? undefined
  const former = changes.find(({ field }) => field === 'currency')?.before
  return { before: typeof former === 'string' ? former : after, after }
}

/** Whether the property is marked divested. */
function Removal({ row }: { row: ImportRow }) {
  const { editable, removals } = useOpenImport()
  return (
    <Checkbox
      size="xs"
      aria-label={`Mark divested: ${row.property?.name || row.property?.full_address || ''}`}
      data-row-control="remove"
      disabled={!editable}
      checked={removals.isChecked(row)}
      onChange={(event) => removals.setChecked([row], event.currentTarget.checked)}
    />
  )
}

/** All proposed properties, also those on other pages. */
function AllRemovals() {
  const { data, editable, removals } = useOpenImport()
  const all = data.counts.remove ?? 0
  const change = useMutation({
    mutationFn: async (checked: boolean) => removals.setChecked(await readRemovals(data), checked),
    onError: (error) => showError(error),
  })
  return (
    <Checkbox
      size="xs"
      label="Mark divested"
      aria-label={`Mark divested: all ${formatNumber(all)} properties`}
      disabled={!editable || change.isPending}
      checked={removals.count === all}
      indeterminate={removals.count > 0 && removals.count < all}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  )
}

const NEW = 'new'

/** Which property a row with several candidates is. */
function MatchSelect({ row }: { row: ImportRow }) {
  const { data, editable, patch } = useOpenImport()
  return (
    <select
      className={classes['match']}
      aria-label={`${placeName(data, row)} is`}
      data-row-control="match"
      disabled={!editable}
      value=""
      onChange={({ currentTarget: { value: id } }) =>
        id !== '' && patch({ matches: [{ row: row.row, property_id: id === NEW ? null : id }] })
      }
    >
      <option value="">Please choose</option>
      {row.candidates.map(({ id, name, full_address }) => (
        <option key={id} value={id}>
          {[name, full_address].filter(Boolean).join(', ')}
        </option>
      ))}
      <option value={NEW}>A new property</option>
    </select>
  )
}
