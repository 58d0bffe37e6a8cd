import { buffer } from 'node:stream/consumers'
import { timezoneOf } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { packageWorkbook, printedProperties } from '#server/engines/packages/package-properties.ts'
import type { SheetData } from '#server/engines/spreadsheet/write/write-workbook.ts'
import { writeWorkbook } from '#server/engines/spreadsheet/write/write-workbook.ts'
import type { PlacedFile } from './archive-layout.ts'
import { describedAt, type PackageFacts } from './archive-manifest.ts'
import { allDocuments } from './archive-sheets.ts'
import type { FileContent } from './files.queries.ts'

/** A workbook with a link to every document of the archive, the documents that could not be read, and what the archive is. */
export const documentIndex = (
  ctx: Context,
  made: PackageFacts,
  placed: readonly PlacedFile[],
  skipped: readonly FileContent[],
): Promise<Buffer> =>
  buffer(
    writeWorkbook({
      ...packageWorkbook(ctx, made, { title: `Documents of ${made.account}`, account: made.account, documents: placed.map(describedAt) }),
      sheets: [
        allDocuments(placed, skipped, timezoneOf(ctx.viewer)),
        about(ctx, made, { documents: new Set(placed.map(({ file }) => file.id)).size, skipped: skipped.length }),
      ],
    }),
  )

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
