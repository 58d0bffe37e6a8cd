import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { TEXT_GROUPS, type PlainText, type TextHit, type TextMatch, type TextState, type UnreadTexts } from '#contract/document-texts.ts'
import { TEXT_SHOWN_MAX_CHARACTERS } from '#contract/reading-limits.ts'
import type { SearchInAccountQuery } from '#contract/search.ts'
import { readsFiles, visibleFiles, visibleTexts } from '#server/access/account-files.ts'
import { TRUE, uuids } from '#server/access/scope.ts'
import type { Viewer } from '#server/access/viewer.ts'
import { runPrepared } from '#server/db/prepared.ts'
import type { Context } from '#server/engines/context.ts'
import { excerptOf } from '#server/engines/search/excerpt.ts'
import { mayBeFrequent } from './frequent-words.ts'
import { pagesWith, textQuery } from './text-pages.ts'
import { forbidden } from '#server/kernel/errors.ts'
import { adjacentQuery, searchedPhrases, tsQuery, type SearchedPhrase } from '#server/engines/search/text-query.ts'

interface StoredPage {
  page: number | null
  place: string
  body: string
}

interface FoundPage extends StoredPage {
  id: string
  account_id: string
  name: string
  account: string
}

/** If more pages have the words, the newest documents are searched one by one until enough are found. */
const CANDIDATES_MAX = 1_000
/** Of up to this many pages, those with the words next to each other come first. */
const RANKED_MAX = 200
/** What is read for frequent words before the index is used: a few milliseconds for a phrase, less for a word, for which the index takes less time. */
const [NEWEST_FOR_PHRASE, NEWEST_FOR_WORD] = [
  { files: 100, pages: 200 },
  { files: 20, pages: 40 },
] as const
/** Rows of one page of the list for which a place in their text is shown. */
const MATCHES_SHOWN_MAX = 200

const matchOf = ({ page, place, body }: StoredPage, phrases: readonly SearchedPhrase[]): TextMatch => ({
  page,
  place,
  excerpt: excerptOf(body, phrases),
})

/** The newest documents with a page that has all words; first those with the words next to each other, unless too many pages match. */
export async function searchTexts(ctx: Context, { search, paginate, filter__account_id }: SearchInAccountQuery): Promise<TextHit[]> {
  if (!readsFiles(ctx.viewer)) throw forbidden()
  const phrases = searchedPhrases(search)
  if (phrases.length === 0) return []
  const found =
    (await inNewest(ctx, phrases, paginate, filter__account_id)) ??
    (await fewPages(ctx, phrases, paginate, filter__account_id)) ??
    (await newestFirst(ctx, phrases, paginate, filter__account_id))
  return found.map(({ id, account_id, name, account, ...page }) => ({ id, account_id, name, account, ...matchOf(page, phrases) }))
}

const SHOWN = sql`account_files.id, account_files.account_id, coalesce(account_files.vanity_name, account_files.original_file_name) AS name`
const isLive = (viewer: Viewer) => sql<SqlBool>`account_files.deleted_at IS NULL AND ${visibleTexts(viewer)}`
const withPages = (hits: RawBuilder<unknown>) => sql`(SELECT h.*, a.name AS account, p.page, p.place, p.body FROM (${hits}) h
  JOIN accounts a ON a.id = h.account_id JOIN document_pages p ON p.file_id = h.id AND p.part = h.part)`

