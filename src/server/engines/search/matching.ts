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

/**
 * Ids of the records of a model whose text holds the fragment, as a subquery for `id IN (…)`. The index is scoped: the own
 * company's records are found by company_id, those of other companies' accounts, and only those, by the viewer's grants. It
 * narrows; the model's own `visible` still decides.
 */
export function matchingIds(
  viewer: Viewer,
  model: Model | 'roles' | 'subscriptions',
  term: string,
  accountId?: string,
): RawBuilder<unknown> {
  const match = sql`s.model = ${model} AND s.body LIKE ${likePattern(term)} COLLATE "C"`
  if (accountId !== undefined) return sql`(SELECT s.record_id FROM search_entries s WHERE s.account_id = ${accountId} AND ${match})`
  if (seesAllCompanies(viewer) || viewer.kind !== 'user') return sql`(SELECT s.record_id FROM search_entries s WHERE ${match})`
  return sql`(SELECT s.record_id FROM search_entries s WHERE s.company_id = ${viewer.companyId} AND ${match}
    UNION ALL
    SELECT s.record_id FROM account_access g JOIN search_entries s ON s.account_id = g.account_id
      WHERE g.principal_id IN ${oneOf(principals(viewer))} AND NOT g.owner AND g.live AND ${match}
        AND NOT EXISTS (SELECT 1 FROM account_access o WHERE o.account_id = g.account_id AND o.principal_id = ${viewer.companyId} AND o.owner))`
}
