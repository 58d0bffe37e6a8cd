import { sql } from 'kysely'
import type { z } from 'zod'
import type { Register } from '#contract/file-uploads.ts'
import { DOCUMENT_CATEGORIES, DOCUMENT_CATEGORY_CODES, type DocumentCategoryCode } from '#contract/document-categories.ts'
import { isSame } from '#contract/route.ts'
import { fullAddress } from '#contract/property-format.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { seesPrivateFiles } from '#server/access/accounts.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { can, viewerId } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { enqueue } from '#server/engines/jobs/define-job.ts'
import { sealedKey } from '#server/engines/storage/storage.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden, invalid, notFound } from '#server/kernel/errors.ts'
import { queueHandOver } from '../accounts/hand-over.commands.ts'
import { readChecksums } from './files.job.ts'
import { countNewFile } from './new-files.job.ts'
import { linkProperties, requireSeesProperties } from './files.commands.ts'
import { proposeCategory, proposeProperties } from './propose.queries.ts'
import { sniffType } from './sniff-type.ts'
import { queueText } from './texts.job.ts'
import { rejectProgram, seal } from './seal-upload.ts'
import { requireRoom } from './uploads.commands.ts'
import { folderOf } from './file-names.ts'
import { addVersion } from './versions.commands.ts'
import { filesWithKeys } from './versions.queries.ts'

const wrongSize = (upload: { file_name: string }) =>
  conflict(`${upload.file_name} does not have the expected size. Please upload it again.`)

export type RegisterInput = z.output<typeof Register>

