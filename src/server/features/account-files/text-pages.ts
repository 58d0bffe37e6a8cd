import { sql, type RawBuilder } from 'kysely'
import { seesAllOf } from '#server/access/scope.ts'
import type { Viewer } from '#server/access/viewer.ts'
import { grantedAccounts } from '#server/engines/search/matching.ts'
import { tsQuery, type SearchedPhrase } from '#server/engines/search/text-query.ts'

/** A search of texts as an expression, of the result of `tsQuery`. */
export const textQuery = (query: string): RawBuilder<unknown> => sql`to_tsquery('simple', ${query})`

/**
 * A query of the pages of documents that have the searched words, in the viewer's company and in the accounts that other companies granted,
 * or in one account. A prefilter only: the condition for visible texts decides.
 */
export function pagesWith(viewer: Viewer, phrases: readonly SearchedPhrase[], accountId: string | undefined): RawBuilder<unknown> {
  const words = sql`p.words @@ ${textQuery(tsQuery(phrases))}`
  const pages = sql`SELECT p.file_id, p.part FROM document_pages p WHERE`
  // As in the index of the words.
  const readers = sql`ARRAY[p.company_id, p.account_id]`
  if (accountId !== undefined) return sql`(${pages} ${readers} && ARRAY[${accountId}::uuid] AND ${words})`
  if (seesAllOf(viewer, 'account_files') || viewer.kind !== 'user') return sql`(${pages} ${words})`
  return sql`(WITH ${grantedAccounts(viewer)}
    ${pages} ${readers} && (SELECT array_agg(account_id) || ${viewer.companyId}::uuid FROM granted) AND ${words})`
}
