import { sql, type Selectable } from 'kysely'
import type { z } from 'zod'
import type { Register } from '#contract/account-files.ts'
import { DOCUMENT_CATEGORIES, DOCUMENT_CATEGORY_CODES, type DocumentCategoryCode } from '#contract/document-categories.ts'
import { isSame } from '#contract/route.ts'
import { fullAddress } from '#contract/property-format.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { can, viewerId } from '#server/access/viewer.ts'
import type { DB } from '#server/db/schema.gen.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { enqueue } from '#server/engines/jobs/define-job.ts'
import { sealedKey, type StoredObject } from '#server/engines/storage/storage.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden, invalid, notFound } from '#server/kernel/errors.ts'
import { readChecksums } from './files.job.ts'
import { countNewFile } from './new-files.job.ts'
import { linkProperties } from './files.commands.ts'
import { proposeCategory, proposeProperties } from './propose.queries.ts'
import { queueText } from './texts.job.ts'
import { requireRoom } from './uploads.commands.ts'

const SNIFFED_BYTES = 4_100

const PROGRAM_TYPES: readonly string[] = [
  'application/x-elf',
  'application/x-mach-binary',
  'application/java-vm',
  'application/x-ms-shortcut',
  'application/vnd.ms-htmlhelp',
  'application/x-deb',
  'application/x-rpm',
  'application/x-apple-diskimage',
]
const WINDOWS_PROGRAM = 'application/x-msdownload'
/** A control character that distinguishes a program from a text. */
const NOT_TEXT = /[[\p{Cc}&&\p{ASCII}]--[\t-\r\u007F]]/v
/** Also after the mark of UTF-8, whose bytes are read as three characters. */
const SCRIPT = /^(\u00EF\u00BB\u00BF)?#![ \t]*\//

/**
 * The type by the first bytes; the type that the browser sent only for texts, which have no signature. Undefined for a program. A text
 * can start with the two letters that mark a program for Windows, but has no control characters.
 */
async function sniffType(ctx: Context, key: string, size: number, stated: string): Promise<string | undefined> {
  const chunks: Buffer[] = []
  const start = await ctx.storage.read(key, { start: 0, end: Math.min(size, SNIFFED_BYTES) - 1 }, size)
  for await (const chunk of start) chunks.push(chunk as Buffer) // binary stream
  const head = Buffer.concat(chunks)
  const text = head.toString('latin1')
  if (SCRIPT.test(text)) return undefined
  const { fileTypeFromBuffer } = await import('file-type')
  const sniffed = await fileTypeFromBuffer(head)
  if (sniffed !== undefined && PROGRAM_TYPES.includes(sniffed.mime)) return undefined
  if (sniffed?.mime === WINDOWS_PROGRAM && NOT_TEXT.test(text)) return undefined
  if (sniffed !== undefined && sniffed.mime !== WINDOWS_PROGRAM) return sniffed.mime
  return /^(text\/(plain|csv|tab-separated-values|markdown)|message\/rfc822)$/.test(stated) ? stated : 'application/octet-stream'
}

