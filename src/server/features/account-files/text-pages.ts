import { sql, type RawBuilder } from 'kysely'
import { seesAllOf } from '#server/access/scope.ts'
import type { Viewer } from '#server/access/viewer.ts'
import { grantedAccounts } from '#server/engines/search/matching.ts'
import { tsQuery, type SearchedPhrase } from '#server/engines/search/text-query.ts'

/** A search of texts as an expression, of the result of `tsQuery`. */
export const textQuery = (query: string): RawBuilder<unknown> => sql`to_tsquery('simple', ${query})`

/** The index reads all pages with words of one beginning, however few an account has, so accounts that are read one by one compare these. */
function wholeWords(phrases: readonly SearchedPhrase[]): RawBuilder<unknown> {
  const whole = phrases.filter(({ isBeginning }) => !isBeginning)
  return whole.length === 0 ? sql`true` : sql`p.words @@ ${textQuery(tsQuery(whole))}`
}

/**
 * A query of the pages of documents that have the searched words, in the viewer's company and in the accounts that other companies granted,
 * or in one account. A prefilter only: the condition for visible texts decides.
 */
export function pagesWith(viewer: Viewer, phrases: readonly SearchedPhrase[], accountId: string | undefined): RawBuilder<unknown> {
  const words = sql`p.words @@ ${textQuery(tsQuery(phrases))}`
  const pages = sql`SELECT p.file_id, p.part FROM document_pages p WHERE`
  if (accountId !== undefined) return sql`(${pages} p.account_id = ${accountId} AND ${words})`
  if (seesAllOf(viewer, 'account_files') || viewer.kind !== 'user') return sql`(${pages} ${words})`
  return sql`(WITH ${grantedAccounts(viewer)}
    ${pages} p.company_id = ${viewer.companyId} AND ${words}
    UNION ALL
    SELECT p.file_id, p.part FROM granted g CROSS JOIN LATERAL (
      SELECT p.file_id, p.part, p.words FROM document_pages p WHERE p.account_id = g.account_id AND ${wholeWords(phrases)} OFFSET 0) p
      WHERE (SELECT are FROM few) AND ${words}
    UNION ALL
    ${pages} ${words} AND p.account_id IN (SELECT account_id FROM granted) AND NOT (SELECT are FROM few))`
}
