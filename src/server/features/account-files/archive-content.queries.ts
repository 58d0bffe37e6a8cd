import { sql, type Expression, type SqlBool } from 'kysely'
import type { DownloadContent } from '#contract/download-content.ts'
import { LEFT_OUT_NAMES_MAX } from '#contract/limits.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { uuids } from '#server/access/scope.ts'
import type { Context } from '#server/engines/context.ts'
import { isDisclosed } from './archive-kinds.ts'
import type { ArchiveRecord } from './archives.queries.ts'

interface ReadyContent {
  /** Null for a list of properties. */
  content: DownloadContent | null
  /** Whether a document was changed so that the archive is no longer what the user would get, or a list would be empty. */
  isOutdated: boolean
}

interface Row {
  id: string
  is_outdated: boolean
  skipped: string[]
  disclosed: number
  not_disclosed: string[]
}

/** What these archives and lists, which are ready, contain as far as the viewer sees it now, by id. */
export async function readyContents({ db, viewer }: Context, archives: readonly ArchiveRecord[]): Promise<Map<string, ReadyContent>> {
  if (archives.length === 0) return new Map()
  const names = (where: Expression<SqlBool>) =>
    sql`ARRAY(SELECT coalesce(seen.vanity_name, seen.original_file_name) FROM seen WHERE ${where} ORDER BY 1)`
  const { rows } = await sql<Row>`
    WITH ready AS MATERIALIZED (SELECT * FROM archives WHERE id = ANY(${uuids(archives.map(({ id }) => id))})),
    seen AS MATERIALIZED (SELECT id, account_id, storage_key, vanity_name, original_file_name, ${isDisclosed} AS is_disclosed
      FROM account_files WHERE account_id IN (SELECT account_id FROM ready) AND deleted_at IS NULL AND ${visibleFiles(viewer)})
    SELECT ready.id,
      EXISTS (SELECT 1 FROM unnest(ready.document_keys) AS named(key) WHERE named.key NOT IN (SELECT storage_key FROM seen)) AS is_outdated,
      ${names(sql`seen.id = ANY(ready.skipped_ids)`)} AS skipped,
      (SELECT count(*) FROM seen WHERE ${isListed(sql`is_disclosed`)}) AS disclosed,
      ${names(isListed(sql`NOT is_disclosed AND ready.selected_ids IS NOT NULL`))} AS not_disclosed
    FROM ready`.execute(db)
  const found = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    archives.flatMap((archive) => {
      const row = found.get(archive.id)
      return row === undefined ? [] : [[archive.id, contentOf(archive, row)] as const]
    }),
  )
}

const isListed = (where: Expression<SqlBool>) =>
  sql<SqlBool>`(ready.source = 'document-list' AND seen.account_id = ready.account_id AND ${where}
    AND (ready.selected_ids IS NULL OR seen.id = ANY(ready.selected_ids)))`

function contentOf({ source, selected_ids: ids, skipped, files_processed: archived }: ArchiveRecord, row: Row): ReadyContent {
  if (source === 'property-list') return { content: null, isOutdated: false }
  const isList = source === 'document-list'
  const selected = ids !== null && source !== 'with-documents'
  const included = isList ? row.disclosed : archived
  const requested = selected ? ids.length : included + skipped
  const notDisclosed = row.not_disclosed.length
  const reasons = [
    { reason: 'unreadable', count: skipped, names: row.skipped },
    { reason: 'not_disclosed', count: notDisclosed, names: row.not_disclosed },
    { reason: 'not_found', count: requested - included - skipped - notDisclosed, names: [] },
  ] as const
  const leftOut = reasons
    .filter(({ count }) => count > 0)
    .map(({ names, ...rest }) => ({ ...rest, names: names.slice(0, LEFT_OUT_NAMES_MAX) }))
  return { content: { requested, included, selected, left_out: leftOut }, isOutdated: isList ? row.disclosed === 0 : row.is_outdated }
}
