import { sql } from 'kysely'
import { ARCHIVES_PER_MINUTE, ARCHIVE_LIFE_MS, ARCHIVE_PROPERTIES_AT_ONCE, MINUTE_MS } from '#contract/limits.ts'
import { isoDateIn } from '#contract/format.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { timezoneOf, viewerId } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { enqueue } from '#server/engines/jobs/define-job.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import type { Listed } from '#server/engines/packages/packages.ts'
import { AppError, forbidden, notFound, throttled } from '#server/kernel/errors.ts'
import { requireListedProperties } from '../account-properties/property-list.commands.ts'
import { ARCHIVE_KINDS, canRequest, isList, listOf, requestedFiles, type ArchiveRequest } from './archive-kinds.ts'
import { damagedFiles, hasChecksums, makeArchive, publishArchive, updateArchive } from './archive.job.ts'
import { listedArchives, ownArchives, requestOf, requireArchive, type ArchiveRecord } from './archives.queries.ts'
import { safePart } from './file-names.ts'
import { requireAll } from './files.commands.ts'
import type { FileContent } from './files.queries.ts'
import { listedNow } from './listings.commands.ts'

/**
 * Starts a download of an account. A list is ready at once, an archive if all checksums are known; otherwise a job makes it. The same
 * request again, while it is not finished, answers the same archive. Throws `notFound` if there is nothing to download, `throttled` after
 * too many requests.
 */
export const requestArchive = (ctx: Context, request: ArchiveRequest): Promise<ArchiveRecord> => startArchive(ctx, request, true)

/** Starts a download again, with those of its documents that are left. */
export async function repeatArchive(ctx: Context, id: string): Promise<ArchiveRecord> {
  const archive = await listedArchives(ctx).where('id', '=', id).executeTakeFirst()
  if (archive === undefined) throw notFound('Download')
  return startArchive(ctx, requestOf(archive), false)
}

async function startArchive(ctx: Context, request: ArchiveRequest, needsAll: boolean): Promise<ArchiveRecord> {
  const { source } = request
  const userId = viewerId(ctx.viewer)
  if (userId === null || !canRequest(ctx.viewer, source)) throw forbidden()
  const account = await requireVisibleAccount(ctx.db, ctx.viewer, request.account_id)
  const listed = isList(source) ? undefined : await listedNow(ctx, request)
  const { files, count } = await requireContent(ctx, request, needsAll)
  const isReady = isList(source) || (files.every(hasChecksums) && count <= ARCHIVE_PROPERTIES_AT_ONCE)
  const { id, isNew } = await transact(ctx, async (tx) => {
    const unfinished = await lockRequests(tx, userId, request)
    if (unfinished !== undefined) return { id: unfinished, isNew: false }
    const row = await tx.db
      .insertInto('archives')
      .values({
        ...request,
        requested_by: userId,
        file_name: archiveName(tx, account.name, source),
        ...(isList(source) ? { status: 'accessible', progress_status: 'Ready', files_processed: count } : {}),
        total_files: isList(source) ? count : files.length,
        expires_at: new Date(tx.clock.now().getTime() + ARCHIVE_LIFE_MS),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (!isReady) await enqueue(tx, makeArchive, { archive_id: row.id, user_id: userId })
    return { id: row.id, isNew: true }
  })
  if (isNew && isReady && listed !== undefined) await publishNow(ctx, await requireArchive(ctx, id), { files, listed })
  return requireArchive(ctx, id)
}

async function publishNow(
  ctx: Context,
  archive: ArchiveRecord,
  { files, listed }: { files: readonly FileContent[]; listed: Listed },
): Promise<void> {
  const damaged = new Set(await damagedFiles(ctx, files))
  const ready = files.filter(hasChecksums).filter((file) => !damaged.has(file))
  await transact(ctx, (tx) => publishArchive(tx, archive, { files: ready, skipped: [...damaged], listed }))
}

/** The documents of the request, and the number of properties, or of documents in a list of them. */
async function requireContent(ctx: Context, request: ArchiveRequest, needsAll: boolean): Promise<{ files: FileContent[]; count: number }> {
  const { source, selected_ids } = request
  const count = source === 'property-list' || source === 'with-documents' ? await requireListedProperties(ctx, listOf(request)) : 0
  const files = await requestedFiles(ctx, request)
  if (source === 'downloadall' || source === 'fileselection') requireAll(files, needsAll ? (selected_ids ?? 'all') : 'all')
  if (source === 'document-list' && files.length === 0) throw new AppError('not_found', selected_ids === null ? NONE_DISCLOSED : NONE_FOUND)
  return { files, count: source === 'document-list' ? files.length : count }
}

const NONE_DISCLOSED = 'This account does not have any disclosed documents to generate the list from.'
const NONE_FOUND = 'Could not find those documents.'

/** One request of a user at a time. Returns the archive of the same request that is not finished, if there is one. */
async function lockRequests(tx: WriteContext, userId: string, request: ArchiveRequest): Promise<string | undefined> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`archives of ${userId}`}, 0))`.execute(tx.db)
  const same = await ownArchives(tx)
    .where('status', 'in', ['pending', 'processing'])
    .where('account_id', '=', request.account_id)
    .where('source', '=', request.source)
    .where(sql<boolean>`selected_ids IS NOT DISTINCT FROM ${request.selected_ids}::uuid[]`)
    .executeTakeFirst()
  if (same !== undefined) return same.id
  const since = new Date(tx.clock.now().getTime() - MINUTE_MS)
  const { recent } = await tx.db
    .selectFrom('archives')
    .select((eb) => eb.fn.countAll<number>().as('recent'))
    .where('requested_by', '=', userId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  if (recent >= ARCHIVES_PER_MINUTE)
    throw throttled(`You can start ${ARCHIVES_PER_MINUTE} downloads a minute. Please wait a moment and try again.`, MINUTE_MS / 1_000)
  return undefined
}

/** "Cascadia - Property List - 2026-03-05.xlsx" */
export function archiveName({ clock, viewer }: Context, account: string, source: ArchiveRequest['source']): string {
  const { name, extension } = ARCHIVE_KINDS[source]
  return `${safePart(account)} - ${name} - ${isoDateIn(clock.now(), timezoneOf(viewer))}.${extension}`
}

export async function cancelArchive(ctx: Context, id: string): Promise<void> {
  await requireArchive(ctx, id)
  await updateArchive(ctx, id, { status: 'cancelled' })
}

/** Deletes a download; a job that makes it stops. */
export async function removeArchive(ctx: Context, id: string): Promise<void> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('archives')
    .where('id', 'in', listedArchives(ctx).clearSelect().select('id').where('id', '=', id))
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw notFound('Download')
}
