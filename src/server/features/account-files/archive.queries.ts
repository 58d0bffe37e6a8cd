import { viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { notFound } from '#server/kernel/errors.ts'

/** The viewer's own archives that have not expired, without their layout. */
export const ownArchives = ({ db, viewer, clock }: Context) =>
  db
    .selectFrom('archives')
    .select(['id', 'account_id', 'requested_by', 'selected_ids', 'file_name', 'status', 'progress_status'])
    .select(['files_processed', 'total_files', 'size', 'created_at'])
    .where('requested_by', '=', viewerId(viewer))
    .where('expires_at', '>', clock.now())

export const findArchive = (ctx: Context, id: string) => ownArchives(ctx).where('id', '=', id).executeTakeFirst()

export type ArchiveRecord = NonNullable<Awaited<ReturnType<typeof findArchive>>>

export async function requireArchive(ctx: Context, id: string): Promise<ArchiveRecord> {
  const archive = await findArchive(ctx, id)
  if (archive === undefined) throw notFound('Archive')
  return archive
}
