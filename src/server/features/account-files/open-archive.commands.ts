import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { DOWNLOAD_LINK_LIFE_MS } from '#contract/limits.ts'
import type { fileCalls } from '#contract/account-files.ts'
import type { QueryOf } from '#contract/route.ts'
import { issuerOf } from '#server/access/issued-files.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { timezoneOf } from '#server/access/viewer.ts'
import type { ZipLayout } from '#server/engines/archive/zip-layout.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { issuedFile } from '#server/engines/packages/issued-file.ts'
import { manifestOf, packageProperties } from '#server/engines/packages/package-properties.ts'
import { newPackage } from '#server/engines/packages/packages.ts'
import type { Delivery } from '#server/engines/storage/send-download.ts'
import { isSigned, sign } from '#server/engines/secrets/tokens.ts'
import { viewerOfFamily } from '#server/engines/session/authenticate.ts'
import { conflict, forbidden, notFound } from '#server/kernel/errors.ts'
import { propertyList } from '../account-properties/property-list.commands.ts'
import { ARCHIVE_KINDS, canRequest, isList, listOf, requestedFiles, type ArchiveRequest } from './archive-kinds.ts'
import { described } from './archive-manifest.ts'
import { archiveName } from './archive.commands.ts'
import { parseLayout } from './archive.build.ts'
import {
  archiveDelivery,
  contentName,
  documentKeys,
  documentsChanged,
  LINK_EXPIRED,
  recordDownload,
  requireVisibleDocuments,
} from './archive-delivery.commands.ts'
import { requireArchive, requestOf, type ArchiveRecord } from './archives.queries.ts'
import { DOCUMENT_LIST_TITLE, documentList } from './document-list.build.ts'
import type { FileContent } from './files.queries.ts'
import { beginListing } from './listings.commands.ts'

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
  | { fileName: string; layout: ZipLayout; delivery: Delivery; list?: undefined }
  | { fileName: string; layout?: undefined; list: { body: Readable; contentType: string } }

/** The archive of a signed link that has not expired, if its session is open and its owner still sees the account and every document. */
export async function openArchive(ctx: Context, id: string, query: QueryOf<typeof fileCalls.downloadArchive>): Promise<OpenedArchive> {
  const isValid =
    isSigned(query.signature, ctx.config.secretKey, 'archive', id, query.viewer, query.family, String(query.expires)) &&
    query.expires >= ctx.clock.now().getTime()
  const viewer = isValid ? await viewerOfFamily(ctx, query.family) : undefined
  if (viewer === undefined) throw forbidden(LINK_EXPIRED)
  return readArchive({ ...ctx, viewer }, id, query.family)
}

/**
 * An archive of the viewer that is ready, to be sent while this sign-in is open. Throws `forbidden` if they lost a permission that its kind
 * needs, or no longer see one of its documents.
 */
export async function readArchive(ctx: Context, id: string, familyId: string | undefined): Promise<OpenedArchive> {
  const archive = await requireArchive(ctx, id)
  const request = requestOf(archive)
  if (!canRequest(ctx.viewer, request.source)) throw forbidden(LINK_EXPIRED)
  if (archive.status !== 'accessible') throw forbidden('This archive is not ready yet.')
  if (isList(request.source)) {
    const { contentType } = ARCHIVE_KINDS[request.source]
    const account = await requireVisibleAccount(ctx.db, ctx.viewer, archive.account_id)
    // Made of what the viewer sees now, so it has the date of today.
    return {
      fileName: archiveName(ctx, account.name, request.source),
      list: { body: await makeList(ctx, request, account.name), contentType },
    }
  }
  const { layout, keys } = await requireIntact(ctx, id)
  return { layout, fileName: archive.file_name, delivery: archiveDelivery(ctx, archive, { layout, keys, familyId }) }
}

/** Throws the error with which a link to the archive would be answered, so that the page can show it. */
export async function requireDownloadable(ctx: Context, archive: ArchiveRecord): Promise<void> {
  const request = requestOf(archive)
  if (archive.status !== 'accessible') return
  if (!canRequest(ctx.viewer, request.source)) throw forbidden()
  if (!isList(request.source)) await requireIntact(ctx, archive.id)
  else if (request.source === 'document-list') await requireDocuments(ctx, request)
}

/** The layout of an archive, and the keys of all documents that it contains or names. Throws unless the viewer sees them and they can be read. */
async function requireIntact(ctx: Context, id: string): Promise<{ layout: ZipLayout; keys: string[] }> {
  const stored = await ctx.db.selectFrom('archives').select(['layout', 'document_keys as keys']).where('id', '=', id).executeTakeFirst()
  if (stored === undefined) throw notFound('Archive')
  await requireVisibleDocuments(ctx, stored.keys)
  const layout = parseLayout(stored.layout)
  await requireStoredMembers(ctx, layout)
  return { layout, keys: stored.keys }
}

async function makeList(ctx: Context, request: ArchiveRequest, accountName: string): Promise<Readable> {
  const made = newPackage(ctx)
  const content = createHash('sha256')
  const { account_id: accountId, source, selected_ids } = request
  const series = [source, accountId, issuerOf(ctx.viewer), selected_ids?.toSorted() ?? null]
  const alsoRecord = (tx: WriteContext) => recordDownload(tx, { id: made.id, accountId, source, count: 0 })
  const listed = await beginListing(ctx, request)
  const issued = { ...made, name: contentName(source, 0), accountId, series, listed, content, alsoRecord }
  if (source === 'property-list')
    return issuedFile(ctx, await propertyList(ctx, listOf(request), { made, account: accountName, content }), issued)
  const files = await requireDocuments(ctx, request)
  const properties = packageProperties(ctx, made, DOCUMENT_LIST_TITLE)
  const list = { accountName, files, generatedAt: made.madeAt, timezone: timezoneOf(ctx.viewer) }
  const manifest = manifestOf(ctx, made, { account: accountName, documents: files.map(described) })
  return issuedFile(ctx, documentList(list, { properties, content, manifest }), issued)
}

async function requireDocuments(ctx: Context, request: ArchiveRequest): Promise<FileContent[]> {
  const files = await requestedFiles(ctx, request)
  if (files.length === 0) throw documentsChanged()
  return files
}

/** Rejects an archive before its first byte if a document was damaged since, which would otherwise break it in the middle. */
async function requireStoredMembers({ storage }: Context, layout: ZipLayout): Promise<void> {
  const sizes = await storage.sizes(documentKeys(layout))
  const damaged = layout.members.find(({ source, size }) => source.kind === 'object' && sizes.get(source.key) !== size)
  if (damaged !== undefined) throw conflict(`The stored file of ${damaged.name} cannot be read. Start the download again to leave it out.`)
}
