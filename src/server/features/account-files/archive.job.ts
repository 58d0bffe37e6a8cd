import type { Updateable } from 'kysely'
import { z } from 'zod'
import { visibleAccounts } from '#server/access/accounts.ts'
import { loadViewer, viewerId } from '#server/access/viewer.ts'
import type { Archives } from '#server/db/schema.gen.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { defineJob, type JobRun } from '#server/engines/jobs/define-job.ts'
import { newPackage, recordPackage } from '#server/engines/packages/packages.ts'
import { notify } from '#server/engines/notification/notify.ts'
import { computeChecksums } from '#server/engines/storage/checksums.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { buildArchive, serializeLayout } from './archive.build.ts'
import { canRequest, requestedFiles, type ArchiveRequest } from './archive-kinds.ts'
import type { ArchivedFile } from './archive-layout.ts'
import type { FileRecord } from './files.queries.ts'

/** The viewer's own archives that have not expired, without their layout. */
export const ownArchives = ({ db, viewer, clock }: Context) =>
  db
    .selectFrom('archives')
    .select(['id', 'account_id', 'requested_by', 'source', 'selected_ids', 'file_name', 'status', 'progress_status'])
    .select(['files_processed', 'total_files', 'size', 'created_at', 'expires_at'])
    .where('requested_by', '=', viewerId(viewer))
    .where('expires_at', '>', clock.now())

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

/**
 * Makes an archive accessible: computes missing checksums, then stores the layout. It copies no documents, so it can run twice and be
 * killed at any point; checksums that were computed are stored.
 */
export const makeArchive = defineJob({
  name: 'make-archive',
  input: z.object({ archive_id: z.uuid(), user_id: z.uuid() }),
  retries: 4,
  expiresAfterSeconds: 6 * 3_600,
  concurrency: 2,
  run: async (system, { archive_id, user_id }, job) => {
    const viewer = await loadViewer(system.db, user_id)
    if (viewer === undefined) return
    const ctx: Context = { ...system, viewer }
    const archive = await findArchive(ctx, archive_id)
    if (archive === undefined || !['pending', 'processing'].includes(archive.status)) return
    const request = requestOf(archive)
    if (!canRequest(viewer, request.source) || !(await seesAccount(ctx, archive.account_id))) return failArchive(ctx, archive)
    try {
      await finish(ctx, archive, job)
    } catch (error) {
      if (job.lastAttempt) await failArchive(ctx, archive)
      throw error
    }
  },
})

async function seesAccount({ db, viewer }: Context, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .where(visibleAccounts(viewer, 'accounts.id', 'live'))
    .executeTakeFirst()
  return found !== undefined
}

const failArchive = (ctx: Context, archive: ArchiveRecord): Promise<void> =>
  transact(ctx, async (tx) => {
    const { numUpdatedRows } = await updateArchive(tx, archive.id, { status: 'failed', progress_status: 'Failed' })
    if (numUpdatedRows > 0n)
      await notifyRequester(tx, archive, 'export_failed', `${archive.file_name} could not be made. Please try again.`)
  })

const notifyRequester = (
  tx: WriteContext,
  archive: ArchiveRecord,
  kind: 'export_ready' | 'export_failed',
  message: string,
): Promise<void> =>
  notify(tx, [archive.requested_by], {
    kind,
    accountId: archive.account_id,
    child: { model: 'archives', model_id: archive.id },
    message,
    withActor: true,
  })

/** Changes an archive that is not finished yet; one that was canceled remains as it is. */
export const updateArchive = (ctx: Context, id: string, changes: Updateable<Archives>) =>
  ctx.db
    .updateTable('archives')
    .set({ ...changes, updated_at: ctx.clock.now() })
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'processing'])
    .executeTakeFirstOrThrow()

