import type { Insertable } from 'kysely'
import { randomUUID } from 'node:crypto'
import {
  FILES_PER_ACCOUNT_MAX,
  MULTIPART_ABOVE_BYTES,
  UNREGISTERED_LIFE_MS,
  UPLOAD_LINK_LIFE_MS,
  UPLOAD_PART_BYTES,
} from '#contract/limits.ts'
import type { fileCalls } from '#contract/account-files.ts'
import { plural } from '#contract/format.ts'
import type { BodyOf } from '#contract/route.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { familyOf, viewerId } from '#server/access/viewer.ts'
import type { Uploads } from '#server/db/schema.gen.ts'
import type { Context } from '#server/engines/context.ts'
import type { UploadTicket } from '#server/engines/storage/storage.ts'
import { AppError, conflict, forbidden, invalid, notFound } from '#server/kernel/errors.ts'
import { cleanFileName, requireDocument } from './file-names.ts'

type UploadRequest = BodyOf<typeof fileCalls.signedUrl>

type ExpectedUpload = Omit<Insertable<Uploads>, 'user_id' | 'expires_at'>

/** Stores what the server will accept from the viewer under this key, which clients cannot choose. */
async function insertUpload(ctx: Context, upload: ExpectedUpload): Promise<void> {
  const userId = viewerId(ctx.viewer)
  if (userId === null) throw forbidden()
  const expiresAt = new Date(ctx.clock.now().getTime() + UNREGISTERED_LIFE_MS)
  await ctx.db
    .insertInto('uploads')
    .values({ ...upload, user_id: userId, expires_at: expiresAt })
    .execute()
}

/** Permits one upload of at most this size. `contentType` is what the store accepts. */
export async function permitUpload(ctx: Context, upload: ExpectedUpload, contentType = upload.content_type): Promise<UploadTicket> {
  await insertUpload(ctx, upload)
  const options = { contentType, size: upload.size, expiresInMs: UPLOAD_LINK_LIFE_MS, familyId: familyOf(ctx.viewer) }
  return ctx.storage.uploadTicket(upload.key, options)
}

const uploadOf = (accountId: string, { purpose, filePath, contentType, size }: UploadRequest) => ({
  account_id: accountId,
  purpose,
  file_name: cleanFileName(filePath),
  content_type: contentType,
  size,
})

/** Checks the upload and returns its key. */
async function checkedKey(ctx: Context, accountId: string, request: UploadRequest): Promise<string> {
  await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
  requireDocument(cleanFileName(request.filePath), request.size)
  await requireRoom(ctx, accountId)
  return `accounts/${accountId}/${randomUUID()}`
}

/** Throws `conflict` in an account with the maximum of documents. In a transaction, other documents of the account wait for its end. */
export async function requireRoom({ db }: Context, accountId: string): Promise<void> {
  const query = db.selectFrom('account_totals').select(['files_disclosed', 'files_sov']).where('account_id', '=', accountId)
  const { files_disclosed, files_sov } = await (db.isTransaction ? query.forUpdate() : query).executeTakeFirstOrThrow()
  if (files_disclosed + files_sov < FILES_PER_ACCOUNT_MAX) return
  throw conflict(`An account holds at most ${plural(FILES_PER_ACCOUNT_MAX, 'document')}. Please delete some first.`)
}

const contentTypeOf = (request: UploadRequest): string =>
  /^[\w.+-]+\/[\w.+-]+$/.test(request.contentType) ? request.contentType : 'application/octet-stream'

export async function signUpload(ctx: Context, accountId: string, request: UploadRequest) {
  if (request.size > MULTIPART_ABOVE_BYTES)
    throw invalid({ size: ['A file of this size is sent in parts. Please start a multipart upload.'] })
  const key = await checkedKey(ctx, accountId, request)
  return permitUpload(ctx, { key, ...uploadOf(accountId, request) }, contentTypeOf(request))
}

export async function startMultipart(ctx: Context, accountId: string, request: UploadRequest) {
  const key = await checkedKey(ctx, accountId, request)
  const uploadId = await ctx.storage.startMultipart(key, { contentType: contentTypeOf(request) })
  await insertUpload(ctx, { key, multipart_id: uploadId, ...uploadOf(accountId, request) })
  return { upload_id: uploadId, key, part_size: UPLOAD_PART_BYTES }
}

async function findUpload(ctx: Context, accountId: string, uploadId: string): Promise<{ key: string; size: number }> {
  await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
  const upload = await ctx.db
    .selectFrom('uploads')
    .select(['key', 'size'])
    .where('account_id', '=', accountId)
    .where('multipart_id', '=', uploadId)
    .where('user_id', '=', viewerId(ctx.viewer))
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirst()
  if (upload === undefined) throw notFound('Upload')
  return upload
}

export async function listParts(ctx: Context, accountId: string, uploadId: string) {
  const { key } = await findUpload(ctx, accountId, uploadId)
  return { parts: await ctx.storage.listParts(key, uploadId) }
}

/** A link for one part of the fixed size; the last part has the remaining bytes. */
export async function signPart(ctx: Context, accountId: string, uploadId: string, number: number) {
  const { key, size } = await findUpload(ctx, accountId, uploadId)
  const begin = (number - 1) * UPLOAD_PART_BYTES
  if (begin >= size) throw invalid({ number: ['The file has no such part.'] })
  const options = { size: Math.min(UPLOAD_PART_BYTES, size - begin), familyId: familyOf(ctx.viewer) }
  return { url: await ctx.storage.partUrl(key, uploadId, number, options) }
}

async function partsUnlessCompleted({ storage }: Context, key: string, uploadId: string) {
  return storage.listParts(key, uploadId).catch((error: unknown) => {
    if (error instanceof AppError && error.kind === 'not_found') return undefined
    throw error
  })
}

export async function completeMultipart(ctx: Context, accountId: string, uploadId: string, parts: { number: number; etag: string }[]) {
  const { key, size } = await findUpload(ctx, accountId, uploadId)
  // Completing removes the parts that are not named, so it is too late for a check afterwards.
  const arrived = await partsUnlessCompleted(ctx, key, uploadId)
  const named = new Set(parts.map(({ number }) => number))
  const sum = arrived?.reduce((total, part) => (named.has(part.number) ? total + part.size : total), 0)
  if (sum !== undefined && sum !== size)
    throw conflict('The parts do not have the expected size together. Send the missing parts, then complete the upload again.')
  const stored = await ctx.storage.completeMultipart(key, uploadId, parts)
  if (stored.size !== size) throw conflict('The upload does not have the expected size. Please upload the file again.')
  return { key, size: stored.size }
}

export async function abortMultipart(ctx: Context, accountId: string, uploadId: string): Promise<void> {
  const { key } = await findUpload(ctx, accountId, uploadId)
  await ctx.storage.abortMultipart(key, uploadId)
  await ctx.db.deleteFrom('uploads').where('key', '=', key).where('registered_at', 'is', null).execute()
}
