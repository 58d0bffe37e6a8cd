import type { AccountFile, Download } from '#contract/account-files.ts'
import { ARCHIVES_LISTED, ARCHIVE_LISTED_MS } from '#contract/limits.ts'
import { visibleAccounts } from '#server/access/accounts.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { ARCHIVE_KINDS } from './archive-kinds.ts'
import { ownArchives, requestOf, type ArchiveRecord } from './archive.job.ts'
import { archiveLink } from './open-archive.commands.ts'

type Shown = Omit<ArchiveRecord, 'requested_by'>

const statusOf = ({ status }: Shown) => status as AccountFile['status'] // checked by the table

function progressOf({ status, files_processed, total_files, progress_status }: Shown) {
  const percentage = total_files === 0 ? 0 : Math.floor((99 * files_processed) / total_files)
  return { percentage_complete: status === 'accessible' ? 100 : percentage, status: progress_status, files_processed, total_files }
}

/** An archive is presented as a document with a progress. */
export function presentArchive(ctx: Context, archive: ArchiveRecord): AccountFile {
  const { source } = requestOf(archive)
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
    text: null,
    accessible_features: { update: false, delete: false, preview: false, download: archive.status === 'accessible' },
  }
}

/** The viewer's unfinished archives, so that their progress is shown again after a reload and on other devices. */
export async function pendingArchives(ctx: Context): Promise<AccountFile[]> {
  const archives = await ownArchives(ctx).where('status', 'in', ['pending', 'processing']).orderBy('created_at').execute()
  return archives.map((archive) => presentArchive(ctx, archive))
}

/** The viewer's downloads of accounts that they see, newest first, with those that have expired. */
export async function listDownloads({ db, viewer, clock }: Context): Promise<Download[]> {
  const now = clock.now()
  const archives = await db
    .selectFrom('archives')
    .innerJoin('accounts', 'accounts.id', 'archives.account_id')
    .selectAll('archives')
    .select('accounts.name as account_name')
    .where('archives.requested_by', '=', viewerId(viewer))
    .where('archives.expires_at', '>', new Date(now.getTime() - ARCHIVE_LISTED_MS))
    .where(visibleAccounts(viewer, 'archives.account_id', 'live'))
    .orderBy('archives.created_at', 'desc')
    .orderBy('archives.id', 'desc')
    .limit(ARCHIVES_LISTED)
    .execute()
  return archives.map((archive) => {
    const { source } = requestOf(archive)
    return {
      id: archive.id,
      account_id: archive.account_id,
      account_name: archive.account_name,
      source,
      text: null,
      file: { original_file_name: archive.file_name, type: ARCHIVE_KINDS[source].contentType, size: archive.size },
      status: archive.expires_at <= now ? 'expired' : statusOf(archive),
      progress: progressOf(archive),
      created_at: archive.created_at.toISOString(),
      expires_at: archive.expires_at.toISOString(),
    }
  })
}
