import { buffer } from 'node:stream/consumers'
import { crc32, gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import type { Context } from '#server/engines/context.ts'
import { layoutZip, type ZipLayout, type ZipMember } from '#server/engines/archive/zip-layout.ts'
import { writeWorkbook } from '#server/engines/spreadsheet/write/write-workbook.ts'
import { CATEGORY_LABELS } from './files.presenter.ts'
import { propertyList } from '../account-properties/property-list.commands.ts'
import { linkedDocuments, listOf, type ArchiveRequest } from './archive-kinds.ts'
import { layOut, type ArchivedFile, type PlacedFile } from './archive-layout.ts'
import type { FileRecord } from './files.queries.ts'

/** The archive from metadata alone: the documents, the index or the property list, and a list of documents that could not be read. */
export async function buildArchive(
  ctx: Context,
  request: ArchiveRequest,
  files: readonly ArchivedFile[],
  skipped: readonly FileRecord[],
): Promise<ZipLayout> {
  const placed = layOut(files)
  const now = ctx.clock.now()
  const generated = (name: string, bytes: Buffer): ZipMember => ({
    name,
    size: bytes.length,
    crc32: crc32(bytes),
    modifiedAt: now,
    source: { kind: 'bytes', bytes },
  })
  const documents: ZipMember[] = placed.map(({ path, file }) => ({
    name: path,
    size: file.size,
    crc32: file.crc32,
    modifiedAt: file.created_at,
    source: { kind: 'object', key: file.storage_key },
  }))
  const skippedText = `These files could not be read and are not in this archive:\r\n${skipped.map((file) => file.original_file_name).join('\r\n')}\r\n`
  return layoutZip([
    ...documents,
    request.source === 'with-documents'
      ? generated('Property List.xlsx', await buffer(await propertyList(ctx, listOf(request), [linkedDocuments(placed)])))
      : generated('Document Index.xlsx', await documentIndex(placed, skipped)),
    ...(skipped.length > 0 ? [generated('Skipped Files.txt', Buffer.from(skippedText))] : []),
  ])
}

const NOT_READABLE = 'Not in this archive: the stored file cannot be read'

/** A workbook with a link to every document of the archive, followed by the documents that could not be read. */
const documentIndex = (placed: readonly PlacedFile[], skipped: readonly FileRecord[]): Promise<Buffer> =>
  buffer(
    writeWorkbook({
      sheets: [
        {
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
          ],
          rows: [...placed, ...skipped.map((file) => ({ path: undefined, file }))].map(({ path, file }) => [
            path === undefined ? NOT_READABLE : { text: path, href: path },
            file.original_file_name,
            file.vanity_name,
            CATEGORY_LABELS[file.category] ?? file.category,
            file.report_author_date,
            file.properties
              .map(({ location_number, address, city }) => [location_number, address, city].filter(Boolean).join(' '))
              .join('; ')
              .slice(0, 2_000),
            file.created_at.toISOString().slice(0, 10),
            file.size,
          ]),
        },
      ],
    }),
  )

/** Name, size, CRC-32 and time of a member, then the storage key of a document or the bytes of a generated file. */
const StoredMember = z.tuple([z.string(), z.number(), z.number(), z.number(), z.string().nullable(), z.string().nullable()])
const StoredLayout = z.object({ gzip: z.string() })

/** The layout as JSON for the database, from which `parseLayout` makes the same archive byte by byte. */
export function serializeLayout({ members }: ZipLayout): string {
  const rows = members.map(({ name, size, crc32: sum, modifiedAt, source }): z.output<typeof StoredMember> => [
    name,
    size,
    sum,
    modifiedAt.getTime(),
    source.kind === 'object' ? source.key : null,
    source.kind === 'bytes' ? source.bytes.toString('base64') : null,
  ])
  return JSON.stringify({ gzip: gzipSync(JSON.stringify(rows)).toString('base64') })
}

export function parseLayout(stored: unknown): ZipLayout {
  const { gzip } = StoredLayout.parse(stored)
  const rows = z.array(StoredMember).parse(JSON.parse(gunzipSync(Buffer.from(gzip, 'base64')).toString('utf8')))
  return layoutZip(
    rows.map(([name, size, sum, modifiedAt, key, bytes]) => ({
      name,
      size,
      crc32: sum,
      modifiedAt: new Date(modifiedAt),
      source: key === null ? { kind: 'bytes', bytes: Buffer.from(bytes ?? '', 'base64') } : { kind: 'object', key },
    })),
  )
}
