import type { Context } from '#server/engines/context.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { AppError } from '#server/kernel/errors.ts'
import { loadImport } from './import-record.ts'
import { raiseNotifications } from './notify.ts'
import { proposeColumns } from './plan/propose-columns.ts'
import { validateImport } from './preview/validate-import.ts'
import { withImportLock } from './staging/import-lock.ts'
import { stageFile } from './staging/stage-file.ts'

/** A person who keeps changing an import while it is prepared is served by the next run. */
const STEPS_MAX = 30

/**
 * Brings an import to its preview, step by step: uploaded, parsed, mapped, validated. Each step is stored before the next begins, so a
 * killed run goes on where it was; a step that somebody's change has overtaken is done again. A AppError fails the import cleanly.
 */
export async function prepareImport(ctx: Context, importId: string, signal?: AbortSignal): Promise<void> {
  await withImportLock(ctx, importId, async (client) => {
    for (let step = 0; step < STEPS_MAX; step += 1) {
      const record = await loadImport(ctx.db, importId)
      if (signal?.aborted === true) throw new Error('Stopped at shutdown; the next try goes on.')
      switch (record?.state) {
        case 'uploaded':
          await stageFile(ctx, client, record)
          break
        case 'parsed':
          await proposeColumns(ctx, client, record)
          break
        case 'mapped':
          await validateImport(ctx, client, record)
          break
        default:
          return
      }
    }
  })
}

/** Ends an import that cannot be prepared with a sentence that says why. */
export async function failImport(ctx: Context, importId: string, error: unknown): Promise<void> {
  const failure =
    error instanceof AppError
      ? error.message
      : 'The file could not be read because of a fault on our side. Please try again; if it fails again, send us the file.'
  await transact(ctx, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable('imports')
      .set({ state: 'failed', activity: null, failure, updated_at: tx.clock.now() })
      .where('id', '=', importId)
      .where('state', 'in', ['uploaded', 'parsed', 'mapped'])
      .executeTakeFirst()
    const record = await loadImport(tx.db, importId)
    if (numUpdatedRows === 1n && record)
      await raiseNotifications(tx, record, 'import_failed', `${record.file_name} could not be imported: ${failure}`)
  })
}
