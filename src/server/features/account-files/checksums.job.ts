import { z } from 'zod'
import { computeChecksums } from '#server/engines/storage/checksums.ts'
import { defineJob } from '#server/engines/jobs/define-job.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'

/** Reads a document once where the bytes did not pass through us: CRC-32 for archives, SHA-256 to know it again. */
export const readChecksums = defineJob({
  name: 'read-checksums',
  input: z.object({ file_id: z.uuid() }),
  retries: 10,
  expiresAfterSeconds: 3_600,
  concurrency: 2,
  run: async (ctx, { file_id }) => {
    const file = await ctx.db
      .selectFrom('account_files')
      .select(['storage_key', 'account_id', 'crc32'])
      .where('id', '=', file_id)
      .executeTakeFirst()
    if (file === undefined || file.crc32 !== null) return
    const { crc32, sha256 } = await computeChecksums(ctx.storage, file.storage_key)
    await transact(ctx, async (tx) => {
      await tx.db.updateTable('account_files').set({ crc32, sha256 }).where('id', '=', file_id).execute()
      emit(tx, { model: 'account_files', id: file_id, inAccount: file.account_id, scope: 'files' })
    })
  },
})