/** Makes a document from a complete upload. A repeated call returns the same document, which is not new, so clients can retry. */
export async function registerFile(ctx: Context, input: RegisterInput) {
  const account = await requireVisibleAccount(ctx.db, ctx.viewer, input.account_id)
  const upload = await ctx.db
    .selectFrom('uploads')
    .selectAll()
    .where('key', '=', input.s3ObjectLocation)
    .where('account_id', '=', input.account_id)
    .where('user_id', '=', viewerId(ctx.viewer))
    .executeTakeFirst()
  if (upload === undefined) throw notFound('Upload')
  if (input.replaces !== undefined) requireNoValues(input)
  if ((input.property_ids ?? []).length > 0) requireSeesProperties(ctx)
  if (input.file.size !== upload.size) throw wrongSize(upload)
  const path = `${input.file.path ?? ''}/${upload.file_name}`
  const answer = async (file: RegisteredFile, isNew: boolean) => ({
    ...(await presentRegistered(ctx, { account, input, path }, file)),
    isNew,
  })
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
      if (input.replaces === undefined) await insertFile(tx, { ...input, category }, { ...upload, key, contentType })
      else await addVersion(tx, input.account_id, input.replaces, await storedFile(tx, { ...upload, key, contentType }))
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

type RegisteredFile = NonNullable<Awaited<ReturnType<typeof registered>>>

interface Registration {
  account: { company_id: string }
  input: RegisterInput
  /** With the folder from which it was uploaded. */
  path: string
}

async function presentRegistered(ctx: Context, { account, input, path }: Registration, file: RegisteredFile) {
  const hidden = file.private && !seesPrivateFiles(ctx.viewer, account)
  const isChosen = hidden || input.replaces !== undefined || file.sov || (input.property_ids ?? []).length > 0
  const properties = isChosen ? [] : await proposeProperties(ctx, input.account_id, path, file.category)
  const { storage_key: _stored, private: _private, ...shown } = file
  return {
    ...shown,
    hidden,
    same_name: input.replaces === undefined && !hidden ? await sameName(ctx, input.account_id, file) : null,
    proposed_properties: properties.map((property) => ({ id: property.id, full_address: fullAddress(property) })),
  }
}

/** A new version keeps the values of its document. */
function requireNoValues({ sov, private: isPrivate, category, property_ids: properties = [] }: RegisterInput): void {
  const chosen = Object.entries({ sov, private: isPrivate, category }).filter(([, value]) => value !== undefined)
  const names = [...chosen.map(([name]) => name), ...(properties.length > 0 ? ['property_ids'] : [])]
  if (names.length > 0) throw invalid(Object.fromEntries(names.map((name) => [name, ['A new version keeps the values of its document.']])))
}

/** Throws `conflict` if an earlier call made the document with other values, which this call would not change. */
async function requireSame(
  ctx: Context,
  { property_ids = [], ...input }: RegisterInput,
  file: { id: string; sov: boolean; private: boolean; category: string },
): Promise<void> {
  const links = ctx.db.selectFrom('account_file_properties').select('property_id').where('file_id', '=', file.id)
  const linked = property_ids.length === 0 ? [] : await links.where('property_id', 'in', property_ids).execute()
  if (input.replaces !== undefined && input.replaces !== file.id)
    throw conflict('This upload is another document already. Please upload the file again.')
  const isKnown = isSame(input.sov, file.sov) && isSame(input.private, file.private) && isSame(input.category, file.category)
  if (!isKnown || linked.length < new Set(property_ids).size)
    throw conflict('This upload is a document already, with other values. Please change that document.')
}

type SealedUpload = { key: string; file_name: string; size: number; contentType: string }

/** The columns of the stored file. S3 has no checksums yet. */
async function storedFile(tx: WriteContext, { key, file_name, size, contentType }: SealedUpload) {
  const { crc32 = null, sha256 = null } = (await tx.storage.checksums(key)) ?? {}
  return { storage_key: key, file_name, content_type: contentType, size, crc32, sha256 }
}

async function insertFile(
  tx: WriteContext,
  input: RegisterInput & { category: DocumentCategoryCode },
  upload: SealedUpload,
): Promise<void> {
  await requireRoom(tx, input.account_id)
  const { file_name: original_file_name, ...stored } = await storedFile(tx, upload)
  const category = DOCUMENT_CATEGORIES[input.category]
  const mayFlag = can(tx.viewer, 'update_account_files')
  if (input.private === true && !mayFlag) throw forbidden('You do not have permission to make documents private.')
  // Financial statements of every user are private.
  const isPrivate = (mayFlag ? input.private : undefined) ?? category.private
  const { id } = await tx.db
    .insertInto('account_files')
    .values({
      account_id: input.account_id,
      folder: folderOf(input.file.path ?? ''),
      original_file_name,
      ...stored,
      category: input.category,
      sov: input.sov ?? category.sov,
      private: isPrivate,
      created_by: viewerId(tx.viewer),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (input.property_ids !== undefined && input.property_ids.length > 0)
    await linkProperties(tx, input.account_id, [id], input.property_ids, 'add')
  if (stored.crc32 === null) await enqueue(tx, readChecksums, { file_id: id })
  await queueText(tx, id)
  await countNewFile(tx, input.account_id, id)
  await queueHandOver(tx, input.account_id)
  await recordUpload(tx, input.account_id, id, isPrivate)
  emit(tx, { model: 'account_files', id, inAccount: input.account_id, scope: 'files', isHidden: isPrivate })
}

/** A line of the document, which says nothing about others, and one of the account, which counts uploads. */
async function recordUpload(tx: WriteContext, accountId: string, id: string, isPrivate: boolean): Promise<void> {
  const line = { model: 'account_files', class: 'uploaded' } as const
  await recordActivity(tx, { ...line, modelId: id, message: '{user} uploaded the document' })
  await recordActivity(tx, {
    ...line,
    modelId: accountId,
    accountId,
    message: '{user} uploaded {n} documents',
    group: { key: `${isPrivate ? 'private uploads' : 'uploads'} ${accountId}`, count: 1 },
    // A line that names documents is shown only to viewers who see them.
    ...(isPrivate ? { fileIds: [id] } : {}),
  })
}

/** The newest other document with the file name of this one that the viewer can change. */
async function sameName(ctx: Context, accountId: string, { id }: { id: string }): Promise<{ id: string; name: string } | null> {
  if (!can(ctx.viewer, 'update_account_files')) return null
  const { rows } = await sql<{
    id: string
    name: string
  }>`SELECT account_files.id, coalesce(account_files.vanity_name, account_files.original_file_name) AS name
    FROM account_files JOIN account_files added ON added.id = ${id}
    WHERE account_files.account_id = ${accountId} AND lower(account_files.original_file_name) = lower(added.original_file_name)
      AND account_files.id <> ${id} AND account_files.deleted_at IS NULL AND ${visibleFiles(ctx.viewer)}
    ORDER BY account_files.created_at DESC, account_files.id DESC LIMIT 1`.execute(ctx.db)
  return rows[0] ?? null
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
    ) AS duplicate_of FROM account_files f WHERE f.id IN ${filesWithKeys([key, sealedKey(key)])}`.execute(ctx.db)
  return rows[0] && { ...rows[0], category: DOCUMENT_CATEGORY_CODES.find((code) => code === rows[0]?.category) ?? 'other' }
}
