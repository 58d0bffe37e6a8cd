import { Skeleton } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { plural } from '#contract/format.ts'
import type { ImportRow } from '#contract/import-rows.ts'
import type { Import, ImportTab, Reading } from '#contract/imports.ts'
import { Pager } from '#web/engines/datatable/pager.tsx'
import { Loaded } from '#web/engines/loaded.tsx'
import { moveBetweenRows } from '#web/ui/row-keys.ts'
import { isSplit, placeName, staysOut } from './import-labels.ts'
import { DecideAll } from './decide-all.tsx'
import { previewColumns, type PreviewColumn } from './preview-columns.tsx'
import classes from './preview.module.css'
import { importQueries, useOpenImport } from './use-import.ts'

const EMPTY = {
  add: 'The file has no new locations.',
  change: 'No properties change.',
  unchanged: 'No rows are the same as their property.',
  remove: 'No properties are proposed as divested.',
  conflict: 'No rows need a decision.',
  excluded: 'No rows are left out.',
  errors: 'No rows stay out.',
} as const satisfies Record<ImportTab, string>

interface PreviewProps {
  tab: ImportTab
  reading: Reading
  onShowRow: (row: number) => void
}

/** The rows of one tab, as they will be in the register or as in the file, before anything is written. */
export const Preview = (props: PreviewProps) => <PreviewRows key={props.tab} {...props} />

function PreviewRows({ tab, reading: chosen, onShowRow }: PreviewProps) {
  // Properties that are not in the file have no cells in it.
  const reading = tab === 'remove' ? 'register' : chosen
  const open = useOpenImport()
  const { data } = open
  const [page, setPage] = useState(1)
  const query = useQuery({ ...importQueries.rows(data.id, page, tab, reading), placeholderData: keepPreviousData })
  return (
    <div className={classes['preview']} data-stale={data.activity !== null || undefined}>
      <Loaded query={query} skeleton={<Skeleton height={320} m="md" role="status" aria-label="Loading the rows" />}>
        {({ data: rows, meta }) =>
          rows.length === 0 ? (
            <p className={classes['empty']}>{isKnown(data) ? EMPTY[tab] : 'The rows have not been checked yet.'}</p>
          ) : (
            <>
              {tab === 'conflict' && open.editable && <DecideAll />}
              <PreviewTable rows={rows} columns={previewColumns(tab, reading, rows, open)} onShowRow={onShowRow} />
              <Pager meta={meta} label="the preview" onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </div>
  )
}

/** Whether an empty tab is the result of a finished check. */
const isKnown = ({ state, activity }: Import) => state === 'validated' && activity === null

interface PreviewTableProps {
  rows: readonly ImportRow[]
  columns: readonly PreviewColumn[]
  onShowRow: (row: number) => void
}

function PreviewTable({ rows, columns, onShowRow }: PreviewTableProps) {
  const { data } = useOpenImport()
  return (
    <div className={classes['frame']}>
      <table className={classes['table']} aria-label={plural(rows.length, 'row')}>
        <thead>
          <tr>
            <th scope="col" className={classes['place']}>
              Row
            </th>
            {columns.map(({ key, label, letter, header, numeric }) => (
              <th key={key} scope="col" data-number={numeric || undefined}>
                {letter !== undefined && <span className={classes['letter']}>{letter} </span>}
                {header ?? label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.row} ${row.property?.id ?? ''}`} data-stays-out={staysOut(row) || undefined} onKeyDown={moveBetweenRows}>
              <th scope="row" className={classes['place']}>
                {row.row > 0 && (
                  <RowLink name={placeName(data, row)} onClick={() => onShowRow(row.row)}>
                    {isSplit(data) ? placeName(data, row) : row.sheet_row}
                  </RowLink>
                )}
              </th>
              {columns.map(({ key, numeric, render }) => (
                <PreviewCell key={key} numeric={numeric}>
                  {render(row)}
                </PreviewCell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Shows the row in the sheet. */
const RowLink = ({ name, onClick, children }: { name: string; onClick: () => void; children: ReactNode }) => (
  <button type="button" className={classes['rowLink']} aria-label={name} data-row-control="row" onClick={onClick}>
    {children}
  </button>
)

const PreviewCell = ({ numeric, children }: { numeric: boolean | undefined; children: ReactNode }) => (
  <td data-number={numeric || undefined} title={typeof children === 'string' ? children : undefined}>
    {children}
  </td>
)
