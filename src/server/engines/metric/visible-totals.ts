import { sql, type RawBuilder } from 'kysely'
import { visibleProperties } from '#server/access/account-properties.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { scopeOf } from '#server/access/link-scope.ts'
import { seesOwnFilesOnly } from '#server/access/scope.ts'
import type { Viewer } from '#server/access/viewer.ts'

const STORED_REGISTER = sql`SELECT t.active_properties, t.divested_properties, t.tiv, t.currency`

/** A subquery to join to `account_totals t`: the stored totals, or a count for visitors of a link to a part of the account. */
export function registerTotals(viewer: Viewer): RawBuilder<unknown> {
  if (scopeOf(viewer) === undefined) return STORED_REGISTER
  const active = sql`account_properties.status = 'active'`
  const valued = sql`${active} AND account_properties.tiv > 0`
  const extreme = (name: 'min' | 'max') => sql`${sql.raw(name)}(account_properties.currency) FILTER (WHERE ${valued})`
  return sql`SELECT count(*) FILTER (WHERE ${active}) AS active_properties,
      count(*) FILTER (WHERE account_properties.status = 'divested') AS divested_properties,
      coalesce(sum(account_properties.tiv) FILTER (WHERE ${active}), 0)::bigint AS tiv,
      CASE WHEN ${extreme('min')} <> ${extreme('max')} THEN NULL
        ELSE coalesce(${extreme('min')}, min(account_properties.currency), 'USD') END AS currency
    FROM account_properties
    WHERE account_properties.account_id = t.account_id AND account_properties.deleted_at IS NULL AND ${visibleProperties(viewer)}`
}

const STORED_FILES = sql`SELECT t.files_disclosed, t.files_sov, t.bytes_disclosed, t.bytes_sov,
  t.private_disclosed, t.private_sov, t.private_bytes_disclosed, t.private_bytes_sov`

/** The same for documents, which are also counted for viewers who see only their own uploads. */
export function fileTotals(viewer: Viewer): RawBuilder<unknown> {
  if (!seesOwnFilesOnly(viewer) && scopeOf(viewer) === undefined) return STORED_FILES
  return sql`SELECT count(*) FILTER (WHERE NOT sent.sov) AS files_disclosed, count(*) FILTER (WHERE sent.sov) AS files_sov,
      coalesce(sum(sent.size) FILTER (WHERE NOT sent.sov), 0)::bigint AS bytes_disclosed,
      coalesce(sum(sent.size) FILTER (WHERE sent.sov), 0)::bigint AS bytes_sov,
      0 AS private_disclosed, 0 AS private_sov, 0 AS private_bytes_disclosed, 0 AS private_bytes_sov
    FROM account_files sent WHERE sent.account_id = t.account_id AND sent.deleted_at IS NULL AND ${visibleFiles(viewer, 'sent')}`
}
