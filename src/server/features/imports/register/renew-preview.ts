import { sql } from 'kysely'
import type { Context } from '#server/engines/context.ts'
import { enqueue } from '#server/engines/jobs/define-job.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { prepareImportJob } from '#server/features/imports/prepare.job.ts'

/** Makes the preview anew because the register moved on. */
export async function renewPreview(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    await tx.db
      .updateTable('imports')
      .set({ state: 'mapped', activity: 'validating', progress_done: 0, version: sql`version + 1`, updated_at: tx.clock.now() })
      .where('id', '=', id)
      .where('state', '=', 'validated')
      .execute()
    await enqueue(tx, prepareImportJob, { importId: id }, { singletonKey: id })
  })
}
