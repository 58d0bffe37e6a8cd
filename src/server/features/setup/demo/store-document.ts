import type { DocumentCategoryCode } from '#contract/document-categories.ts'
import type { Context } from '#server/engines/context.ts'
import { patchFile } from '#server/features/account-files/files.commands.ts'
import { registerFile } from '#server/features/account-files/register.commands.ts'
import { signUpload } from '#server/features/account-files/uploads.commands.ts'

export interface NewDocument {
  name: string
  contentType: string
  bytes: Buffer
  category?: DocumentCategoryCode
  properties?: readonly string[]
  flags?: {
    private?: boolean
    sov?: boolean
    provided_by_broker?: boolean
    covers_all_properties?: boolean
    vanity_name?: string
    report_author_date?: string
  }
}

/** Uploads, registers and describes one document the way a person does, in the name of the context's viewer. */
export async function storeDocument(
  ctx: Context,
  accountId: string,
  { name, contentType, bytes, category, properties = [], flags = {} }: NewDocument,
): Promise<string> {
  const ticket = await signUpload(ctx, accountId, { filePath: name, contentType, size: bytes.length, purpose: 'document' })
  const key = ticket.fields['key']
  if (key === undefined) throw new Error('The storage has promised no key')
  await ctx.storage.put(key, bytes, { contentType })
  const { private: isPrivate, sov, ...described } = flags
  const { id } = await registerFile(ctx, {
    file: { name, size: bytes.length, type: contentType },
    s3ObjectLocation: key,
    account_id: accountId,
    property_ids: [...properties],
    ...(category === undefined ? {} : { category }),
    ...(isPrivate === undefined ? {} : { private: isPrivate }),
    ...(sov === undefined ? {} : { sov }),
  })
  if (Object.keys(described).length > 0) await patchFile(ctx, accountId, id, described)
  return id
}
