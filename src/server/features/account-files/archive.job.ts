import { z } from 'zod'
import { loadViewer } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { defineJob, type JobRun } from '#server/engines/jobs/define-job.ts'
import { computeChecksums } from '#server/engines/storage/checksums.ts'
import { AppError } from '#server/kernel/errors.ts'
import { buildArchive, keepLayout } from './archive.build.ts'
import type { ArchivedFile } from './archive-layout.ts'
import { archivableFiles, findArchive, type ArchivableFile, type ArchiveRecord } from './archive.queries.ts'

/**
 * Makes an archive accessible: reads what has no checksum yet, then fixes layout, names and sizes. It copies nothing, so it may
 * run twice and may be killed anywhere; checksums already read stay read.
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
    try {
      await finish(ctx, archive, job)
    } catch (error) {
      if (job.lastAttempt) await say(ctx, archive.id, { status: 'failed', progress_status: 'Failed' })
      throw error
    }
  },
})

type Progress = Partial<{ status: string; progress_status: string; files_processed: number; total_files: number }>

const say = (ctx: Context, id: string, progress: Progress) =>
  ctx.db
    .updateTable('archives')
    .set({ ...progress, updated_at: ctx.clock.now() })
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'processing'])
    .executeTakeFirst()

async function finish(ctx: Context, archive: ArchiveRecord, job: JobRun): Promise<void> {
  const files = await archivableFiles(ctx, archive.account_id, archive.selected_ids)
  await say(ctx, archive.id, { status: 'processing', progress_status: 'Adding files', total_files: files.length, files_processed: 0 })
  const ready: ArchivedFile[] = []
  const skipped: string[] = []
  for (const [index, file] of files.entries()) {
    if (job.signal.aborted) throw new Error('The worker is stopping; the archive is taken up again.')
    const crc32 = file.crc32 ?? (await readNow(ctx, file))
    if (crc32 === undefined) skipped.push(file.original_file_name)
    else ready.push({ ...file, crc32 })
    const going = file.crc32 === null ? await say(ctx, archive.id, { files_processed: index + 1 }) : undefined
    if (going?.numUpdatedRows === 0n) return // cancelled meanwhile
  }
  await say(ctx, archive.id, { progress_status: 'Writing index', files_processed: files.length })
  await accessible(ctx, archive.id, ready, skipped)
}

/** A document that cannot be read is left out and named; a store that is gone for a while is waited for. */
async function readNow(ctx: Context, file: ArchivableFile): Promise<number | undefined> {
  try {
    const { crc32, sha256 } = await computeChecksums(ctx.storage, file.storage_key)
    await ctx.db.updateTable('account_files').set({ crc32, sha256 }).where('id', '=', file.id).execute()
    return crc32
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not_found') return undefined
    throw error
  }
}

/** Writes the finished layout down; from here on the archive is a link. */
export async function accessible(ctx: Context, id: string, files: readonly ArchivedFile[], skipped: readonly string[]): Promise<void> {
  const layout = await buildArchive(ctx, files, skipped)
  await ctx.db
    .updateTable('archives')
    .set({
      status: 'accessible',
      progress_status: 'Ready',
      files_processed: files.length + skipped.length,
      total_files: files.length + skipped.length,
      size: layout.length,
      etag: layout.etag,
      layout: keepLayout(layout),
      updated_at: ctx.clock.now(),
    })
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'processing'])
    .execute()
}