/** Undefined if more pages match than are compared. */
async function fewPages(ctx: Context, phrases: readonly SearchedPhrase[], limit: number, accountId: string | undefined) {
  const pageHas = (query: string) => sql`EXISTS (SELECT 1 FROM document_pages p
    WHERE p.file_id = found.file_id AND p.part = found.part AND p.words @@ ${textQuery(query)})`
  const adjacent =
    phrases.length === 1 ? sql`false` : sql`(SELECT count <= ${sql.lit(RANKED_MAX)} FROM counted) AND ${pageHas(adjacentQuery(phrases))}`
  const best = sql`SELECT DISTINCT ON (file_id) file_id, part, ${adjacent} AS is_adjacent FROM found
    WHERE (SELECT count <= ${sql.lit(CANDIDATES_MAX)} FROM counted) ORDER BY file_id, is_adjacent DESC, part`
  // In order and one by one until there are enough, because reading all of them takes as long as finding them.
  const hits = sql`SELECT ${SHOWN}, best.part, best.is_adjacent FROM (SELECT * FROM (${best}) best ORDER BY is_adjacent DESC, file_id DESC OFFSET 0) best
    CROSS JOIN LATERAL (SELECT * FROM account_files WHERE account_files.id = best.file_id AND ${isLive(ctx.viewer)} OFFSET 0) account_files
    ORDER BY best.is_adjacent DESC, best.file_id DESC LIMIT ${limit}`
  const statement = sql<(FoundPage | { id: null }) & { count: number }>`
    WITH found AS MATERIALIZED (SELECT * FROM ${pagesWith(ctx.viewer, phrases, accountId)} p LIMIT ${sql.lit(CANDIDATES_MAX + 1)}),
      counted AS (SELECT count(*)::int AS count FROM found)
    SELECT counted.count, hits.* FROM counted LEFT JOIN
      ${withPages(hits)} hits ON true
    ORDER BY hits.is_adjacent DESC, hits.id DESC`
  const rows = await runPrepared(ctx, statement)
  if ((rows[0]?.count ?? 0) > CANDIDATES_MAX) return undefined
  return rows.filter((row): row is FoundPage & { count: number } => row.id !== null)
}

/** The pages of one document. OFFSET keeps the words out, for which the planner would search all documents once for each. */
const pagesOfFile = sql`(SELECT * FROM document_pages WHERE file_id = account_files.id OFFSET 0)`

const firstPage = (files: RawBuilder<unknown>, phrases: readonly SearchedPhrase[]) => sql`${files} account_files CROSS JOIN LATERAL (
  SELECT p.part FROM ${pagesOfFile} p WHERE p.words @@ ${textQuery(tsQuery(phrases))} ORDER BY p.part LIMIT 1) first`

const liveFiles = (ctx: Context, accountId: string | undefined) =>
  sql`${accountId === undefined ? TRUE : sql<SqlBool>`account_files.account_id = ${accountId}`} AND ${isLive(ctx.viewer)}`

/** For words that are on many pages, so that few of the newest documents are read until enough are found. The ids of documents are in the order of upload. */
async function newestFirst(ctx: Context, phrases: readonly SearchedPhrase[], limit: number, accountId: string | undefined) {
  const hits = sql`SELECT ${SHOWN}, first.part FROM ${firstPage(sql`account_files`, phrases)}
    WHERE ${liveFiles(ctx, accountId)} ORDER BY account_files.id DESC LIMIT ${limit}`
  return runPrepared(ctx, sql<FoundPage>`SELECT * FROM ${withPages(hits)} hits ORDER BY hits.id DESC`)
}

/** Few pages have a policy number or an address. */
const hasNumber = ({ forms }: SearchedPhrase) => forms.every((words) => words.some((word) => /^\d+$/.test(word)))

/**
 * One word or phrase, if the newest documents have enough of it. The index reads all pages with a word before the first is known, and has no
 * order of words, so that each page with all words of a phrase is compared. Undefined if it is not that frequent, or is not alone: then the
 * order depends on the number of pages.
 */
async function inNewest(ctx: Context, phrases: readonly SearchedPhrase[], limit: number, accountId: string | undefined) {
  const [phrase, ...others] = phrases
  if (phrase === undefined || others.length > 0 || hasNumber(phrase) || !(await mayBeFrequent(ctx, phrase))) return undefined
  const { files, pages } = phrase.forms.some((words) => words.length > 1) ? NEWEST_FOR_PHRASE : NEWEST_FOR_WORD
  const newest = sql`(SELECT * FROM (
    SELECT newest.*, sum((SELECT count(*) FROM document_pages p WHERE p.file_id = newest.id)) OVER (ORDER BY newest.id DESC) AS pages
      FROM (SELECT account_files.* FROM account_files WHERE ${liveFiles(ctx, accountId)}
        ORDER BY account_files.id DESC LIMIT ${sql.lit(files)}) newest) newest
    WHERE newest.pages <= ${sql.lit(pages)} ORDER BY newest.id DESC)`
  const hits = sql`SELECT ${SHOWN}, first.part FROM ${firstPage(newest, phrases)} ORDER BY account_files.id DESC LIMIT ${limit}`
  const found = await runPrepared(ctx, sql<FoundPage>`SELECT * FROM ${withPages(hits)} hits ORDER BY hits.id DESC`)
  return found.length < limit ? undefined : found
}

