import { sql } from 'kysely'
import { ARCHIVE_LIFE_MS, DOWNLOAD_LINK_LIFE_MS } from '#contract/limits.ts'
import type { AccountFile, fileCalls } from '#contract/account-files.ts'
import { isoDateIn } from '#contract/format.ts'
import type { QueryOf } from '#contract/route.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { can, timezoneOf, viewerId } from '#server/access/viewer.ts'
import type { ZipLayout } from '#server/engines/archive/zip-layout.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { enqueue } from '#server/engines/jobs/define-job.ts'
import { issueDocuments, issuePackage } from '#server/engines/packages/packages.ts'
import { isSigned, sign } from '#server/engines/secrets/tokens.ts'
import { viewerOfFamily } from '#server/engines/session/authenticate.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden, notFound } from '#server/kernel/errors.ts'
import { parseLayout } from './archive.build.ts'
import {
  damagedFiles,
  hasChecksums,
  makeArchive,
  ownArchives,
  publishArchive,
  requireArchive,
  updateArchive,
  type ArchiveRecord,
} from './archive.job.ts'
import { safePart } from './file-names.ts'
import { requireAll } from './files.commands.ts'
import { loadVisibleFiles, type FileRecord } from './files.queries.ts'

/** Starts the organized archive of an account or of a selection. It is ready at once if all checksums are known; otherwise a job makes it. */
export async function requestArchive(ctx: Context, accountId: string, selected: readonly string[] | null): Promise<ArchiveRecord> {
  if (!can(ctx.viewer, 'download_files') || !can(ctx.viewer, 'download_all_files')) throw forbidden()
  const userId = viewerId(ctx.viewer)
  if (userId === null) throw forbidden()
  const account = await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
  const files = await loadVisibleFiles(ctx, accountId, selected ?? 'all')
  requireAll(files, selected ?? 'all')
  const id = await transact(ctx, async (tx) => {
    const day = isoDateIn(tx.clock.now(), timezoneOf(tx.viewer))
    const row = await tx.db
      .insertInto('archives')
      .values({
        account_id: accountId,
        requested_by: userId,
        source: selected === null ? 'downloadall' : 'fileselection',
        selected_ids: selected === null ? null : [...selected],
        file_name: `${safePart(account.name)} - Organized Documents - ${day}.zip`,
        total_files: files.length,
        expires_at: new Date(tx.clock.now().getTime() + ARCHIVE_LIFE_MS),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const message = selected === null ? '{user} downloaded all documents' : '{user} downloaded {n} documents'
    await recordActivity(tx, {
      model: 'accounts',
      modelId: accountId,
      accountId,
      class: 'downloaded',
      message,
      group: { key: `archive ${row.id}`, count: files.length },
    })
    if (!files.every(hasChecksums)) await enqueue(tx, makeArchive, { archive_id: row.id, user_id: userId })
    return row.id
  })
  if (files.every(hasChecksums)) {
    const damaged = new Set<FileRecord>(await damagedFiles(ctx, files))
    const readable = files.filter((file) => !damaged.has(file))
    await transact(ctx, (tx) => publishArchive(tx, id, readable, [...damaged]))
  }
  return requireArchive(ctx, id)
}

export async function cancelArchive(ctx: Context, id: string): Promise<void> {
  await requireArchive(ctx, id)
  await updateArchive(ctx, id, { status: 'cancelled' })
}

function archiveLink(ctx: Context, archive: ArchiveRecord): string | null {
  if (archive.status !== 'accessible' || ctx.viewer.kind !== 'user' || ctx.viewer.familyId === undefined) return null
  const { familyId } = ctx.viewer
  const expires = ctx.clock.now().getTime() + DOWNLOAD_LINK_LIFE_MS
  const signature = sign(ctx.config.secretKey, 'archive', archive.id, archive.requested_by, familyId, String(expires))
  const query = `expires=${expires}&viewer=${archive.requested_by}&family=${familyId}&signature=${signature}`
  return `/api/v1/archives/${archive.id}/download?${query}`
}

/** The archive of a signed link that has not expired, if its session is open and its owner still sees the account and every document. */
export async function openArchive(ctx: Context, id: string, query: QueryOf<typeof fileCalls.downloadArchive>) {
  const isValid =
    isSigned(query.signature, ctx.config.secretKey, 'archive', id, query.viewer, query.family, String(query.expires)) &&
    query.expires >= ctx.clock.now().getTime()
  const viewer = isValid ? await viewerOfFamily(ctx, query.family) : undefined
  if (viewer === undefined || !can(viewer, 'download_files') || !can(viewer, 'download_all_files'))
    throw forbidden('This link has expired. Please start the download again.')
  const own: Context = { ...ctx, viewer }
  const archive = await ownArchives(own).select('layout').where('id', '=', id).executeTakeFirst()
  if (archive === undefined) throw notFound('Archive')
  await requireVisibleAccount(own.db, viewer, archive.account_id)
  if (archive.status !== 'accessible') throw forbidden('This archive is not ready yet.')
  const layout = parseLayout(archive.layout)
  await requireVisibleMembers(own, layout)
  await requireStoredMembers(own, layout)
  await transact(own, (tx) => issueArchive(tx, id, layout))
  return { layout, fileName: archive.file_name }
}

/** Makes the archive and its documents known to the page for checking files when its first download begins. */
async function issueArchive(tx: WriteContext, id: string, layout: ZipLayout): Promise<void> {
  if (await issuePackage(tx, id)) await issueDocuments(tx, storageKeys(layout))
}

/** A document linked to several properties is in several folders. */
const storageKeys = ({ members }: ZipLayout): string[] => [
  ...new Set(members.flatMap(({ source }) => (source.kind === 'object' ? [source.key] : []))),
]

/** Rejects an archive with a document that the viewer no longer sees, because it was deleted or made private since. */
async function requireVisibleMembers(ctx: Context, layout: ZipLayout): Promise<void> {
  const keys = storageKeys(layout)
  const { rows } = await sql<{ seen: number }>`SELECT count(*) AS seen FROM account_files
    WHERE storage_key = ANY(${keys}::text[]) AND deleted_at IS NULL AND ${visibleFiles(ctx.viewer)}`.execute(ctx.db)
  if (rows[0]?.seen !== keys.length) throw forbidden('The documents have changed since. Please start the download again.')
}

/** Rejects an archive before its first byte if a document was damaged since, which would otherwise break it in the middle. */
async function requireStoredMembers({ storage }: Context, { members }: ZipLayout): Promise<void> {
  const stored = members.flatMap(({ name, size, source }) => (source.kind === 'object' ? [{ name, size, key: source.key }] : []))
  const sizes = await storage.sizes([...new Set(stored.map(({ key }) => key))])
  const damaged = stored.find(({ key, size }) => sizes.get(key) !== size)
  if (damaged !== undefined) throw conflict(`The stored file of ${damaged.name} cannot be read. Start the download again to leave it out.`)
}

/** An archive is presented as a document with a progress. */
export function presentArchive(ctx: Context, archive: ArchiveRecord): AccountFile {
  const { files_processed, total_files, progress_status } = archive
  const percentage = total_files === 0 ? 0 : Math.floor((99 * files_processed) / total_files)
  const done = archive.status === 'accessible'
  return {
    id: archive.id,
    account_id: archive.account_id,
    file: { original_file_name: archive.file_name, type: 'application/zip', size: archive.size },
    status: archive.status as AccountFile['status'], // checked by the table
    vanity_name: null,
    category: 'other',
    private: false,
    sov: false,
    provided_by_broker: false,
    covers_all_properties: false,
    report_author_date: null,
    properties: [],
    propertyIds: [],
    created_by: null,
    created_at: archive.created_at.toISOString(),
    version: 1,
    progress: { percentage_complete: done ? 100 : percentage, status: progress_status, files_processed, total_files },
    url: archiveLink(ctx, archive),
    source: archive.source === 'fileselection' ? 'fileselection' : 'downloadall',
    accessible_features: { update: false, delete: false, preview: false, download: done },
  }
}

/** The viewer's unfinished archives, so that their progress is shown again after a reload. */
export async function pendingArchives(ctx: Context): Promise<AccountFile[]> {
  const archives = await ownArchives(ctx).where('status', 'in', ['pending', 'processing']).orderBy('created_at').execute()
  return archives.map((archive) => presentArchive(ctx, archive))
}
