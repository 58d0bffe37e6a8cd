import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { z } from 'zod'
import type { Found, SearchInAccountQuery } from '#contract/search.ts'
import type { Viewer } from '#server/access/viewer.ts'
import { runPrepared } from '#server/db/prepared.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Context } from '../context.ts'
import type { Datatable } from '../datatable/define-datatable.ts'
import { bestMatches, hasWords, matchingIds, rankBy } from '../search/matching.ts'
import { searchedWords } from '../search/search-words.ts'

/** How global search and search fields find and show the records of a model. The expressions can use the joined tables. */
export interface SearchedBy {
  joins?: RawBuilder<unknown>
  name: RawBuilder<unknown>
  /** Depends on the viewer if it has a part that some viewers do not see. */
  detail?: RawBuilder<unknown> | ((viewer: Viewer) => RawBuilder<unknown>)
  /** The id of the account that a record belongs to. */
  account?: RawBuilder<unknown>
  /** The texts that a search may name completely, for the order; the name unless given. */
  ranked?: readonly RawBuilder<unknown>[]
  /** Of equally good matches; by name unless given. */
  order?: RawBuilder<unknown>
  /**
   * Where search finds other records than the list shows. They are found by name: the search index only has records of the viewer's
   * company and of granted accounts.
   */
  visible?: (viewer: Viewer) => Expression<SqlBool>
}

/** Matches that are read to find the best among them. */
const CANDIDATES = 100
/** If too many of these are hidden from the viewer, that many times more are read. */
const CANDIDATES_GROWTH = 50

type FoundRecord = z.input<typeof Found> & { ranked: (string | null)[] }

/** The best matches first. Throws `not_found` if nothing is found, which does not reveal whether hidden records match. */
export async function searchRecords(
  ctx: Context,
  list: Pick<Datatable, 'model' | 'table' | 'visible'>,
  by: SearchedBy,
  query: SearchInAccountQuery,
): Promise<z.input<typeof Found>[]> {
  const { search, paginate } = query
  const found =
    search === '' || by.visible !== undefined ? await allMatches(ctx, list, by, query) : await bestCandidates(ctx, list, by, query)
  if (found.length === 0) throw new AppError('not_found', 'No results found.')
  const rank = rankBy(search)
  const ranked = found.map((record) => ({ record, rank: rank(record.ranked) }))
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, paginate)
    .map(({ record: { ranked: _texts, ...shown } }) => shown)
}

function columnsOf({ table }: Pick<Datatable, 'table'>, { name, detail = sql`''`, account, ranked = [name] }: SearchedBy, viewer: Viewer) {
  const shown = typeof detail === 'function' ? detail(viewer) : detail
  return sql`${sql.ref(`${table}.id`)}, ${name} AS name, ${shown} AS detail, ${account ?? sql`NULL::text`} AS account_id, ARRAY[${sql.join(ranked.map((text) => sql`${text}::text`))}] AS ranked`
}

/** Of few records, or without a text: the first page in the order of the model. */
async function allMatches(
  ctx: Context,
  list: Pick<Datatable, 'model' | 'table' | 'visible'>,
  by: SearchedBy,
  { search, paginate, filter__account_id: accountId }: SearchInAccountQuery,
): Promise<FoundRecord[]> {
  const { viewer } = ctx
  const id = sql.ref(`${list.table}.id`)
  const matches =
    by.visible === undefined
      ? sql`${id} IN ${matchingIds(viewer, list.model, search, accountId)}`
      : hasWords(search, sql`search_words(${by.name})`, sql`lower(${by.name})`)
  const statement = sql<FoundRecord>`
    SELECT ${columnsOf(list, by, viewer)} FROM ${sql.table(list.table)} ${by.joins ?? sql``}
    WHERE ${matches} AND ${sql.ref(`${list.table}.deleted_at`)} IS NULL AND ${(by.visible ?? list.visible)(viewer)}
    ORDER BY ${by.order ?? by.name}, ${id} LIMIT ${search === '' ? paginate : CANDIDATES * CANDIDATES_GROWTH}`
  return runPrepared(ctx, statement, search !== '')
}

/** Reads few of many matches; more of them only if the viewer sees less than a page of these. */
async function bestCandidates(
  ctx: Context,
  list: Pick<Datatable, 'model' | 'table' | 'visible'>,
  by: SearchedBy,
  query: SearchInAccountQuery,
  limit = CANDIDATES,
): Promise<FoundRecord[]> {
  const { viewer } = ctx
  const id = sql.ref(`${list.table}.id`)
  const statement = sql<FoundRecord | { id: null }>`
    SELECT ${columnsOf(list, by, viewer)}
    FROM ${bestMatches(viewer, list.model, query.search, query.filter__account_id, limit)} candidates
    LEFT JOIN ${by.joins === undefined ? sql.table(list.table) : sql`(${sql.table(list.table)} ${by.joins})`}
      ON ${id} = candidates.record_id AND ${sql.ref(`${list.table}.deleted_at`)} IS NULL AND ${list.visible(viewer)}
    ORDER BY ${by.order ?? by.name}, ${id}`
  const rows = await runPrepared(ctx, statement)
  const seen = rows.filter((row): row is FoundRecord => row.id !== null)
  if (seen.length >= query.paginate || rows.length < limit) return seen
  return bestCandidates(ctx, list, by, query, limit * CANDIDATES_GROWTH)
}

/** The handler of `searchCall`. */
export const searchHandler = (list: Datatable, by: SearchedBy) => ({
  search: async ({ ctx, query }: { ctx: Context; query: SearchInAccountQuery }) => ({
    data: await searchRecords(ctx, list, by, query),
    extra: { matched: searchedWords(query.search).flatMap(({ part, others }) => [part, ...others]) },
  }),
})
