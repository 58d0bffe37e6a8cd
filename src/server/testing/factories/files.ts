import { randomUUID } from 'node:crypto'
import type { RegisterInput } from '#server/features/account-files/register.commands.ts'
import { registerFile } from '#server/features/account-files/register.commands.ts'
import type { Context } from '#server/engines/context.ts'
import { viewerId } from '#server/access/viewer.ts'

interface FileOptions extends Partial<Pick<RegisterInput, 'sov' | 'private' | 'category' | 'property_ids' | 'replaces'>> {
  name?: string
  bytes?: Buffer
  contentType?: string
}

let serial = 0

/** A document with stored bytes, registered like an upload of the context's viewer. */
export async function makeFile(ctx: Context, accountId: string, { name, bytes, contentType = 'text/plain', ...flags }: FileOptions = {}) {
  serial += 1
  const content = bytes ?? Buffer.from(`Document ${serial}\n`)
  const fileName = name ?? `document-${serial}.txt`
  const key = `accounts/${accountId}/${randomUUID()}`
  await ctx.storage.put(key, content, { contentType })
  await ctx.db
    .insertInto('uploads')
    .values({
      key,
      account_id: accountId,
      user_id: viewerId(ctx.viewer) ?? '',
      file_name: fileName,
      content_type: contentType,
      size: content.length,
      expires_at: new Date(Date.now() + 86_400_000),
    })
    .execute()
  const { id, hidden } = await registerFile(ctx, {
    file: { name: fileName, size: content.length, type: contentType },
    s3ObjectLocation: key,
    account_id: accountId,
    ...flags,
  })
  return { id, key, hidden, name: fileName, bytes: content }
}
