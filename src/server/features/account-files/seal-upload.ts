import type { Selectable } from 'kysely'
import type { DB } from '#server/db/schema.gen.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { StoredObject } from '#server/engines/storage/storage.ts'
import { conflict, invalid } from '#server/kernel/errors.ts'
import { sniffType } from './sniff-type.ts'

/** Ends the upload and removes its bytes. */
export async function rejectProgram(ctx: Context, { key, file_name }: { key: string; file_name: string }): Promise<never> {
  const upload = ctx.db
    .updateTable('uploads')
    .set({ expires_at: ctx.clock.now() })
    .where('key', '=', key)
    .where('registered_at', 'is', null)
  const ended = await upload.executeTakeFirst()
  if (ended.numUpdatedRows > 0n) await ctx.storage.remove(key)
  throw invalid({ file: [`The content of ${file_name} is a program. Programs are not accepted as documents.`] })
}

/**
 * The key of the bytes that are stored for good, which no link can replace. They are checked again: until now the client could replace
 * the bytes, even after the check and back again before the copy.
 */
export async function seal(
  tx: WriteContext,
  upload: Selectable<DB['uploads']>,
  { size, etag }: StoredObject,
  contentType: string,
): Promise<string> {
  // A completed multipart upload has no link that could replace it.
  const key = upload.multipart_id === null ? await tx.storage.sealUpload(upload.key, etag) : upload.key
  if ((await sniffType(tx, key, size, upload.content_type)) === contentType) return key
  await tx.storage.remove(key)
  throw conflict(`${upload.file_name} was replaced while it was checked. Please upload it again.`)
}
