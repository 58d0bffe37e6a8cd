import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { runPrepared } from '#server/db/prepared.ts'

/** A page of a list as SQL parts, so that it is found, counted and read in one round trip. */
export interface PageStatement {
  /** Common table expressions used by `ids` and `total`, each followed by a comma. */
  common: RawBuilder<unknown>
  /** A query of the page's ids in order. */
  ids: RawBuilder<unknown>
  /** The exact total of the list, as an expression. */
  total: RawBuilder<unknown>
  /** The sums of columns over the whole list and their currency as a JSON object, as an expression; null without any. */
  totals: RawBuilder<unknown>
  /** The version of the list at this moment (`listRequest`), as an expression of type text. */
  version: RawBuilder<unknown>
  /** Of the ids of the page, given as an array, those that are new to the viewer, as an array. */
  fresh: (ids: RawBuilder<unknown>) => RawBuilder<unknown>
  /** Whether one plan is good for all values, so that the statement is prepared. */
  prepared: boolean
  /** The text that is searched, if any. */
  search: string
}

/** What is read together with a page. */
export interface PageFacts {
  total: number
  totals: { sums: Record<string, number>; valued: Record<string, number>; currency: string | null } | null
  version: string
  /** The ids of the rows that are new to the viewer. */
  fresh: string[]
}

export interface RowReader<R> {
  /** Rows in the order of the page; undefined when the page is empty. */
  readPage(ctx: Context, page: PageStatement): Promise<(PageFacts & { rows: R[] }) | undefined>
}

/** The columns with the page as a whole. Only the first row has them, because the ids are as many as the rows. */
interface Placed {
  page_ids: string[] | null
  page_total: number | null
  page_totals: PageFacts['totals']
  page_version: string | null
  page_fresh: string[] | null
}

const IDS = sql`(SELECT ids FROM page)::uuid[]`
const inFirstRow = (value: RawBuilder<unknown>) => sql`CASE WHEN row_number() OVER () = 1 THEN ${value} END`

/** Reads the rows in the same statement: `select` gets the ids of the page as an SQL array, `present` maps each row to what the list shows. */
export function readRows<T extends { id: string }, R>(
  select: (ctx: Context, ids: RawBuilder<unknown>) => RawBuilder<T>,
  present: (ctx: Context, row: T) => R,
): RowReader<R> {
  return {
    readPage: async (ctx, { common, ids, total, totals, version, fresh, prepared }) => {
      const rows = await runPrepared(
        ctx,
        sql<T & Placed>`WITH ${common} page AS MATERIALIZED (SELECT ARRAY(${ids}) AS ids)
          SELECT r.*, ${inFirstRow(IDS)} AS page_ids, ${inFirstRow(total)} AS page_total, ${inFirstRow(totals)} AS page_totals,
            ${inFirstRow(version)} AS page_version, ${inFirstRow(fresh(IDS))} AS page_fresh
          FROM (${select(ctx, IDS)}) r`,
        prepared,
      )
      const first = rows.find(({ page_ids }) => page_ids !== null)
      if (first === undefined) return undefined
      const byId = new Map(rows.map((row) => [row.id, row]))
      return {
        rows: (first.page_ids ?? []).flatMap((id) => {
          const row = byId.get(id)
          return row === undefined ? [] : [present(ctx, row)]
        }),
        total: first.page_total ?? 0,
        totals: first.page_totals,
        version: first.page_version ?? '',
        fresh: first.page_fresh ?? [],
      }
    },
  }
}

/** The ids of the page in order. */
export async function readIds(ctx: Context, page: PageStatement): Promise<PageFacts & { ids: string[] }> {
  const { common, ids, total, totals, version, fresh, prepared } = page
  const statement = sql<PageFacts & { ids: string[] }>`WITH ${common} page AS MATERIALIZED (SELECT ARRAY(${ids}) AS ids)
    SELECT ids, ${total} AS total, ${totals} AS totals, ${version} AS version, ${fresh(IDS)} AS fresh FROM page`
  const [found] = (await runPrepared(ctx, statement, prepared)) as [PageFacts & { ids: string[] }] // one row: the page
  return found
}
