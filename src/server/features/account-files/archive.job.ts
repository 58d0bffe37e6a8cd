import type { Updateable } from 'kysely'
import { z } from 'zod'
import { leftOutText } from '#contract/download-content.ts'
import { issuerOf } from '#server/access/issued-files.ts'
import { loadViewer } from '#server/access/viewer.ts'
import type { Archives } from '#server/db/schema.gen.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { defineJob, type JobRun } from '#server/engines/jobs/define-job.ts'
import { newPackage, recordPackage, type Listed } from '#server/engines/packages/packages.ts'
import { notify, type NewNotification } from '#server/engines/notification/notify.ts'
import { computeChecksums } from '#server/engines/storage/checksums.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { AppError } from '#server/kernel/errors.ts'
import { readyContents } from './archive-content.queries.ts'
import { buildArchive, serializeLayout } from './archive.build.ts'
import { canRequest, requestedFiles } from './archive-kinds.ts'
import type { ArchivedFile } from './archive-layout.ts'
import { findArchive, requestOf, requestedArchives, type ArchiveRecord } from './archives.queries.ts'
import type { FileContent } from './files.queries.ts'
import { listedNow } from './listings.commands.ts'

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
    const archive = await requestedArchives(ctx).where('id', '=', archive_id).executeTakeFirst()
    if (archive === undefined || !['pending', 'processing'].includes(archive.status)) return
    const isVisible = (await findArchive(ctx, archive_id)) !== undefined
    if (!isVisible || !canRequest(viewer, requestOf(archive).source)) return failArchive(ctx, archive)
    try {
      await finish(ctx, archive, job)
    } catch (error) {
      if (job.lastAttempt) await failArchive(ctx, archive)
      throw error
    }
  },
})

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
  subject?: NewNotification['subject'],
): Promise<void> =>
  notify(tx, [archive.requested_by], {
    kind,
    accountId: archive.account_id,
    ...(subject === undefined ? {} : { subject }),
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
  const listed = await listedNow(ctx, request)
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
    const isPublished = await publishArchive(tx, archive, { files: ready, skipped, listed })
    if (isPublished) await notifyReady(tx, archive, skipped)
  })
}

/** Names a document that could not be read if it is the only one: who doesn't see it when they read the notification doesn't see that. */
async function notifyReady(tx: WriteContext, archive: ArchiveRecord, skipped: readonly FileContent[]): Promise<void> {
  const made = await findArchive(tx, archive.id)
  const content = made && (await readyContents(tx, [made])).get(archive.id)?.content
  const [only] = skipped.length === 1 ? skipped : []
  const leftOut = content && leftOutText(content, only !== undefined)
  const message = `${archive.file_name} is ready to download${leftOut === undefined ? '' : `: ${leftOut}`}.`
  await notifyRequester(tx, archive, 'export_ready', message, only && { model: 'account_files', id: only.id })
}

/** The documents whose stored file is missing or does not have the registered size. */
export async function damagedFiles({ storage }: Context, files: readonly FileContent[]): Promise<FileContent[]> {
  const sizes = await storage.sizes(files.map(({ storage_key }) => storage_key))
  return files.filter(({ storage_key, size }) => sizes.get(storage_key) !== size)
}

type Checksums = Pick<ArchivedFile, 'crc32' | 'sha256'>

export const hasChecksums = (file: FileContent): file is ArchivedFile => file.crc32 !== null && file.sha256 !== null

/** Undefined if the store has no such document with the registered size; any other error makes the job try again. */
async function readChecksums(ctx: Context, file: FileContent): Promise<Checksums | undefined> {
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

interface ReadyArchive {
  files: readonly ArchivedFile[]
  skipped: readonly FileContent[]
  /** Of before the documents were read. */
  listed: Listed
}

/** Stores the layout, which makes the archive accessible; false for one that was canceled. */
export async function publishArchive(tx: WriteContext, archive: ArchiveRecord, { files, skipped, listed }: ReadyArchive): Promise<boolean> {
  const { id, account_id, source, selected_ids } = archive
  const facts = await packageFacts(tx, archive)
  const made = { ...newPackage(tx, id), account: facts.account, madeBy: facts.madeBy ?? '' }
  const { layout, ...identity } = await buildArchive(tx, requestOf(archive), made, files, skipped)
  const { numUpdatedRows } = await updateArchive(tx, id, {
    status: 'accessible',
    progress_status: 'Ready',
    files_processed: files.length,
    total_files: files.length + skipped.length,
    document_keys: [...files, ...skipped].map(({ storage_key }) => storage_key),
    skipped_ids: skipped.map((file) => file.id),
    size: layout.length,
    etag: layout.etag,
    layout: serializeLayout(layout),
  })
  if (numUpdatedRows === 0n) return false
  const series = ['archive', account_id, issuerOf(tx.viewer), source, selected_ids?.toSorted() ?? null]
  await recordPackage(tx, { ...made, accountId: account_id, series, listed, ...identity, isIssued: false })
  return true
}

/** The names in the manifest. */
const packageFacts = ({ db }: Context, { account_id, requested_by }: Pick<ArchiveRecord, 'account_id' | 'requested_by'>) =>
  db
    .selectFrom('accounts')
    .innerJoin('users', (join) => join.on('users.id', '=', requested_by))
    .select(['accounts.name as account', 'users.full_name as madeBy'])
    .where('accounts.id', '=', account_id)
    .executeTakeFirstOrThrow()
