import { sql } from 'kysely'
import type { ArchiveSource } from '#contract/account-files.ts'
import { visibleFiles, visibleFormerVersions } from '#server/access/account-files.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import type { ZipLayout } from '#server/engines/archive/zip-layout.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { issueDocuments, issuePackage } from '#server/engines/packages/packages.ts'
import { viewerOfFamily } from '#server/engines/session/authenticate.ts'
import { addSent } from '#server/engines/storage/partial-downloads.ts'
import type { Delivery } from '#server/engines/storage/send-download.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { recordVisit } from '#server/engines/visits/record-visit.ts'
import { forbidden } from '#server/kernel/errors.ts'
import { ARCHIVE_KINDS, canRequest } from './archive-kinds.ts'
import { requestOf, type ArchiveRecord } from './archives.queries.ts'
import { storedFiles } from './versions.queries.ts'

export const LINK_EXPIRED = 'This link has expired. Please start the download again.'
export const documentsChanged = () => forbidden('The documents have changed since. Please start the download again.')

interface Sent {
  layout: ZipLayout
  /** The keys of all documents that the archive contains or names. */
  keys: readonly string[]
  /** The sign-in with which the download ends. */
  familyId: string | undefined
}

/** Ends the download of an archive when its user no longer sees what was not sent yet, and records it. */
export function archiveDelivery(ctx: Context, archive: ArchiveRecord, { layout, keys, familyId }: Sent): Delivery {
  const { id, account_id: accountId, requested_by: userId } = archive
  const { source } = requestOf(archive)
  return {
    requireRest: async (position) => {
      const viewer = familyId === undefined ? undefined : await viewerOfFamily(ctx, familyId)
      if (viewer === undefined || !canRequest(viewer, source)) throw forbidden(LINK_EXPIRED)
      const present = { ...ctx, viewer }
      await requireVisibleAccount(ctx.db, viewer, accountId)
      const sent = new Set(documentKeys(layout, (end) => end <= position))
      await requireVisibleDocuments(
        present,
        keys.filter((key) => !sent.has(key)),
      )
    },
    recordStart: () => recordVisit(ctx, { what: 'downloaded', item: { id, name: contentName(source, archive.files_processed) } }),
    recordSent: (range) =>
      transact(ctx, async (tx) => {
        if (!(await addSent(tx, { item: id, userId, size: layout.length }, range))) return
        const privateIds = source === 'fileselection' ? await privateDocuments(tx, keys) : []
        await recordDownload(tx, { id, accountId, source, count: archive.files_processed, privateIds })
        // The page for checking files has an archive from its first download on.
        if (await issuePackage(tx, id)) await issueDocuments(tx, documentKeys(layout))
      }),
  }
}

/** The keys of the documents whose last copy ends at such a position. A document linked to several properties is in several folders. */
export function documentKeys({ members }: ZipLayout, isTaken: (end: number) => boolean = () => true): string[] {
  const ends = new Map(
    members.flatMap(({ source, dataOffset, size }) => (source.kind === 'object' ? [[source.key, dataOffset + size]] : [])),
  )
  return [...ends].flatMap(([key, end]) => (isTaken(end) ? [key] : []))
}

/** Rejects an archive with a document, or a version of one, that the viewer no longer sees: it was deleted, made private or replaced since. */
export async function requireVisibleDocuments(ctx: Context, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  const { rows } = await sql<{ seen: number }>`SELECT count(*) AS seen FROM ${storedFiles(keys)} AS stored
    JOIN account_files ON account_files.id = stored.file_id WHERE deleted_at IS NULL AND ${visibleFiles(ctx.viewer)}
      AND (account_files.storage_key = stored.storage_key OR ${visibleFormerVersions(ctx.viewer, 'account_files')})`.execute(ctx.db)
  if (rows[0]?.seen !== keys.length) throw documentsChanged()
}

/** How a visit names a download with this number of documents, after "Downloaded". */
export const contentName = (source: ArchiveSource, count: number): string =>
  ARCHIVE_KINDS[source].activity(count).replace(/^\{user\} (downloaded|generated) /, '')

/** The private ones of the documents that have these stored files. */
async function privateDocuments(tx: WriteContext, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT DISTINCT f.id FROM ${storedFiles(keys)} AS stored
    JOIN account_files f ON f.id = stored.file_id WHERE f.private`.execute(tx.db)
  return rows.map(({ id }) => id)
}

interface Downloaded {
  id: string
  accountId: string
  source: ArchiveSource
  /** The documents of an archive. */
  count: number
  /** Those of a selection that not all users of the account see: a line of their own has their number. */
  privateIds?: readonly string[]
}

/** In the activity of the account. The same archive again within ten minutes is one line. */
export async function recordDownload(tx: WriteContext, { id, accountId, source, count, privateIds = [] }: Downloaded): Promise<void> {
  const record = (documents: number, key: string, fileIds: readonly string[]) =>
    recordActivity(tx, {
      model: 'accounts',
      modelId: accountId,
      accountId,
      class: 'downloaded',
      message: ARCHIVE_KINDS[source].activity(documents),
      fileIds,
      group: { key, count: 1 },
    })
  const others = count - privateIds.length
  if (privateIds.length === 0 || others > 0) await record(others, `archive ${id}`, [])
  if (privateIds.length > 0) await record(privateIds.length, `private archive ${id}`, privateIds)
}
