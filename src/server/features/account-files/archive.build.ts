import { createHash, type Hash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { crc32, gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { MANIFEST_NAME } from '#contract/manifest.ts'
import type { Context } from '#server/engines/context.ts'
import { layoutZip, type ZipLayout, type ZipMember } from '#server/engines/archive/zip-layout.ts'
import { packageDigest, sha256 } from '#server/engines/packages/package-digest.ts'
import { propertyList } from '../account-properties/property-list.commands.ts'
import { documentIndex } from './archive-index.ts'
import { listOf, type ArchiveRequest } from './archive-kinds.ts'
import { layOut, type ArchivedFile, type PlacedFile } from './archive-layout.ts'
import { contentOf, describedAt, manifest, type PackageFacts } from './archive-manifest.ts'
import { linkedDocuments } from './archive-sheets.ts'
import type { FileContent } from './files.queries.ts'
import { folderProperties } from './property-folders.ts'

/** The archive and what identifies it, for the page for checking files. */
export interface BuiltArchive {
  layout: ZipLayout
  content: string
  checksums: string[]
  /** SHA-256 of its documents. */
  documents: string[]
}

/** The archive from metadata alone: the documents, the index or the property list, a list of documents that could not be read, and the manifest. */
export async function buildArchive(
  ctx: Context,
  request: ArchiveRequest,
  made: PackageFacts,
  files: readonly ArchivedFile[],
  skipped: readonly FileContent[],
): Promise<BuiltArchive> {
  const placed = layOut(files, await folderProperties(ctx, request.account_id))
  const generated = (name: string, bytes: Buffer): Generated => ({
    name,
    size: bytes.length,
    crc32: crc32(bytes),
    modifiedAt: made.madeAt,
    source: { kind: 'bytes', bytes },
    sha256: sha256(bytes),
  })
  const documents: ZipMember[] = placed.map(({ path, file }) => ({
    name: path,
    size: file.size,
    crc32: file.crc32,
    modifiedAt: file.created_at,
    source: { kind: 'object', key: file.storage_key },
  }))
  const skippedText = `These files could not be read and are not in this archive:\r\n${skipped.map((file) => file.original_file_name).join('\r\n')}\r\n`
  const properties = createHash('sha256')
  const listed = [
    request.source === 'with-documents'
      ? generated('Property List.xlsx', await propertyListWith(ctx, request, { made, content: properties, placed }))
      : generated('Document Index.xlsx', await documentIndex(ctx, made, placed, skipped)),
    ...(skipped.length > 0 ? [generated('Skipped Files.txt', Buffer.from(skippedText))] : []),
  ]
  const all = [...listed, generated(MANIFEST_NAME, manifest(ctx, made, { placed, generated: listed, skipped }))]
  const layout = layoutZip([...documents, ...all])
  const sums = new Map([
    ...placed.map(({ path, file }) => [path, file.sha256] as const),
    ...all.map((file) => [file.name, file.sha256] as const),
  ])
  return {
    layout,
    content: contentOf(placed, skipped, properties.digest('hex')),
    checksums: [packageDigest(layout, (name) => sums.get(name) ?? ''), ...all.map((file) => file.sha256)],
    documents: placed.map(({ file }) => file.sha256),
  }
}

type Generated = ZipMember & { sha256: string }

interface ListParts {
  made: PackageFacts
  content: Hash
  placed: readonly PlacedFile[]
}

const propertyListWith = async (ctx: Context, request: ArchiveRequest, { made, content, placed }: ListParts): Promise<Buffer> =>
  buffer(
    await propertyList(ctx, listOf(request), {
      made,
      account: made.account,
      content,
      others: [linkedDocuments(placed)],
      documents: placed.map(describedAt),
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
