import { sql } from 'kysely'
import { z } from 'zod'
import { Id } from '#contract/route.ts'
import { loadViewer } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { defineJob } from '#server/engines/jobs/define-job.ts'
import { AppError } from '#server/kernel/errors.ts'
import { changeImport } from './imports.queries.ts'

/** Writes a large import on behalf of the user who committed it. A killed run leaves nothing written; the next try starts over. */
export const commitImportJob = defineJob({
  name: 'import-commit',
  input: z.object({ importId: Id, userId: z.string().nullable(), removals: z.array(Id) }),
  async run(ctx, { importId, userId, removals }, { lastAttempt }) {
    const viewer = userId === null ? ctx.viewer : await loadViewer(ctx.db, userId)
    try {
      if (viewer === undefined) throw new AppError('forbidden', 'The user who started this import no longer has access.')
      const { writeImport } = await import('./commit/write-import.ts')
      await writeImport({ ...ctx, viewer }, importId, removals, ({ activity }) => activity === 'committing')
    } catch (error) {
      const isFinal = error instanceof AppError && error.kind !== 'unavailable'
      if (isFinal || lastAttempt) await release(ctx, importId, error)
      if (!isFinal) throw error
    }
  },
})

/** Makes the preview available again, with the reason why it was not written. */
async function release(ctx: Context, importId: string, error: unknown): Promise<void> {
  const failure =
    error instanceof AppError
      ? error.message
      : 'The import could not be written because of an error on our side. Nothing was changed. Please try again.'
  const released = { activity: sql<string | null>`nullif(activity, 'committing')` }
  await changeImport(ctx.db, importId, { failure }).set(released).where('state', '<>', 'committed').execute()
}
