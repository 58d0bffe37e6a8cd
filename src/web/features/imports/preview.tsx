import { Button, Skeleton, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { IMPORT_TABS, type ImportTab } from '#contract/imports.ts'
import { importQueries } from './import-queries.ts'
import { TAB_LABELS } from './import-words.ts'
import { NotLoaded } from './not-loaded.tsx'
import type { PreviewProps } from './preview-props.ts'
import { PreviewRow } from './preview-row.tsx'
import { PreviewSums } from './preview-sums.tsx'
import classes from './preview.module.css'

/** What the import would do to the register, by kind of change, before anything is written. */
export function Preview(props: PreviewProps) {
  const { data, tab, onTab } = props
  return (
    <div className={classes['preview']}>
      {data.sums && <PreviewSums sums={data.sums} />}
      <div className={classes['tabs']} role="tablist" aria-label="Kinds of change">
        {IMPORT_TABS.map((name) => (
          <button key={name} type="button" role="tab" aria-selected={tab === name} className={classes['tab']} onClick={() => onTab(name)}>
            {TAB_LABELS[name]} <span className="tabular">{(data.counts[name] ?? 0).toLocaleString('en-US')}</span>
          </button>
        ))}
      </div>
      <PreviewRows key={tab} {...props} />
    </div>
  )
}

const EMPTY = {
  add: 'No location of the file is new to the register.',
  change: 'No property changes.',
  unchanged: 'No row is the same as its property.',
  remove: 'No property is proposed as divested.',
  conflict: 'Every row has one clear place in the register.',
  excluded: 'No row is left out.',
  errors: 'No row has an error.',
} as const satisfies Record<ImportTab, string>

function PreviewRows(props: PreviewProps) {
  const { data, tab } = props
  const [page, setPage] = useState(1)
  const query = useQuery({ ...importQueries.tab(data.id, tab, page), placeholderData: keepPreviousData })
  if (query.isError) return <NotLoaded query={query} />
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
          {meta.from ?? 0} to {meta.to ?? 0} of {meta.total.toLocaleString('en-US')}
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
