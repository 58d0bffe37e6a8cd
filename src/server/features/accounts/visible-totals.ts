import { sql, type RawBuilder } from 'kysely'
import { seesPrivateFiles, visibleFiles } from '#server/access/account-files.ts'
import { seesOwnFilesOnly } from '#server/access/scope.ts'
import { can, type Viewer } from '#server/access/viewer.ts'

/** The stored totals of an account's documents; `private_*` are the private ones among them. */
export interface FileTotals {
  files_disclosed: number
  files_sov: number
  bytes_disclosed: number
  bytes_sov: number
  private_disclosed: number
  private_sov: number
  private_bytes_disclosed: number
  private_bytes_sov: number
}

const STORED_TOTALS = sql`SELECT t.files_disclosed, t.files_sov, t.bytes_disclosed, t.bytes_sov,
  t.private_disclosed, t.private_sov, t.private_bytes_disclosed, t.private_bytes_sov`

/** A subquery to join to `account_totals t`: the stored totals, or a count for viewers who see only their own uploads. */
export function fileTotals(viewer: Viewer): RawBuilder<unknown> {
  if (!seesOwnFilesOnly(viewer)) return STORED_TOTALS
  return sql`SELECT count(*) FILTER (WHERE NOT sent.sov) AS files_disclosed, count(*) FILTER (WHERE sent.sov) AS files_sov,
      coalesce(sum(sent.size) FILTER (WHERE NOT sent.sov), 0)::bigint AS bytes_disclosed,
      coalesce(sum(sent.size) FILTER (WHERE sent.sov), 0)::bigint AS bytes_sov,
      0 AS private_disclosed, 0 AS private_sov, 0 AS private_bytes_disclosed, 0 AS private_bytes_sov
    FROM account_files sent WHERE sent.account_id = t.account_id AND sent.deleted_at IS NULL AND ${visibleFiles(viewer, 'sent')}`
}

/** Counts and sizes in bytes of the documents that this viewer sees: private ones are subtracted for everyone else. */
export function visibleFileTotals(viewer: Viewer, totals: FileTotals & { company_id: string }) {
  const hidden = seesPrivateFiles(viewer, totals.company_id) ? 0 : 1
  const disclosed = totals.files_disclosed - hidden * totals.private_disclosed
  const sov = totals.files_sov - hidden * totals.private_sov
  const size = {
    disclosed: totals.bytes_disclosed - hidden * totals.private_bytes_disclosed,
    sov: totals.bytes_sov - hidden * totals.private_bytes_sov,
  }
  return { total: disclosed + sov, disclosed, sov, size: { total: size.disclosed + size.sov, ...size } }
}

const NO_PROPERTIES = { active: 0, divested: 0, tiv: 0 }

/** The stored totals of an account's register, for viewers who can open it. */
export function visiblePropertyTotals(viewer: Viewer, totals: { active_properties: number; divested_properties: number; tiv: number }) {
  if (!can(viewer, 'view_account_properties')) return NO_PROPERTIES
  return { active: totals.active_properties, divested: totals.divested_properties, tiv: totals.tiv }
}
