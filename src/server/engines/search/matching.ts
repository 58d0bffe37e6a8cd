import { sql, type RawBuilder } from 'kysely'
import type { Model } from '#contract/models.ts'
import { oneOf, principals, seesAllOf } from '#server/access/scope.ts'
import type { Viewer } from '#server/access/viewer.ts'

/** A LIKE pattern for lowercase text. */
export const likePattern = (term: string): string =>
  `%${term
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`

/** Up to this number of granted accounts, each is searched by itself; above it, the model is searched and the result filtered. */
const SEARCH_EACH_MAX = 100

/**
 * A subquery for `id IN (…)`: ids of the records of a model whose text contains the term. Finds records of the viewer's company and of
 * the accounts that other companies granted. A prefilter only; the model's own `visible…` condition decides.
 */
export function matchingIds(viewer: Viewer, model: Model, term: string, accountId?: string): RawBuilder<unknown> {
  // The model is a literal, so that the planner can use the partial index of the model.
  const match = sql`s.model = ${sql.lit(model)} AND s.body LIKE ${likePattern(term)} COLLATE "C"`
  const entries = sql`SELECT s.record_id FROM search_entries s WHERE`
  if (accountId !== undefined) return sql`(${entries} s.account_id = ${accountId} AND ${match})`
  if (seesAllOf(viewer, model) || viewer.kind !== 'user') return sql`(${entries} ${match})`
  return sql`(WITH granted AS MATERIALIZED (
      SELECT DISTINCT g.account_id FROM account_access g WHERE g.principal_id IN ${oneOf(principals(viewer))} AND NOT g.owner AND g.live
        AND NOT EXISTS (SELECT 1 FROM account_access o WHERE o.account_id = g.account_id AND o.principal_id = ${viewer.companyId} AND o.owner)),
    few AS (SELECT count(*) <= ${sql.lit(SEARCH_EACH_MAX)} AS are FROM granted)
    ${entries} s.company_id = ${viewer.companyId} AND ${match}
    UNION ALL
    SELECT f.record_id FROM granted g CROSS JOIN LATERAL (${entries} s.account_id = g.account_id AND ${match} OFFSET 0) f WHERE (SELECT are FROM few)
    UNION ALL
    ${entries} ${match} AND s.account_id IN (SELECT account_id FROM granted) AND NOT (SELECT are FROM few))`
}
