import { z } from 'zod'
import { Id } from '#contract/route.ts'
import { defineJob } from '#server/engines/jobs/define-job.ts'
import { AppError } from '#server/kernel/errors.ts'
import { failImport, prepareImport } from './prepare-import.ts'

/** Reads and checks one import; several requests for the same import while one waits become one. */
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
