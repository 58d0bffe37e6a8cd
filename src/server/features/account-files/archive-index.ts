import { buffer } from 'node:stream/consumers'
import { isoDateIn } from '#contract/format.ts'
import { timezoneOf } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { packageProperties, printedProperties } from '#server/engines/packages/package-properties.ts'
import type { SheetData } from '#server/engines/spreadsheet/write/write-workbook.ts'
import { writeWorkbook } from '#server/engines/spreadsheet/write/write-workbook.ts'
import type { PlacedFile } from './archive-layout.ts'
import { NOT_READABLE, propertyNames, type PackageFacts } from './archive-manifest.ts'
import { CATEGORY_LABELS } from './files.presenter.ts'
import type { FileRecord } from './files.queries.ts'

const PROPERTIES_CHARACTERS = 2_000

/** A workbook with a link to every document of the archive, the documents that could not be read, and what the archive is. */
export const documentIndex = (
  ctx: Context,
  made: PackageFacts,
  placed: readonly PlacedFile[],
  skipped: readonly FileRecord[],
): Promise<Buffer> =>
  buffer(
    writeWorkbook({
      properties: packageProperties(ctx, made, `Documents of ${made.account}`),
      sheets: [
        documents(placed, skipped, timezoneOf(ctx.viewer)),
        about(ctx, made, { documents: new Set(placed.map(({ file }) => file.id)).size, skipped: skipped.length }),
      ],
    }),
  )

/** The days are those of the time zone of the viewer. */
const documents = (placed: readonly PlacedFile[], skipped: readonly FileRecord[], timezone: string): SheetData => ({
  name: 'Documents',
  frozenHeader: true,
  autoFilter: true,
  columns: [
    { header: 'Path', width: 70, kind: 'link' },
    { header: 'Original File Name', width: 40, kind: 'text' },
    { header: 'Descriptive Name', width: 40, kind: 'text' },
    { header: 'Category', width: 26, kind: 'text' },
    { header: 'Report Date', width: 12, kind: 'date' },
    { header: 'Properties', width: 50, kind: 'text' },
    { header: 'Uploaded', width: 12, kind: 'date' },
    { header: 'Size (bytes)', width: 14, kind: 'number' },
    { header: 'SHA-256', width: 70, kind: 'text' },
  ],
  rows: [...placed, ...skipped.map((file) => ({ path: undefined, file }))].map(({ path, file }) => [
    path === undefined ? `Not in this archive: ${NOT_READABLE}` : { text: path, href: path },
    file.original_file_name,
    file.vanity_name,
    CATEGORY_LABELS[file.category] ?? file.category,
    file.report_author_date,
    propertyNames(file).join('; ').slice(0, PROPERTIES_CHARACTERS),
    isoDateIn(file.created_at, timezone),
    file.size,
    file.sha256 ?? 'Not known',
  ]),
})

const about = (ctx: Context, made: PackageFacts, count: { documents: number; skipped: number }): SheetData => ({
  name: 'About this archive',
  columns: [
    { header: 'About', width: 24, kind: 'text' },
    { header: 'Value', width: 90, kind: 'text' },
  ],
  rows: [
    ['Account', made.account],
    ['Made by', made.madeBy],
    ...printedProperties(ctx, made),
    ['Documents', String(count.documents)],
    ['Documents that were left out', String(count.skipped)],
  ],
})