/** A subquery of the ids of documents with the words in their text, for the list. */
export function filesWithText(viewer: Viewer, search: string, accountId: string | undefined): RawBuilder<unknown> | undefined {
  const phrases = searchedPhrases(search)
  if (phrases.length === 0 || !readsFiles(viewer)) return undefined
  return sql`(SELECT w.file_id FROM ${pagesWith(viewer, phrases, accountId)} w)`
}

/** Where the texts of these documents have the words, by id. The first page with them. */
export async function matchesOfFiles(ctx: Context, ids: readonly string[], search: string): Promise<Map<string, TextMatch>> {
  const phrases = searchedPhrases(search)
  if (phrases.length === 0 || ids.length === 0) return new Map()
  const pages = await runPrepared(
    ctx,
    sql<StoredPage & { id: string }>`SELECT account_files.id, first.page, first.place, first.body FROM account_files CROSS JOIN LATERAL (
        SELECT p.page, p.place, p.body FROM ${pagesOfFile} p WHERE p.words @@ ${textQuery(tsQuery(phrases))} ORDER BY p.part LIMIT 1) first
      WHERE account_files.id = ANY(${uuids(ids.slice(0, MATCHES_SHOWN_MAX))}) AND ${visibleTexts(ctx.viewer)}`,
  )
  return new Map(pages.map(({ id, ...page }) => [id, matchOf(page, phrases)]))
}

/** A condition on `account_files`. */
export const hasTextState = (states: readonly TextState[]) =>
  sql<SqlBool>`EXISTS (SELECT 1 FROM document_texts t WHERE t.file_id = account_files.id AND t.state = ANY(${[...states]}::text[]))`

/** How many documents that the viewer sees are not found by their text, not yet or never. */
export async function countUnread(
  ctx: Context,
  { filter__account_id: accountId, filter__sov: sov }: { filter__account_id?: string | undefined; filter__sov?: boolean | undefined },
): Promise<UnreadTexts> {
  const inAccount = accountId === undefined ? TRUE : sql<SqlBool>`account_files.account_id = ${accountId}`
  const ofKind = sov === undefined ? TRUE : sql<SqlBool>`account_files.sov = ${sov}`
  const isWaiting = sql`t.state = ANY(${[...TEXT_GROUPS.waiting.states]}::text[])`
  const [counts] = await runPrepared(
    ctx,
    sql<UnreadTexts>`SELECT (count(*) FILTER (WHERE ${isWaiting}))::int AS waiting, (count(*) FILTER (WHERE NOT ${isWaiting}))::int AS unreadable
      FROM document_texts t JOIN account_files ON account_files.id = t.file_id
      WHERE t.state <> 'done' AND account_files.deleted_at IS NULL AND ${inAccount} AND ${ofKind} AND ${visibleFiles(ctx.viewer)}`,
  )
  return counts ?? { waiting: 0, unreadable: 0 }
}

/** The text of a document from its beginning, in whole parts. */
export async function plainText(ctx: Context, fileId: string): Promise<PlainText> {
  const text = ctx.db.selectFrom('document_texts').select(['state', 'is_cut']).where('file_id', '=', fileId)
  const { state, is_cut: isCut } = await text.executeTakeFirstOrThrow()
  const { rows } = await sql<Pick<StoredPage, 'place' | 'body'> & { all: number }>`SELECT place, body, "all" FROM (
      SELECT part, place, body, (count(*) OVER ())::int AS "all", sum(length(body)) OVER (ORDER BY part) - length(body) AS before
        FROM document_pages WHERE file_id = ${fileId}) pages
    WHERE before < ${TEXT_SHOWN_MAX_CHARACTERS} ORDER BY part`.execute(ctx.db)
  const parts = rows.map(({ place, body }) => ({ place, body }))
  return { state: state as TextState, parts, is_cut: isCut || rows.length < (rows[0]?.all ?? 0) } // the column allows no other states
}
