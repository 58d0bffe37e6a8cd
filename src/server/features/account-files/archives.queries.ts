import { sql } from 'kysely'
import { visibleAccounts } from '#server/access/accounts.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import type { ArchiveRequest } from './archive-kinds.ts'

/** The viewer's own archives, without their layout, also of accounts that they no longer see. */
export const requestedArchives = ({ db, viewer }: Context) =>
  db
    .selectFrom('archives')
    .select(['id', 'account_id', 'requested_by', 'source', 'selected_ids', 'file_name', 'status', 'progress_status'])
    .select(['files_processed', 'total_files', 'size', 'created_at', 'expires_at'])
    .select(sql<number>`cardinality(skipped_ids)`.as('skipped'))
    .where('requested_by', '=', viewerId(viewer))

/** The viewer's own archives of accounts that they see, also those that have expired. */
export const listedArchives = (ctx: Context) => requestedArchives(ctx).where(visibleAccounts(ctx.viewer, 'archives.account_id', 'live'))

/** The viewer's own archives of accounts that they see. */
export const ownArchives = (ctx: Context) => listedArchives(ctx).where('expires_at', '>', ctx.clock.now())

export const findArchive = (ctx: Context, id: string) => ownArchives(ctx).where('id', '=', id).executeTakeFirst()

export type ArchiveRecord = NonNullable<Awaited<ReturnType<typeof findArchive>>>

export const requestOf = ({ account_id, source, selected_ids }: ArchiveRecord): ArchiveRequest => ({
  account_id,
  source: source as ArchiveRequest['source'], // checked by the table
  selected_ids,
})

export async function requireArchive(ctx: Context, id: string): Promise<ArchiveRecord> {
  const archive = await findArchive(ctx, id)
  if (archive === undefined) throw notFound('Archive')
  return archive
}
