import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber } from '#contract/format.ts'
import type { SheetPreview } from '#contract/file-versions.ts'
import { SHEET_PREVIEW_COLUMNS, SHEET_PREVIEW_ROWS } from '#contract/reading-limits.ts'
import { notShown, type Unreadable } from '#contract/unreadable.ts'
import { isApiError, type ApiError } from '#web/data/errors.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { ScrollRegion } from '#web/ui/scroll-region.tsx'
import { LOADING } from './loading.tsx'
import { NoPreview } from './no-preview.tsx'
import classes from './preview.module.css'
import type { ShownFile } from './shown-file.ts'

/** The first rows of a workbook or delimited text, one sheet at a time. */
export function SheetTabs({ file }: { file: ShownFile }) {
  const [sheet, setSheet] = useState(0)
  const { content } = file
  const query = useQuery({
    queryKey: ['file-content', file.key, sheet],
    queryFn: async ({ signal }) =>
      content.kind === 'stored' ? content.readSheet(sheet, signal) : Promise.reject(new Error('Not stored.')),
    staleTime: Infinity,
    retry: false,
  })
  const { error } = query
  // Another try can help while the server is busy or the connection is gone, not with a damaged file.
  if (isApiError(error) && error.status >= 400 && error.status < 500) return <NoPreview download={file.download} reason={reasonOf(error)} />
  return (
    <Loaded query={query} skeleton={LOADING} failure="The table could not be read.">
      {(preview) => <SheetView preview={preview} canDownload={file.download !== undefined} onSheet={setSheet} />}
    </Loaded>
  )
}

/** By the status of the answer; other answers name the cause themselves. */
const CAUSES: Readonly<Record<number, Unreadable>> = { 413: 'too_large', 415: 'not_supported' }

function reasonOf({ status, message }: ApiError): string {
  const cause = CAUSES[status]
  return `${cause === undefined ? 'This table is not shown.' : notShown(cause)} ${message}`
}

interface SheetViewProps {
  preview: SheetPreview
  canDownload: boolean
  onSheet: (sheet: number) => void
}

function SheetView({ preview, canDownload, onSheet }: SheetViewProps) {
  const { sheets, sheet, rows, hasMoreRows, hasMoreColumns } = preview
  const columns = Math.max(0, ...rows.map(({ cells }) => cells.length))
  const cut = [
    ...(hasMoreRows ? [`the first ${formatNumber(SHEET_PREVIEW_ROWS)} rows`] : []),
    ...(hasMoreColumns ? [`the first ${formatNumber(SHEET_PREVIEW_COLUMNS)} columns`] : []),
  ]
  return (
    <div className={classes['sheets']}>
      {sheets.length > 1 && (
        <div className={classes['sheetTabs']} role="group" aria-label="Sheets">
          {sheets.map(({ name, hidden }, index) => (
            <button key={name} type="button" className={classes['sheetTab']} aria-pressed={index === sheet} onClick={() => onSheet(index)}>
              {name}
              {hidden && ' (hidden)'}
            </button>
          ))}
        </div>
      )}
      {cut.length > 0 && (
        <p className={classes['note']}>
          Showing {cut.join(' and ')}.{canDownload && ' Download the file to see all of it.'}
        </p>
      )}
      {rows.length === 0 && <p className={classes['note']}>This sheet is empty.</p>}
      <ScrollRegion className={classes['grid']} label="Preview">
        <table>
          <thead>
            <tr>
              <td />
              {Array.from({ length: columns }, (_, column) => (
                <th key={letters(column)} scope="col">
                  {letters(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ number, cells }) => (
              <tr key={number}>
                <th scope="row">{number}</th>
                {Array.from({ length: columns }, (_, column) => (
                  <td key={letters(column)} title={cells[column]}>
                    {cells[column]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  )
}

/** 0 becomes A, 27 becomes AB. */
function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last
}
