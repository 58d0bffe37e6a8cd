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

interface Placed {
  page_place: number
  page_total: number
  page_totals: PageFacts['totals']
  page_version: string
  page_fresh: string[]
}

const IDS = sql`(SELECT ids FROM page)::uuid[]`

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
          SELECT r.*, array_position((SELECT ids FROM page), r.id) AS page_place, ${total} AS page_total, ${totals} AS page_totals,
            ${version} AS page_version, ${fresh(IDS)} AS page_fresh
          FROM (${select(ctx, IDS)}) r ORDER BY page_place`,
        prepared,
      )
      const [first] = rows
      if (first === undefined) return undefined
      const { page_total, page_totals, page_version, page_fresh } = first
      return {
        rows: rows.map((row) => present(ctx, row)),
        total: page_total,
        totals: page_totals,
        version: page_version,
        fresh: page_fresh,
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
