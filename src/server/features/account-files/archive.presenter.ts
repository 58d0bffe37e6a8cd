import type { AccountFile, Download } from '#contract/account-files.ts'
import { ARCHIVES_LISTED, ARCHIVE_LISTED_MS } from '#contract/limits.ts'
import type { Context } from '#server/engines/context.ts'
import { ARCHIVE_KINDS } from './archive-kinds.ts'
import { readyContents } from './archive-content.queries.ts'
import { listedArchives, ownArchives, requestOf, type ArchiveRecord } from './archives.queries.ts'
import { archiveLink } from './open-archive.commands.ts'

type Shown = Omit<ArchiveRecord, 'requested_by'>

const statusOf = ({ status }: Shown) => status as AccountFile['status'] // checked by the table

function progressOf({ status, files_processed, total_files, progress_status }: Shown) {
  const percentage = total_files === 0 ? 0 : Math.floor((99 * files_processed) / total_files)
  return { percentage_complete: status === 'accessible' ? 100 : percentage, status: progress_status, files_processed, total_files }
}

/** An archive is presented as a document with a progress. */
export async function presentArchive(ctx: Context, archive: ArchiveRecord): Promise<AccountFile> {
  const { source } = requestOf(archive)
  const contents = await readyContents(ctx, archive.status === 'accessible' ? [archive] : [])
  return {
    id: archive.id,
    account_id: archive.account_id,
    file: { original_file_name: archive.file_name, type: ARCHIVE_KINDS[source].contentType, size: archive.size },
    status: statusOf(archive),
    folder: null,
    vanity_name: null,
    category: 'other',
    private: false,
    sov: false,
    provided_by_broker: false,
    covers_all_properties: false,
    report_author_date: null,
    age: null,
    current_until: null,
    properties: [],
    propertyIds: [],
    created_by: null,
    created_at: archive.created_at.toISOString(),
    version: 1,
    file_number: 1,
    progress: progressOf(archive),
    url: archiveLink(ctx, archive),
    source,
    content: contents.get(archive.id)?.content ?? null,
    text: null,
    accessible_features: { update: false, delete: false, preview: false, download: archive.status === 'accessible' },
  }
}

/** The viewer's unfinished archives, so that their progress is shown again after a reload and on other devices. */
export async function pendingArchives(ctx: Context): Promise<AccountFile[]> {
  const archives = await ownArchives(ctx).where('status', 'in', ['pending', 'processing']).orderBy('created_at').execute()
  return Promise.all(archives.map((archive) => presentArchive(ctx, archive)))
}

/** The viewer's downloads of accounts that they see, newest first, with those that have expired. */
export async function listDownloads(ctx: Context): Promise<Download[]> {
  const now = ctx.clock.now()
  const archives = await listedArchives(ctx)
    .select((eb) =>
      eb
        .selectFrom('accounts')
        .select('name')
        .whereRef('accounts.id', '=', 'archives.account_id')
        .$asScalar()
        .$notNull()
        .as('account_name'),
    )
    .where('expires_at', '>', new Date(now.getTime() - ARCHIVE_LISTED_MS))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(ARCHIVES_LISTED)
    .execute()
  const isReady = ({ status, expires_at: expiresAt }: ArchiveRecord) => status === 'accessible' && expiresAt > now
  const contents = await readyContents(ctx, archives.filter(isReady))
  return archives.map((archive) => {
    const { source } = requestOf(archive)
    const { content, isOutdated } = contents.get(archive.id) ?? { content: null, isOutdated: false }
    return {
      id: archive.id,
      account_id: archive.account_id,
      account_name: archive.account_name,
      source,
      content,
      file: { original_file_name: archive.file_name, type: ARCHIVE_KINDS[source].contentType, size: archive.size },
      status: archive.expires_at <= now ? 'expired' : isOutdated ? 'outdated' : statusOf(archive),
      progress: progressOf(archive),
      created_at: archive.created_at.toISOString(),
      expires_at: archive.expires_at.toISOString(),
    }
  })
}
