import { sql, type RawBuilder } from 'kysely'
import type { Model } from '#contract/permissions.ts'
import { oneOf, principals, seesAllCompanies } from '#server/access/scope.ts'
import type { Viewer } from '#server/access/viewer.ts'

/** A fragment as a LIKE pattern over lower-cased text. */
export const likePattern = (term: string): string =>
  `%${term
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`

/** So many accounts are looked through one by one; for more, the whole model is searched and compared with them. */
const ACCOUNTS_ONE_BY_ONE = 100

/** Models whose entries lie in an index of their own name the model in the text, where the planner sees it. */
type Searched = Model | 'roles' | 'subscriptions'

/**
 * Ids of the records of a model whose text holds the fragment, as a subquery for `id IN (…)`. The index is scoped: the own
 * company's records are found by company_id, those of other companies' accounts, and only those, by the viewer's grants. It
 * narrows; the model's own `visible` still decides.
 */
export function matchingIds(viewer: Viewer, model: Searched, term: string, accountId?: string): RawBuilder<unknown> {
  const match = sql`s.model = ${sql.lit(model)} AND s.body LIKE ${likePattern(term)} COLLATE "C"`
  const entries = sql`SELECT s.record_id FROM search_entries s WHERE`
  if (accountId !== undefined) return sql`(${entries} s.account_id = ${accountId} AND ${match})`
  if (seesAllCompanies(viewer) || viewer.kind !== 'user') return sql`(${entries} ${match})`
  return sql`(WITH granted AS MATERIALIZED (
      SELECT DISTINCT g.account_id FROM account_access g WHERE g.principal_id IN ${oneOf(principals(viewer))} AND NOT g.owner AND g.live
        AND NOT EXISTS (SELECT 1 FROM account_access o WHERE o.account_id = g.account_id AND o.principal_id = ${viewer.companyId} AND o.owner)),
    few AS (SELECT count(*) <= ${sql.lit(ACCOUNTS_ONE_BY_ONE)} AS are FROM granted)
    ${entries} s.company_id = ${viewer.companyId} AND ${match}
    UNION ALL
    SELECT f.record_id FROM granted g CROSS JOIN LATERAL (${entries} s.account_id = g.account_id AND ${match} OFFSET 0) f WHERE (SELECT are FROM few)
    UNION ALL
    ${entries} ${match} AND s.account_id IN (SELECT account_id FROM granted) AND NOT (SELECT are FROM few))`
}
