import { gunzipSync, gzipSync } from 'node:zlib'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import type { Context } from '#server/engines/context.ts'
import { layoutZip, type ZipLayout, type ZipMember } from '#server/engines/archive/zip-layout.ts'
import { layOut, type ArchivedFile } from './archive-layout.ts'
import { documentIndex } from './archive-index.ts'

const SKIPPED = 'Skipped Files.txt'
const INDEX = 'Document Index.xlsx'

/** An archive's members as they are kept: a stored document by its key, a made one by its bytes. */
const Kept = z.array(z.tuple([z.string(), z.number(), z.number(), z.number(), z.string().nullable(), z.string().nullable()]))
const KeptLayout = z.object({ gzip: z.string() })

function made(name: string, bytes: Buffer, at: Date): ZipMember {
  return { name, size: bytes.length, crc32: crc32(bytes), modifiedAt: at, source: { kind: 'bytes', bytes } }
}

/** The whole archive from metadata alone: documents where they belong, the index, and what had to be left out. */
export async function buildArchive(ctx: Context, files: readonly ArchivedFile[], skipped: readonly string[]): Promise<ZipLayout> {
  const placed = layOut(files)
  const members: ZipMember[] = placed.map(({ path, file }) => ({
    name: path,
    size: file.size,
    crc32: file.crc32,
    modifiedAt: file.created_at,
    source: { kind: 'object', key: file.storage_key },
  }))
  const now = ctx.clock.now()
  members.push(made(INDEX, await documentIndex(placed), now))
  if (skipped.length > 0)
    members.push(
      made(SKIPPED, Buffer.from(`These files could not be read and are not in this archive:\r\n${skipped.join('\r\n')}\r\n`), now),
    )
  return layoutZip(members)
}

/** What the database keeps of a layout: enough to make every byte of it again. */
export function keepLayout(layout: ZipLayout): string {
  const rows: z.output<typeof Kept> = layout.members.map(({ name, size, crc32: sum, modifiedAt, source }) => [
    name,
    size,
    sum,
    modifiedAt.getTime(),
    source.kind === 'object' ? source.key : null,
    source.kind === 'bytes' ? source.bytes.toString('base64') : null,
  ])
  return JSON.stringify({ gzip: gzipSync(JSON.stringify(rows)).toString('base64') })
}

/** The layout again from what was kept; the same bytes, lengths and tag as when it was built. */
export function restoreLayout(kept: unknown): ZipLayout {
  const { gzip } = KeptLayout.parse(kept)
  const rows = Kept.parse(JSON.parse(gunzipSync(Buffer.from(gzip, 'base64')).toString('utf8')))
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
