import { viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { enqueue } from '#server/engines/jobs/define-job.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict } from '#server/kernel/errors.ts'
import { commitImportJob } from './commit.job.ts'
import { loadImport, type ImportRecord } from './import-record.ts'
import { findImport } from './imports.queries.ts'
import { writeImport } from './write-import.ts'

/** Up to here the answer waits for the register; beyond, a job writes and reports its progress. */
const AT_ONCE_ROWS = 1_000

/**
 * Writes the preview into the register. Repeating a commit that succeeded answers the same; a preview that is older than the register
 * is made anew and refused with what moved.
 */
export async function commitImport(ctx: Context, id: string, version: number, removals: readonly string[]): Promise<ImportRecord> {
  const record = await findImport(ctx, id)
  if (record.state === 'committed' || record.activity === 'committing') return record
  if (record.state !== 'validated' || record.activity !== null)
    throw conflict('The preview is not ready yet. Please wait until the rows are checked.')
  if (record.version !== version) throw conflict('This import was changed while you were looking at it. Please look at the new preview.')
  const { add = 0, change = 0 } = record.counts.tabs
  const total = add + change + removals.length
  if (total === 0) throw conflict('There is nothing to import: no row adds or changes a property.')
  if (total <= AT_ONCE_ROWS) await writeImport(ctx, id, removals)
  else await beginCommit(ctx, record, total, removals)
  return (await loadImport(ctx.db, id)) ?? record
}

async function beginCommit(ctx: Context, record: ImportRecord, total: number, removals: readonly string[]): Promise<void> {
  await transact(ctx, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable('imports')
      .set({ activity: 'committing', failure: null, progress_done: 0, progress_total: total, updated_at: tx.clock.now() })
      .where('id', '=', record.id)
      .where('version', '=', record.version)
      .where('state', '=', 'validated')
      .where('activity', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 1n)
      await enqueue(
        tx,
        commitImportJob,
        { importId: record.id, userId: viewerId(tx.viewer), removals: [...removals] },
        { singletonKey: record.id },
      )
  })
}
