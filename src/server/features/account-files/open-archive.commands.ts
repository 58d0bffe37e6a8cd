import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { DOWNLOAD_LINK_LIFE_MS } from '#contract/limits.ts'
import type { fileCalls } from '#contract/account-files.ts'
import type { QueryOf } from '#contract/route.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { timezoneOf, viewerId } from '#server/access/viewer.ts'
import type { ZipLayout } from '#server/engines/archive/zip-layout.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { issuedFile } from '#server/engines/packages/issued-file.ts'
import { packageProperties } from '#server/engines/packages/package-properties.ts'
import { issueDocuments, issuePackage, newPackage } from '#server/engines/packages/packages.ts'
import { isSigned, sign } from '#server/engines/secrets/tokens.ts'
import { viewerOfFamily } from '#server/engines/session/authenticate.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden, notFound } from '#server/kernel/errors.ts'
import { propertyList } from '../account-properties/property-list.commands.ts'
import { ARCHIVE_KINDS, canRequest, isList, listOf, requestedFiles, type ArchiveRequest } from './archive-kinds.ts'
import { archiveName } from './archive.commands.ts'
import { parseLayout } from './archive.build.ts'
import { ownArchives, requestOf, type ArchiveRecord } from './archive.job.ts'
import { DOCUMENT_LIST_TITLE, documentList } from './document-list.build.ts'
import { storedFiles } from './versions.queries.ts'

/** A link to the archive for the present session, if it is ready. */
export function archiveLink(ctx: Context, archive: ArchiveRecord): string | null {
  if (archive.status !== 'accessible' || ctx.viewer.kind !== 'user' || ctx.viewer.familyId === undefined) return null
  const { familyId } = ctx.viewer
  const expires = ctx.clock.now().getTime() + DOWNLOAD_LINK_LIFE_MS
  const signature = sign(ctx.config.secretKey, 'archive', archive.id, archive.requested_by, familyId, String(expires))
  const query = `expires=${expires}&viewer=${archive.requested_by}&family=${familyId}&signature=${signature}`
  return `/api/v1/archives/${archive.id}/download?${query}`
}

export type OpenedArchive =
  | { fileName: string; layout: ZipLayout; list?: undefined }
  | { fileName: string; layout?: undefined; list: { body: Readable; contentType: string } }

/** The archive of a signed link that has not expired, if its session is open and its owner still sees the account and every document. */
export async function openArchive(ctx: Context, id: string, query: QueryOf<typeof fileCalls.downloadArchive>): Promise<OpenedArchive> {
  const isValid =
    isSigned(query.signature, ctx.config.secretKey, 'archive', id, query.viewer, query.family, String(query.expires)) &&
    query.expires >= ctx.clock.now().getTime()
  const viewer = isValid ? await viewerOfFamily(ctx, query.family) : undefined
  if (viewer === undefined) throw forbidden(EXPIRED)
  return readArchive({ ...ctx, viewer }, id)
}

/** An archive of the viewer that is ready. Throws `forbidden` if they lost a permission that its kind needs. */
export async function readArchive(ctx: Context, id: string): Promise<OpenedArchive> {
  const archive = await ownArchives(ctx).select('layout').where('id', '=', id).executeTakeFirst()
  if (archive === undefined) throw notFound('Archive')
  const request = requestOf(archive)
  if (!canRequest(ctx.viewer, request.source)) throw forbidden(EXPIRED)
  const account = await requireVisibleAccount(ctx.db, ctx.viewer, archive.account_id)
  if (archive.status !== 'accessible') throw forbidden('This archive is not ready yet.')
  if (isList(request.source)) {
    const { contentType } = ARCHIVE_KINDS[request.source]
    // Made of what the viewer sees now, so it has the date of today.
    return {
      fileName: archiveName(ctx, account.name, request.source),
      list: { body: await makeList(ctx, request, account.name), contentType },
    }
  }
  const layout = parseLayout(archive.layout)
  await requireVisibleMembers(ctx, layout)
  await requireStoredMembers(ctx, layout)
  await transact(ctx, (tx) => issueArchive(tx, id, layout))
  return { layout, fileName: archive.file_name }
}

const EXPIRED = 'This link has expired. Please start the download again.'

async function makeList(ctx: Context, request: ArchiveRequest, accountName: string): Promise<Readable> {
  const made = newPackage(ctx)
  const content = createHash('sha256')
  const { account_id: accountId, source, selected_ids } = request
  const series = [source, accountId, viewerId(ctx.viewer), selected_ids?.toSorted() ?? null]
  const issued = { ...made, accountId, series, content }
  if (source === 'property-list') return issuedFile(ctx, await propertyList(ctx, listOf(request), { made, content }), issued)
  const files = await requestedFiles(ctx, request)
  if (files.length === 0) throw forbidden('The documents have changed since. Please start the download again.')
  const properties = packageProperties(ctx, made, DOCUMENT_LIST_TITLE)
  const list = { accountName, files, generatedAt: made.madeAt, timezone: timezoneOf(ctx.viewer) }
  return issuedFile(ctx, documentList(list, { properties, content }), issued)
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
  const { rows } = await sql<{ seen: number }>`SELECT count(*) AS seen FROM ${storedFiles(keys)} AS stored
    JOIN account_files ON account_files.id = stored.file_id WHERE deleted_at IS NULL AND ${visibleFiles(ctx.viewer)}`.execute(ctx.db)
  if (rows[0]?.seen !== keys.length) throw forbidden('The documents have changed since. Please start the download again.')
}

/** Rejects an archive before its first byte if a document was damaged since, which would otherwise break it in the middle. */
async function requireStoredMembers({ storage }: Context, { members }: ZipLayout): Promise<void> {
  const stored = members.flatMap(({ name, size, source }) => (source.kind === 'object' ? [{ name, size, key: source.key }] : []))
  const sizes = await storage.sizes([...new Set(stored.map(({ key }) => key))])
  const damaged = stored.find(({ key, size }) => sizes.get(key) !== size)
  if (damaged !== undefined) throw conflict(`The stored file of ${damaged.name} cannot be read. Start the download again to leave it out.`)
}
