import { z } from 'zod'
import { ARCHIVE_LIFE_MS, ARCHIVE_LISTED_MS, UNREGISTERED_LIFE_MS } from '#contract/limits.ts'
import { defineJob } from '#server/engines/jobs/define-job.ts'
import { removeUnissued } from '#server/engines/packages/packages.ts'
import { computeChecksums } from '#server/engines/storage/checksums.ts'
import { removePartialDownloads } from '#server/engines/storage/partial-downloads.ts'
import { sealedKey } from '#server/engines/storage/storage.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'

/** Reads a document that was uploaded directly to the store: CRC-32 is needed for archives, SHA-256 to find duplicates. */
export const readChecksums = defineJob({
  name: 'read-checksums',
  input: z.object({ file_id: z.uuid() }),
  retries: 10,
  expiresAfterSeconds: 3_600,
  concurrency: 2,
  run: async (ctx, { file_id }) => {
    const file = await ctx.db
      .selectFrom('account_files')
      .select(['storage_key', 'account_id', 'size', 'crc32', 'private'])
      .where('id', '=', file_id)
      .executeTakeFirst()
    if (file === undefined || file.crc32 !== null) return
    const { crc32, sha256, size } = await computeChecksums(ctx.storage, file.storage_key)
    if (size !== file.size) throw new Error('The stored file does not have the registered size.')
    await transact(ctx, async (tx) => {
      // The document may have another version by now.
      await tx.db.updateTable('account_files').set({ crc32, sha256 }).where('storage_key', '=', file.storage_key).execute()
      await tx.db.updateTable('file_versions').set({ crc32, sha256 }).where('storage_key', '=', file.storage_key).execute()
      emit(tx, { model: 'account_files', id: file_id, inAccount: file.account_id, scope: 'files', isHidden: file.private })
    })
  },
})

const EVERY_NIGHT = '17 3 * * *'
const UPLOADS_PER_RUN = 500

/** Removes uploads that were not registered within a day, expired archives and temporary files of interrupted uploads. */
export const sweepUploads = defineJob({
  name: 'sweep-uploads',
  input: z.object({}),
  schedule: EVERY_NIGHT,
  run: async (ctx) => {
    const now = ctx.clock.now()
    const stale = await ctx.db
      .selectFrom('uploads')
      .select(['key', 'multipart_id'])
      .where('registered_at', 'is', null)
      .where('expires_at', '<', now)
      .limit(UPLOADS_PER_RUN)
      .execute()
    for (const { key, multipart_id } of stale) {
      if (multipart_id !== null)
        await ctx.storage
          .abortMultipart(key, multipart_id)
          .catch((error: unknown) => ctx.log.info({ err: error }, 'The upload had ended already'))
      for (const stored of [key, sealedKey(key)]) await ctx.storage.remove(stored)
      await ctx.db.deleteFrom('uploads').where('key', '=', key).execute()
    }
    // An expired one is listed for a while, without what it contained.
    await ctx.db.updateTable('archives').set({ layout: null }).where('expires_at', '<', now).where('layout', 'is not', null).execute()
    await ctx.db
      .deleteFrom('archives')
      .where('expires_at', '<', new Date(now.getTime() - ARCHIVE_LISTED_MS))
      .execute()
    await removePartialDownloads(ctx, new Date(now.getTime() - ARCHIVE_LIFE_MS))
    await removeUnissued(ctx, new Date(now.getTime() - ARCHIVE_LIFE_MS))
    await ctx.storage.sweepTemporary(new Date(now.getTime() - UNREGISTERED_LIFE_MS))
  },
})
