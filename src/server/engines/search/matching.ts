import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Model } from '#contract/models.ts'
import { oneOf, principals, seesAllOf } from '#server/access/scope.ts'
import type { SignedIn, Viewer } from '#server/access/viewer.ts'
import { searchWords, searchedWords, type SearchedWord } from './search-words.ts'

/** Up to this number of granted accounts, each is searched by itself; above it, the model is searched and the result filtered. */
const SEARCH_EACH_MAX = 100

/** A LIKE pattern for lowercase text. */
export const likePattern = (term: string): string =>
  `%${term
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`

/**
 * Whether the `search_words` of a lowercase text have all words of a search, in any order; a search of punctuation is found in the text. One condition for each word: an index looks up all of them
 * together, and starts with the rarest.
 */
export function hasWords(term: string, words: RawBuilder<unknown>, text: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const searched = searchedWords(term)
  if (searched.length === 0) return term.trim() === '' ? sql`true` : sql`${text} LIKE ${likePattern(term)} COLLATE "C"`
  const isNarrow = searched.some(isNumber)
  return sql`(${sql.join(
    searched.map((word) => hasWord(words, word, isNarrow)),
    sql` AND `,
  )})`
}

/** A house number or ZIP code: few records have it. */
const isNumber = ({ part, others }: SearchedWord): boolean => others.length === 0 && /\d{3}/.test(part)

/**
 * Words have no character with a meaning in patterns: `searchWords` turns them into spaces. An expression does not use the index: where
 * it finds few records by a number, comparing other spellings, or where a long number begins, takes less time in these than in the index.
 */
function hasWord(text: RawBuilder<unknown>, { part, others }: SearchedWord, isNarrow: boolean): RawBuilder<unknown> {
  const like = (searched: RawBuilder<unknown>, pattern: string) => sql`${searched} LIKE ${`%${pattern}%`} COLLATE "C"`
  const unindexed = sql`(${text} || '')`
  if (others.length > 0) return sql`${isNarrow ? unindexed : text} ~ ${[part, ...others].join('|')} COLLATE "C"`
  return /^ \d{4}/.test(part) ? sql`${like(text, part.trim())} AND ${like(unindexed, part)}` : like(text, part)
}

/** How well a text of `search_words` matches, best first. A rough `rankBy` that is cheap for many rows. */
function rankSql(text: RawBuilder<unknown>, term: string): RawBuilder<number> {
  const phrase = phraseOf(searchedWords(term))
  if (phrase === '') return sql`NULL::integer`
  const isPlain = !phrase.includes('|')
  const has = (begin: string, end: string) =>
    isPlain
      ? sql`${text} LIKE ${`${begin === '^' ? '' : '%'} ${phrase}${end}%`} COLLATE "C"`
      : sql`${text} ~ ${`${begin} ${phrase}${end}`} COLLATE "C"`
  return sql`CASE WHEN ${has('^', '')} THEN 0 WHEN ${has('', ' ')} THEN 1 WHEN ${has('', '')} THEN 2 ELSE 3 END`
}

/** The searched words as a regular expression of consecutive words. */
const phraseOf = (words: readonly SearchedWord[]): string =>
  words
    .map(({ part, others }) => [part, ...others].map((text) => text.trim()).join('|'))
    .map((either) => (either.includes('|') ? `(${either})` : either))
    .join(' ')

/** Returns how well the best of some texts matches: 0 if the search is all of it, 1 its beginning, 2 whole words in it, 3 begins a word, otherwise 4. */
export function rankBy(term: string): (texts: readonly (string | null)[]) => number {
  const phrase = phraseOf(searchedWords(term))
  const patterns = [`^ ${phrase} $`, `^ ${phrase}`, ` ${phrase} `, ` ${phrase}`].map((pattern) => new RegExp(pattern))
  const rank = (text: string) => {
    const found = patterns.findIndex((pattern) => pattern.test(` ${searchWords(text)} `))
    return found === -1 ? patterns.length : found
  }
  return (texts) => Math.min(patterns.length, ...texts.filter((text) => text !== null).map(rank))
}

/**
 * A subquery for `id IN (…)`: ids of the records of a model whose text contains the term. Finds records of the viewer's company and of
 * the accounts that other companies granted. A prefilter only; the model's own `visible…` condition decides.
 */
export const matchingIds = (viewer: Viewer, model: Model, term: string, accountId?: string): RawBuilder<unknown> =>
  matchingEntries(viewer, model, term, accountId, sql`s.record_id`)

/** More matches than this are not ranked, so that the time of a search has a limit. */
const RANKED_MAX = 1_000

/** A subquery for FROM: `record_id` of up to `limit` matches. The best are first among RANKED_MAX, then those that changed last. */
export function bestMatches(viewer: Viewer, model: Model, term: string, accountId: string | undefined, limit: number): RawBuilder<unknown> {
  const entries = matchingEntries(viewer, model, term, accountId, sql`s.record_id, s.words, s.updated_at`)
  return sql`(SELECT m.record_id FROM (SELECT * FROM ${entries} e LIMIT ${Math.max(RANKED_MAX, limit)}) m
    ORDER BY ${rankSql(sql`m.words`, term)}, m.updated_at DESC LIMIT ${limit})`
}

/**
 * Common table expressions of accounts that other companies granted: `granted`, and `few`, whether they are few enough to search each by
 * itself.
 */
export const grantedAccounts = (viewer: SignedIn): RawBuilder<unknown> => sql`granted AS MATERIALIZED (
      SELECT DISTINCT g.account_id FROM account_access g WHERE g.principal_id IN ${oneOf(principals(viewer))} AND NOT g.owner AND g.live
        AND NOT EXISTS (SELECT 1 FROM account_access o WHERE o.account_id = g.account_id AND o.principal_id = ${viewer.companyId} AND o.owner)),
    few AS (SELECT count(*) <= ${sql.lit(SEARCH_EACH_MAX)} AS are FROM granted)`

function matchingEntries(viewer: Viewer, model: Model, term: string, accountId: string | undefined, columns: RawBuilder<unknown>) {
  // Each granted account is read by its id: OFFSET keeps the words out, for which the planner would search all accounts once for each.
  // The model is a literal, so that the planner can use the partial index of the model.
  const ofModel = sql`s.model = ${sql.lit(model)}`
  const words = hasWords(term, sql`s.words`, sql`s.body`)
  const match = sql`${ofModel} AND ${words}`
  const entries = sql`SELECT ${columns} FROM search_entries s WHERE`
  if (accountId !== undefined) return sql`(${entries} s.account_id = ${accountId} AND ${match})`
  if (seesAllOf(viewer, model) || viewer.kind !== 'user') return sql`(${entries} ${match})`
  return sql`(WITH ${grantedAccounts(viewer)}
    ${entries} s.company_id = ${viewer.companyId} AND ${match}
    UNION ALL
    SELECT ${columns} FROM granted g CROSS JOIN LATERAL (SELECT * FROM search_entries s WHERE s.account_id = g.account_id AND ${ofModel} OFFSET 0) s
      WHERE (SELECT are FROM few) AND ${words}
    UNION ALL
    ${entries} ${match} AND s.account_id IN (SELECT account_id FROM granted) AND NOT (SELECT are FROM few))`
}
