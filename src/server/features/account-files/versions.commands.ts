import { sql } from 'kysely'
import { FILE_VERSIONS_MAX } from '#contract/limits.ts'
import { fileRules, visibleFormerVersions } from '#server/access/account-files.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { enqueue } from '#server/engines/jobs/define-job.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden, notFound } from '#server/kernel/errors.ts'
import { displayName, withExtensionOf } from './file-names.ts'
import { forgetUploads } from './files.commands.ts'
import { readChecksums } from './files.job.ts'
import { findFile, loadVisibleFiles, type FileRecord } from './files.queries.ts'
import { queueText } from './texts.job.ts'

/** A stored file that becomes a version. */
interface NewFile {
  storage_key: string
  file_name: string
  content_type: string
  size: number
  crc32: number | null
  sha256: string | null
}

const fileOf = ({ storage_key, original_file_name: file_name, content_type, size, crc32, sha256 }: FileRecord): NewFile => ({
  storage_key,
  file_name,
  content_type,
  size,
  crc32,
  sha256,
})

/** The locked documents, in the order of their ids, so that two calls cannot wait for each other. Throws unless the viewer can change all. */
async function lockFiles(tx: WriteContext, accountId: string, ids: readonly string[]): Promise<FileRecord[]> {
  await tx.db
    .selectFrom('account_files')
    .select('id')
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forUpdate()
    .execute()
  const files = await loadVisibleFiles(tx, accountId, ids)
  if (files.length !== ids.length) throw notFound('Document')
  if (files.some((file) => !fileRules(tx.viewer, file).update)) throw forbidden()
  return files
}

/** Makes a file the current version of a document, which keeps its id, names, flags, links and former versions. */
export async function addVersion(tx: WriteContext, accountId: string, id: string, bytes: NewFile): Promise<void> {
  const [file] = await lockFiles(tx, accountId, [id])
  if (file !== undefined) await replaceFile(tx, file, bytes)
}

async function replaceFile(tx: WriteContext, file: FileRecord, bytes: NewFile): Promise<void> {
  if (bytes.sha256 !== null && bytes.sha256 === file.sha256)
    throw conflict(`${bytes.file_name} has the same content as the current version of ${displayName(file)}. Nothing was changed.`)
  const last = await tx.db
    .selectFrom('file_versions')
    .select(({ fn }) => fn.max('number').as('number'))
    .where('file_id', '=', file.id)
    .executeTakeFirst()
  const number = (last?.number ?? 1) + 1
  if (number > FILE_VERSIONS_MAX) throw conflict(`${displayName(file)} has ${FILE_VERSIONS_MAX} versions, the limit for one document.`)
  const { id: file_id, account_id } = file
  const first = {
    account_id,
    file_id,
    number: 1,
    created_by: file.created_by,
    created_at: file.created_at,
    ...fileOf(file),
  }
  const next = { account_id, file_id, number, created_by: viewerId(tx.viewer), created_at: tx.clock.now(), ...bytes }
  await tx.db
    .insertInto('file_versions')
    .values(number === 2 ? [first, next] : [next])
    .execute()
  await setFile(tx, file, number, bytes)
  await recordVersion(tx, file, `{user} uploaded version ${number} of ${displayName(file)}`, 'uploaded')
}

async function setFile(tx: WriteContext, file: FileRecord, number: number, { file_name, ...bytes }: NewFile): Promise<void> {
  await tx.db
    .updateTable('account_files')
    .set({
      ...bytes,
      file_number: number,
      original_file_name: withExtensionOf(file.original_file_name, file_name),
      version: sql`version + 1`,
      updated_at: tx.clock.now(),
    })
    .where('id', '=', file.id)
    .execute()
  if (bytes.crc32 === null) await enqueue(tx, readChecksums, { file_id: file.id })
  await queueText(tx, file.id)
  emit(tx, { model: 'account_files', id: file.id, inAccount: file.account_id, scope: 'files', isHidden: file.private })
}

const recordVersion = (tx: WriteContext, file: FileRecord, message: string, kind: 'uploaded' | 'updated') =>
  recordActivity(tx, {
    model: 'account_files',
    modelId: file.id,
    accountId: file.account_id,
    class: kind,
    message,
    fileIds: [file.id],
  })

/** Makes an earlier or later version the current one. The others stay. */
export async function makeCurrent(ctx: Context, accountId: string, id: string, number: number): Promise<FileRecord> {
  await transact(ctx, async (tx) => {
    const [file] = await lockFiles(tx, accountId, [id])
    if (file === undefined || file.file_number === number) return
    const version = await tx.db
      .selectFrom('file_versions')
      .select(['storage_key', 'file_name', 'content_type', 'size', 'crc32', 'sha256'])
      .where('file_id', '=', id)
      .where('number', '=', number)
      .where(visibleFormerVersions(tx.viewer, 'file_versions'))
      .executeTakeFirst()
    if (version === undefined) throw notFound('Version')
    await setFile(tx, file, number, version)
    await recordVersion(tx, file, `{user} made version ${number} of ${displayName(file)} the current one`, 'updated')
  })
  return findFile(ctx, accountId, id)
}

/** Makes a document that the viewer has uploaded the current version of another one. The document itself, with its flags and links, is removed. */
export async function adoptVersion(ctx: Context, accountId: string, id: string, from: string): Promise<FileRecord> {
  if (from === id) throw conflict('A document cannot be a version of itself.')
  await transact(ctx, async (tx) => {
    const files = await lockFiles(tx, accountId, [id, from])
    const [file, added] = [files.find((one) => one.id === id), files.find((one) => one.id === from)]
    if (file === undefined || added === undefined) throw notFound('Document')
    if (added.created_by !== viewerId(tx.viewer))
      throw forbidden('Only the user who uploaded a document can make it a version of another one.')
    const used = await sql<{ used: boolean }>`SELECT ${added.file_number} > 1 OR EXISTS (SELECT 1 FROM imports WHERE file_id = ${from})
      OR EXISTS (SELECT 1 FROM flags WHERE file_id = ${from}) AS used`.execute(tx.db)
    if (used.rows[0]?.used === true)
      throw conflict(`${displayName(added)} has versions, flags or imports of its own, so it cannot become a version of another document.`)
    await forgetUploads(tx, [from])
    await tx.db.deleteFrom('account_files').where('id', '=', from).execute()
    await replaceFile(tx, file, fileOf(added))
    emit(tx, { model: 'account_files', id: from, inAccount: accountId, scope: 'files', isHidden: added.private })
  })
  return findFile(ctx, accountId, id)
}