async function finish(ctx: Context, archive: ArchiveRecord, job: JobRun): Promise<void> {
  const request = requestOf(archive)
  const files = await requestedFiles(ctx, request)
  const started = { status: 'processing', progress_status: 'Adding files', total_files: files.length, files_processed: 0 }
  await updateArchive(ctx, archive.id, started)
  const checksums = new Map<string, Checksums>()
  const damaged = new Set(await damagedFiles(ctx, files))
  for (const [index, file] of files.entries()) {
    if (job.signal.aborted) throw new Error('The worker is stopping; the job runs again.')
    const sums = damaged.has(file) ? undefined : hasChecksums(file) ? file : await readChecksums(ctx, file)
    if (sums !== undefined) checksums.set(file.storage_key, { crc32: sums.crc32, sha256: sums.sha256 })
    const updated = hasChecksums(file) ? undefined : await updateArchive(ctx, archive.id, { files_processed: index + 1 })
    if (updated?.numUpdatedRows === 0n) return // canceled in the meantime
  }
  await updateArchive(ctx, archive.id, { progress_status: 'Writing index', files_processed: files.length })
  // Reading the checksums may have taken long: documents may have been deleted, made private or linked to other properties since.
  const taken = new Set(files.map(({ id }) => id))
  const present = (await requestedFiles(ctx, request)).filter(({ id }) => taken.has(id))
  const ready = present.flatMap((file): ArchivedFile[] => {
    const sums = checksums.get(file.storage_key)
    return sums === undefined ? [] : [{ ...file, ...sums }]
  })
  const skipped = present.filter(({ storage_key }) => !checksums.has(storage_key))
  await transact(ctx, async (tx) => {
    const isPublished = await publishArchive(tx, archive, ready, skipped)
    if (isPublished) await notifyRequester(tx, archive, 'export_ready', `${archive.file_name} is ready to download.`)
  })
}

/** The documents whose stored file is missing or does not have the registered size. */
export async function damagedFiles({ storage }: Context, files: readonly FileRecord[]): Promise<FileRecord[]> {
  const sizes = await storage.sizes(files.map(({ storage_key }) => storage_key))
  return files.filter(({ storage_key, size }) => sizes.get(storage_key) !== size)
}

type Checksums = Pick<ArchivedFile, 'crc32' | 'sha256'>

export const hasChecksums = (file: FileRecord): file is ArchivedFile => file.crc32 !== null && file.sha256 !== null

/** Undefined if the store has no such document with the registered size; any other error makes the job try again. */
async function readChecksums(ctx: Context, file: FileRecord): Promise<Checksums | undefined> {
  try {
    const { crc32, sha256, size } = await computeChecksums(ctx.storage, file.storage_key)
    if (size !== file.size) return undefined
    await ctx.db.updateTable('account_files').set({ crc32, sha256 }).where('storage_key', '=', file.storage_key).execute()
    return { crc32, sha256 }
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not_found') return undefined
    throw error
  }
}

/** Stores the layout, which makes the archive accessible; false for one that was canceled. */
export async function publishArchive(
  tx: WriteContext,
  archive: ArchiveRecord,
  files: readonly ArchivedFile[],
  skipped: readonly FileRecord[],
): Promise<boolean> {
  const { id, account_id, source, selected_ids } = archive
  const facts = await packageFacts(tx, archive)
  const made = { ...newPackage(tx, id), account: facts.account, madeBy: facts.madeBy ?? '' }
  const { layout, content, checksums } = await buildArchive(tx, requestOf(archive), made, files, skipped)
  const total = files.length + skipped.length
  const { numUpdatedRows } = await updateArchive(tx, id, {
    status: 'accessible',
    progress_status: 'Ready',
    files_processed: total,
    total_files: total,
    size: layout.length,
    etag: layout.etag,
    layout: serializeLayout(layout),
  })
  if (numUpdatedRows === 0n) return false
  const series = ['archive', account_id, facts.companyId, source, selected_ids?.toSorted() ?? null]
  await recordPackage(tx, { ...made, accountId: account_id, series, content, checksums, isIssued: false })
  return true
}

/** The names in the manifest, and the company of the requester: its archives of the same documents replace each other. */
const packageFacts = ({ db }: Context, { account_id, requested_by }: Pick<ArchiveRecord, 'account_id' | 'requested_by'>) =>
  db
    .selectFrom('accounts')
    .innerJoin('users', (join) => join.on('users.id', '=', requested_by))
    .select(['accounts.name as account', 'users.full_name as madeBy', 'users.company_id as companyId'])
    .where('accounts.id', '=', account_id)
    .executeTakeFirstOrThrow()
