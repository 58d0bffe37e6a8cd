import { sql } from 'kysely'
import { visibleFiles } from '#server/access/account-files.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import type { ArchivedFile } from './archive-layout.ts'

export type ArchivableFile = Omit<ArchivedFile, 'crc32'> & { crc32: number | null }

/** Documents for an archive as its requester sees them now: what is not visible is not in it. */
export async function archivableFiles(ctx: Context, accountId: string, selected: readonly string[] | null): Promise<ArchivableFile[]> {
  const chosen = selected === null ? sql`true` : sql`account_files.id = ANY(${`{${selected.join(',')}}`}::uuid[])`
  const { rows } =
    await sql<ArchivableFile>`SELECT account_files.id, storage_key, size, crc32, original_file_name, vanity_name, category, sov,
      covers_all_properties, report_author_date, created_at,
      coalesce((SELECT jsonb_agg(jsonb_build_object('id', p.id, 'status', p.status, 'location_number', p.location_number,
          'building_number', p.building_number, 'property_name', p.property_name, 'address', p.address, 'city', p.city, 'state', p.state))
        FROM account_file_properties l JOIN account_properties p ON p.id = l.property_id AND p.deleted_at IS NULL
        WHERE l.file_id = account_files.id), '[]') AS properties
    FROM account_files
    WHERE account_files.account_id = ${accountId} AND account_files.deleted_at IS NULL AND ${chosen} AND ${visibleFiles(ctx.viewer)}`.execute(
      ctx.db,
    )
  return rows
}

/** An archive of the viewer's own; nobody sees another's. */
export async function findArchive(ctx: Context, id: string) {
  const row = await ctx.db
    .selectFrom('archives')
    .select([
      'id',
      'account_id',
      'requested_by',
      'source',
      'selected_ids',
      'file_name',
      'status',
      'progress_status',
      'files_processed',
      'total_files',
      'size',
      'etag',
      'created_at',
      'expires_at',
    ])
    .where('id', '=', id)
    .where('requested_by', '=', viewerId(ctx.viewer))
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirst()
  return row
}

export type ArchiveRecord = NonNullable<Awaited<ReturnType<typeof findArchive>>>

export async function requireArchive(ctx: Context, id: string): Promise<ArchiveRecord> {
  const archive = await findArchive(ctx, id)
  if (archive === undefined) throw notFound('Archive')
  return archive
}