/** Ends the upload and removes its bytes. */
async function rejectProgram(ctx: Context, { key, file_name }: { key: string; file_name: string }): Promise<never> {
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
async function seal(
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

const wrongSize = (upload: { file_name: string }) =>
  conflict(`${upload.file_name} does not have the expected size. Please upload it again.`)

export type RegisterInput = z.output<typeof Register>

/** Makes a document from a complete upload. A repeated call returns the same document, which is not new, so clients can retry. */
export async function registerFile(ctx: Context, input: RegisterInput) {
  await requireVisibleAccount(ctx.db, ctx.viewer, input.account_id)
  const upload = await ctx.db
    .selectFrom('uploads')
    .selectAll()
    .where('key', '=', input.s3ObjectLocation)
    .where('account_id', '=', input.account_id)
    .where('user_id', '=', viewerId(ctx.viewer))
    .executeTakeFirst()
  if (upload === undefined) throw notFound('Upload')
  if (input.file.size !== upload.size) throw wrongSize(upload)
  const path = `${input.file.path ?? ''}/${upload.file_name}`
  const answer = async (file: NonNullable<Awaited<ReturnType<typeof registered>>>, isNew: boolean) => {
    const isChosen = file.sov || (input.property_ids ?? []).length > 0
    const properties = isChosen ? [] : await proposeProperties(ctx, input.account_id, path, file.category)
    const { storage_key: _stored, private: _private, ...shown } = file
    return {
      ...shown,
      isNew,
      proposed_properties: properties.map((property) => ({ id: property.id, full_address: fullAddress(property) })),
    }
  }
  const existing = await registered(ctx, upload.key)
  if (existing !== undefined) {
    await requireSame(ctx, input, existing)
    return answer(existing, false)
  }
  // An upload whose document was permanently deleted has expired.
  if (upload.expires_at <= ctx.clock.now()) throw notFound('Upload')
  const stored = await ctx.storage.head(upload.key)
  if (stored === undefined) throw conflict(`${upload.file_name} has not arrived completely. Please upload it again.`)
  if (stored.size !== upload.size) throw wrongSize(upload)
  const contentType = (await sniffType(ctx, upload.key, stored.size, upload.content_type)) ?? (await rejectProgram(ctx, upload))
  const category = input.category ?? (await proposeCategory(ctx, { path, type: contentType, key: upload.key, size: stored.size }))
  const { added, isNew } = await transact(ctx, async (tx) => {
    const claimed = await tx.db
      .updateTable('uploads')
      .set({ registered_at: tx.clock.now() })
      .where('key', '=', upload.key)
      .where('registered_at', 'is', null)
      // A call at the same time may have ended the upload because of its bytes.
      .where('expires_at', '>', tx.clock.now())
      .executeTakeFirst()
    if (claimed.numUpdatedRows > 0n) {
      // The row of the upload is locked now, so no link of the disk store replaces the bytes before the commit.
      const key = await seal(tx, upload, stored, contentType)
      await insertFile(tx, { ...input, category }, { ...upload, key, contentType })
    }
    const file = await registered(tx, upload.key)
    if (claimed.numUpdatedRows === 0n && file !== undefined) await requireSame(tx, input, file)
    return { added: file, isNew: claimed.numUpdatedRows > 0n }
  })
  if (added === undefined) throw notFound('Upload')
  if (added.storage_key !== upload.key)
    await ctx.storage.remove(upload.key).catch((error: unknown) => ctx.log.warn({ err: error }, 'The sealed upload was not removed'))
  return answer(added, isNew)
}

/** Throws `conflict` if an earlier call made the document with other values, which this call would not change. */
async function requireSame(
  ctx: Context,
  { property_ids = [], ...input }: RegisterInput,
  file: { id: string; sov: boolean; private: boolean; category: string },
): Promise<void> {
  const links = ctx.db.selectFrom('account_file_properties').select('property_id').where('file_id', '=', file.id)
  const linked = property_ids.length === 0 ? [] : await links.where('property_id', 'in', property_ids).execute()
  const isKnown = isSame(input.sov, file.sov) && isSame(input.private, file.private) && isSame(input.category, file.category)
  if (!isKnown || linked.length < new Set(property_ids).size)
    throw conflict('This upload is a document already, with other values. Please change that document.')
}

async function insertFile(
  tx: WriteContext,
  input: RegisterInput & { category: DocumentCategoryCode },
  upload: { key: string; file_name: string; size: number; contentType: string },
): Promise<void> {
  await requireRoom(tx, input.account_id)
  const checksums = await tx.storage.checksums(upload.key)
  const category = DOCUMENT_CATEGORIES[input.category]
  const mayFlag = can(tx.viewer, 'update_account_files')
  if (input.private === true && !mayFlag) throw forbidden('You do not have permission to make documents private.')
  const isPrivate = mayFlag ? (input.private ?? category.private) : false
  const { id } = await tx.db
    .insertInto('account_files')
    .values({
      account_id: input.account_id,
      storage_key: upload.key,
      original_file_name: upload.file_name,
      content_type: upload.contentType,
      size: upload.size,
      crc32: checksums?.crc32 ?? null,
      sha256: checksums?.sha256 ?? null,
      category: input.category,
      sov: input.sov ?? category.sov,
      private: isPrivate,
      created_by: viewerId(tx.viewer),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (input.property_ids !== undefined && input.property_ids.length > 0)
    await linkProperties(tx, input.account_id, [id], input.property_ids, 'add')
  if (checksums === undefined) await enqueue(tx, readChecksums, { file_id: id })
  await queueText(tx, id)
  await countNewFile(tx, input.account_id, id)
  await recordActivity(tx, {
    model: 'account_files',
    modelId: id,
    accountId: input.account_id,
    class: 'uploaded',
    message: '{user} uploaded {n} documents',
    group: { key: `${isPrivate ? 'private uploads' : 'uploads'} ${input.account_id}`, count: 1 },
    // A line that names documents is shown only to viewers who see them.
    ...(isPrivate ? { fileIds: [id] } : {}),
  })
  emit(tx, { model: 'account_files', id, inAccount: input.account_id, scope: 'files', isHidden: isPrivate })
}

/** The document of an upload, with the name of another document with the same bytes, if the viewer sees one. */
async function registered(ctx: Context, key: string) {
  const { rows } = await sql<{
    id: string
    storage_key: string
    category: string
    sov: boolean
    private: boolean
    duplicate_of: string | null
  }>`SELECT f.id, f.storage_key, f.category, f.sov, f.private, (
      SELECT coalesce(account_files.vanity_name, account_files.original_file_name) FROM account_files
        WHERE account_files.account_id = f.account_id AND account_files.sha256 = f.sha256 AND account_files.id <> f.id
          AND account_files.deleted_at IS NULL AND ${visibleFiles(ctx.viewer)}
        ORDER BY account_files.created_at LIMIT 1
    ) AS duplicate_of FROM account_files f WHERE f.storage_key IN (${key}, ${sealedKey(key)})`.execute(ctx.db)
  return rows[0] && { ...rows[0], category: DOCUMENT_CATEGORY_CODES.find((code) => code === rows[0]?.category) ?? 'other' }
}
