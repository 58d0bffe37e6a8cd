import { sql, type RawBuilder } from 'kysely'
import { seesPrivateFiles, visibleFiles } from '#server/access/account-files.ts'
import { seesOwnFilesOnly } from '#server/access/scope.ts'
import type { Viewer } from '#server/access/viewer.ts'

/** What the database counts of an account's documents; private ones also apart. */
export interface KeptFiles {
  files_disclosed: number
  files_sov: number
  bytes_disclosed: number
  bytes_sov: number
  private_disclosed: number
  private_sov: number
  private_bytes_disclosed: number
  private_bytes_sov: number
}

const KEPT = sql`SELECT t.files_disclosed, t.files_sov, t.bytes_disclosed, t.bytes_sov,
  t.private_disclosed, t.private_sov, t.private_bytes_disclosed, t.private_bytes_sov`

/** To be joined beside `account_totals t`: the kept totals, or a count for those few who see only what they sent themselves. */
export function keptFiles(viewer: Viewer): RawBuilder<unknown> {
  if (!seesOwnFilesOnly(viewer)) return KEPT
  return sql`SELECT count(*) FILTER (WHERE NOT sent.sov) AS files_disclosed, count(*) FILTER (WHERE sent.sov) AS files_sov,
      coalesce(sum(sent.size) FILTER (WHERE NOT sent.sov), 0)::bigint AS bytes_disclosed,
      coalesce(sum(sent.size) FILTER (WHERE sent.sov), 0)::bigint AS bytes_sov,
      0 AS private_disclosed, 0 AS private_sov, 0 AS private_bytes_disclosed, 0 AS private_bytes_sov
    FROM account_files sent WHERE sent.account_id = t.account_id AND sent.deleted_at IS NULL AND ${visibleFiles(viewer, 'sent')}`
}

/** Counts and sizes of the documents that this viewer may see, from the kept totals: private ones are taken off for others. */
export function seenFiles(viewer: Viewer, kept: KeptFiles & { company_id: string }) {
  const hidden = seesPrivateFiles(viewer, kept.company_id) ? 0 : 1
  const disclosed = kept.files_disclosed - hidden * kept.private_disclosed
  const sov = kept.files_sov - hidden * kept.private_sov
  const size = {
    disclosed: kept.bytes_disclosed - hidden * kept.private_bytes_disclosed,
    sov: kept.bytes_sov - hidden * kept.private_bytes_sov,
  }
  return { total: disclosed + sov, disclosed, sov, size: { total: size.disclosed + size.sov, ...size } }
}
