import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { runStatement } from './statements.ts'

/** A page of a list as SQL, so that it is found, counted and read in one question to the database. */
export interface PageStatement {
  /** What `ids` and `total` are taken from, as common table expressions with a comma behind each. */
  common: RawBuilder<unknown>
  /** A query of the page's ids in order. */
  ids: RawBuilder<unknown>
  /** The exact total of the list, as an expression. */
  total: RawBuilder<unknown>
  /** How the list stands at this moment (`freshnessOf`), as an expression of a text. */
  stamp: RawBuilder<unknown>
  /** Whether one plan serves all values. */
  keepsPlan: boolean
}

export interface RowReader<R> {
  /** Rows in the order of the page; undefined when the page is empty. */
  readPage(ctx: Context, page: PageStatement): Promise<{ rows: R[]; total: number; stamp: string } | undefined>
}

interface Placed {
  page_place: number
  page_total: number
  page_stamp: string
}

/** Rows that one statement reads: `select` is given the page's ids as an SQL array, `present` makes of each what the list shows. */
export function readRows<T extends { id: string }, R>(
  select: (ctx: Context, ids: RawBuilder<unknown>) => RawBuilder<T>,
  present: (ctx: Context, row: T) => R,
): RowReader<R> {
  return {
    readPage: async (ctx, { common, ids, total, stamp, keepsPlan }) => {
      const rows = await runStatement(
        ctx,
        sql<T & Placed>`WITH ${common} page AS MATERIALIZED (SELECT ARRAY(${ids}) AS ids)
          SELECT r.*, array_position((SELECT ids FROM page), r.id) AS page_place, ${total} AS page_total, ${stamp} AS page_stamp
          FROM (${select(ctx, sql`(SELECT ids FROM page)::uuid[]`)}) r ORDER BY page_place`,
        keepsPlan,
      )
      const [first] = rows
      return first && { rows: rows.map((row) => present(ctx, row)), total: first.page_total, stamp: first.page_stamp }
    },
  }
}

/** The ids of the page in order, and what stands beside them. */
export async function readIds(ctx: Context, page: PageStatement): Promise<{ ids: string[]; total: number; stamp: string }> {
  const { common, ids, total, stamp, keepsPlan } = page
  const statement = sql<{ ids: string[]; total: number; stamp: string }>`WITH ${common} page AS MATERIALIZED (SELECT ARRAY(${ids}) AS ids)
    SELECT ids, ${total} AS total, ${stamp} AS stamp FROM page`
  const [found] = await runStatement(ctx, statement, keepsPlan)
  return found ?? { ids: [], total: 0, stamp: '' }
}
