import type { PreviewLink } from '#contract/account-files.ts'
import { DOWNLOAD_LINK_LIFE_MS } from '#contract/limits.ts'
import { isShownFromBytes } from '#contract/preview-kind.ts'
import { fileRules } from '#server/access/account-files.ts'
import { familyOf } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { issueDocuments } from '#server/engines/packages/packages.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { recordVisit } from '#server/engines/visits/record-visit.ts'
import { forbidden } from '#server/kernel/errors.ts'
import { displayName, downloadName, withoutProgramEnding } from './file-names.ts'
import type { FileRecord } from './files.queries.ts'

const PREVIEWABLE = /^(application\/pdf|image\/(png|jpeg|gif|webp|avif|bmp)|text\/(plain|csv|tab-separated-values|markdown))$/
/** Most browsers save these instead of showing them. The page shows what the server reads of them. */
const TABLE = /^text\/(csv|tab-separated-values)$/

type LinkOptions = Parameters<Context['storage']['downloadUrl']>[1]

function linkTo(
  ctx: Context,
  file: FileRecord,
  options: Pick<LinkOptions, 'disposition' | 'isPreview' | 'expiresInMs'> & { fileName?: string | undefined },
) {
  const { fileName = downloadName(file), ...link } = options
  const linked = { ...link, familyId: familyOf(ctx.viewer), fileName: withoutProgramEnding(fileName), contentType: file.content_type }
  return ctx.storage.downloadUrl(file.storage_key, linked)
}

/**
 * A link to the document that expires within a minute. The disk store records the download when the bytes are sent; the bytes of other
 * stores pass the product by, so that only the link can be recorded.
 */
export async function downloadLink(ctx: Context, file: FileRecord, fileName?: string): Promise<string | null> {
  if (!fileRules(ctx.viewer, file).download) return null
  await transact(ctx, async (tx) => {
    if (ctx.storage.kind !== 'disk') {
      await recordDownloadVisit(tx, file)
      await recordDocumentDownload(tx, file, 'got a link to download')
    }
    await issueDocuments(tx, [file.storage_key])
  })
  return linkTo(ctx, file, { fileName, disposition: 'attachment', expiresInMs: DOWNLOAD_LINK_LIFE_MS })
}

type NamedDocument = Pick<FileRecord, 'id' | 'account_id' | 'vanity_name' | 'original_file_name'>

/** Of people from outside, when the first byte is sent, so that most of a document is never sent without a line. */
export const recordDownloadVisit = (ctx: Context, file: NamedDocument): Promise<void> =>
  recordVisit(ctx, { what: 'downloaded', item: { id: file.id, name: displayName(file) } })

/** In the activity of the document. The same document again within ten minutes is one line. */
export const recordDocumentDownload = async (
  tx: WriteContext,
  file: NamedDocument,
  what: 'downloaded' | 'got a link to download',
): Promise<void> => {
  await recordActivity(tx, {
    model: 'account_files',
    modelId: file.id,
    accountId: file.account_id,
    class: 'downloaded',
    message: `{user} ${what} ${displayName(file)}`,
    fileIds: [file.id],
    group: { key: `${what} ${file.id}`, count: 1 },
  })
}

export const recordView = (ctx: Context, file: NamedDocument): Promise<void> =>
  recordVisit(ctx, { what: 'viewed', item: { id: file.id, name: displayName(file) } })

/**
 * A link to show the document in the browser, or for a type that browsers cannot show, for viewers who can download it. The page shows some of
 * these types itself, which is no download. The link of the others only saves them.
 */
export async function previewLink(ctx: Context, file: FileRecord): Promise<PreviewLink> {
  const { preview, download } = fileRules(ctx.viewer, file)
  if (!preview) throw forbidden()
  await recordView(ctx, file)
  const previewable = PREVIEWABLE.test(file.content_type)
  if (!download && (!previewable || TABLE.test(file.content_type))) return { url: null, type: file.content_type, previewable: false }
  if (!previewable) await issueDocuments(ctx, [file.storage_key])
  const url = await linkTo(ctx, file, {
    disposition: previewable ? 'inline' : 'attachment',
    isPreview: previewable || isShownFromBytes(file.content_type, file.original_file_name),
    expiresInMs: DOWNLOAD_LINK_LIFE_MS,
  })
  return { url, type: file.content_type, previewable }
}
