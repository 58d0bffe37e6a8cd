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
  /** The version of the list at this moment (`listRequest`), as an expression of type text. */
  version: RawBuilder<unknown>
  /** Whether one plan is good for all values, so that the statement is prepared. */
  prepared: boolean
}

export interface RowReader<R> {
  /** Rows in the order of the page; undefined when the page is empty. */
  readPage(ctx: Context, page: PageStatement): Promise<{ rows: R[]; total: number; version: string } | undefined>
}

type Placed = { page_place: number; page_total: number; page_version: string }

/** Reads the rows in the same statement: `select` gets the ids of the page as an SQL array, `present` maps each row to what the list shows. */
export function readRows<T extends { id: string }, R>(
  select: (ctx: Context, ids: RawBuilder<unknown>) => RawBuilder<T>,
  present: (ctx: Context, row: T) => R,
): RowReader<R> {
  return {
    readPage: async (ctx, { common, ids, total, version, prepared }) => {
      const rows = await runPrepared(
        ctx,
        sql<T & Placed>`WITH ${common} page AS MATERIALIZED (SELECT ARRAY(${ids}) AS ids)
          SELECT r.*, array_position((SELECT ids FROM page), r.id) AS page_place, ${total} AS page_total, ${version} AS page_version
          FROM (${select(ctx, sql`(SELECT ids FROM page)::uuid[]`)}) r ORDER BY page_place`,
        prepared,
      )
      const [first] = rows
      return first && { rows: rows.map((row) => present(ctx, row)), total: first.page_total, version: first.page_version }
    },
  }
}

/** The ids of the page in order, with total and version. */
export async function readIds(ctx: Context, page: PageStatement): Promise<{ ids: string[]; total: number; version: string }> {
  const { common, ids, total, version, prepared } = page
  const statement = sql<{ ids: string[]; total: number; version: string }>`WITH ${common} page AS MATERIALIZED (SELECT ARRAY(${ids}) AS ids)
    SELECT ids, ${total} AS total, ${version} AS version FROM page`
  const [found] = await runPrepared(ctx, statement, prepared)
  return found ?? { ids: [], total: 0, version: '' }
}
