import { z } from 'zod'
import { Id } from '#contract/route.ts'
import type { Context } from '#server/engines/context.ts'
import { defineJob } from '#server/engines/jobs/define-job.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { AppError } from '#server/kernel/errors.ts'
import { withImportLock } from '#server/features/imports/staging/import-lock.ts'
import { changeImport, loadImport } from './imports.queries.ts'
import { notifyImporter } from './publish-outcome.ts'

/** Prepares one import up to its preview. Several requests for the same import are merged while one of them waits. */
export const prepareImportJob = defineJob({
  name: 'import-prepare',
  input: z.object({ importId: Id }),
  concurrency: 2,
  async run(ctx, { importId }, { signal, lastAttempt }) {
    try {
      await prepareImport(ctx, importId, signal)
    } catch (error) {
      const isFinal = error instanceof AppError && error.kind !== 'unavailable'
      if (isFinal || lastAttempt) await failImport(ctx, importId, error)
      if (!isFinal) throw error
    }
  },
})

/** Limits a run while a user changes the import again and again; their last change starts another run. */
const STEPS_MAX = 30

/**
 * Brings an import to its preview in steps: uploaded, parsed, mapped, validated. Each step is stored before the next one starts, so the
 * next run continues after a killed one. A step is repeated if the user changed the import meanwhile. The modules of a step are loaded when it
 * starts, so that a process without imports does not hold them.
 * @throws AppError when the file cannot be imported
 */
export async function prepareImport(ctx: Context, importId: string, signal?: AbortSignal): Promise<void> {
  await withImportLock(ctx, importId, async (client) => {
    for (let step = 0; step < STEPS_MAX; step += 1) {
      const record = await loadImport(ctx.db, importId)
      if (signal?.aborted === true) throw new Error('Stopped at shutdown; the next try continues.')
      switch (record.state) {
        case 'uploaded':
          await (await import('./staging/stage-file.ts')).stageFile(ctx, client, record)
          break
        case 'parsed':
          await (await import('./staging/store-mapping.ts')).storeMapping(ctx, client, record)
          break
        case 'mapped':
          await (await import('./staging/preview-import.ts')).previewImport(ctx, client, record)
          break
        default:
          return
      }
    }
  })
}

/** Marks an import that cannot be prepared as failed, with a message for the user. */
export async function failImport(ctx: Context, importId: string, error: unknown): Promise<void> {
  const failure =
    error instanceof AppError
      ? error.message
      : 'The file could not be read because of an error on our side. Please try again; if it fails again, send us the file.'
  await transact(ctx, async (tx) => {
    const { numUpdatedRows } = await changeImport(tx.db, importId, { state: 'failed', activity: null, failure })
      .where('state', 'in', ['uploaded', 'parsed', 'mapped'])
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    const record = await loadImport(tx.db, importId)
    await notifyImporter(tx, record, 'import_failed', `${record.file_name} could not be imported: ${failure}`)
  })
}
