import { sql, type RawBuilder } from 'kysely'
import type { IndexQuery, PageMeta } from '#contract/datatable.ts'
import { PAGE_SIZES } from '#contract/limits.ts'
import { uuids } from '#server/access/scope.ts'
import type { Context } from '../context.ts'
import { accepted, accountOf, columnsFor, conditions } from './conditions.ts'
import type { Datatable } from './define-datatable.ts'
import { newIds } from './new-rows.ts'
import { readIds, type PageStatement } from './page-statement.ts'

/**
 * One page of a list with its exact total, and the version of the list when it was read: the ids of the page first, from indexes alone
 * where possible, then the rows of those ids. The message names sort and filters that were ignored.
 */
export async function listPage<R extends { id: string }>(
  ctx: Context,
  table: Datatable<R>,
  query: IndexQuery,
  listVersion?: RawBuilder<unknown>,
) {
  const { applied, message } = await accepted(ctx, table, query)
  const { rows, total, totals, version, fresh } = await readPage(ctx, table, pageStatement(ctx, table, applied, listVersion))
  const meta = pageMeta(query, total, rows.length, offsetOf(query))
  const isNew = new Set(fresh)
  return {
    rows: rows.map((row) => ({ ...row, is_new: isNew.has(row.id) })),
    message,
    meta: totals === null ? meta : { ...meta, totals: totals.sums, valued: totals.valued, currency: totals.currency },
    version,
  }
}

export async function readPage<R extends { id: string }>(ctx: Context, table: Datatable<R>, page: PageStatement) {
  if (typeof table.rows !== 'function') return (await table.rows.readPage(ctx, page)) ?? { ...(await readIds(ctx, page)), rows: [] }
  const { ids, ...facts } = await readIds(ctx, page)
  const byId = new Map((await table.rows(ctx, ids, page.search)).map((row) => [row.id, row]))
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), ...facts }
}

const offsetOf = ({ page, paginate }: IndexQuery) => (page - 1) * paginate

export function pageMeta(query: { page: number; paginate: number }, total: number, shown: number, offset: number): PageMeta {
  return {
    current_page: query.page,
    from: shown === 0 ? null : offset + 1,
    to: shown === 0 ? null : offset + shown,
    per_page: query.paginate,
    last_page: Math.max(1, Math.ceil(total / query.paginate)),
    total,
  }
}

export function ordering(
  ctx: Context,
  table: Datatable,
  query: { sort?: string | undefined; order?: 'asc' | 'desc' | undefined },
): { by: RawBuilder<unknown>; join: RawBuilder<unknown> } {
  const requested = columnsFor(ctx, table).get(query.sort ?? '')?.sort
  const id = sql.ref(`${table.table}.id`)
  const sort = requested ?? table.defaultSort.sort
  const isDescendingByDefault = requested === undefined && table.defaultSort.order === 'desc'
  const direction = (query.order === undefined ? isDescendingByDefault : query.order === 'desc') ? sql` DESC` : sql``
  const nulls = sort.nullsLast === true ? sql` NULLS LAST` : sql``
  const by = typeof sort.by === 'function' ? sort.by(ctx) : sort.by
  const keys = [...(sort.first === undefined ? [] : [sort.first]), by, ...(sort.after ?? [])].map((key) => sql`${key}${direction}${nulls}`)
  return { by: sql`${sql.join(keys)}, ${id}${direction}`, join: sort.join ?? sql`` }
}

/** A search runs once for page and total. The best plan depends on the offset, so only the first page is a prepared statement. */
function pageStatement(ctx: Context, table: Datatable, query: IndexQuery, version: RawBuilder<unknown> = sql`''`): PageStatement {
  const offset = offsetOf(query)
  const { where, narrowed, searching, search } = conditions(ctx, table, query)
  const { by, join } = ordering(ctx, table, query)
  const [id, from] = [sql.ref(`${table.table}.id`), sql.table(table.table)]
  const size = commonSizes.includes(query.paginate) ? sql.lit(query.paginate) : sql`${query.paginate}`
  const within = searching ? sql`${id} IN (SELECT id FROM found)` : where
  const stored = narrowed ? undefined : table.total?.(ctx)
  const summed = accountOf(table, query) === undefined ? undefined : table.summed
  return {
    common: searching ? sql`found AS MATERIALIZED (SELECT ${id} AS id FROM ${from} WHERE ${where}),` : sql``,
    // Without OFFSET on the first page, and with common sizes as literals, the plan of the prepared statement fits its use.
    ids: sql`SELECT ${id} FROM ${from} ${join} WHERE ${within} ORDER BY ${by} LIMIT ${size}${offset === 0 ? sql`` : sql` OFFSET ${offset}`}`,
    total: searching ? sql`(SELECT count(*) FROM found)` : (stored ?? sql`(SELECT count(*) FROM ${from} WHERE ${where})`),
    totals: summed === undefined ? sql`NULL::jsonb` : sql`(SELECT ${sumsOf(table, summed)} FROM ${from} WHERE ${within})`,
    version,
    fresh: (page) => newIds(ctx, table, page),
    prepared: offset === 0,
    search,
  }
}

/** Rows without an amount have no say in the currency. */
const sumsOf = ({ table }: Datatable, { columns, also = [], hasValue = {}, currency }: NonNullable<Datatable['summed']>) => {
  const ref = (name: string) => sql.ref(`${table}.${name}`)
  const summed = [...columns, ...also]
  const sums = summed.map((name) => sql`${sql.lit(name)}, coalesce(sum(${ref(name)}), 0)`)
  const valued = summed.map((name) => sql`${sql.lit(name)}, count(*) FILTER (WHERE ${hasValue[name] ?? sql`${ref(name)} IS NOT NULL`})`)
  const extreme = (name: 'min' | 'max') =>
    sql`${sql.raw(name)}(${ref(currency)}) FILTER (WHERE greatest(${sql.join(columns.map(ref))}) > 0)`
  return sql`jsonb_build_object('sums', jsonb_build_object(${sql.join(sums)}), 'valued', jsonb_build_object(${sql.join(valued)}),
    'currency', CASE WHEN ${extreme('min')} <> ${extreme('max')} THEN NULL ELSE coalesce(${extreme('min')}, min(${ref(currency)}), 'USD') END)`
}

const commonSizes: readonly number[] = PAGE_SIZES

/** The ids of a page of a list, in the order of the query. */
export const listOrder = async (ctx: Context, table: Datatable, query: IndexQuery): Promise<string[]> =>
  (await readIds(ctx, pageStatement(ctx, table, query))).ids

/** All ids of a list with these filters, at most `limit`; used for actions on all records. */
export async function listIds(ctx: Context, table: Datatable, filters: Record<string, string>, limit: number): Promise<string[]> {
  const [id, { where }] = [sql.ref(`${table.table}.id`), conditions(ctx, table, filters)]
  const { rows } = await sql<{ id: string }>`SELECT ${id} AS id FROM ${sql.table(table.table)}
    WHERE ${where} ORDER BY ${id} LIMIT ${limit}`.execute(ctx.db)
  return rows.map((row) => row.id)
}

/** Those of the ids that the viewer sees and that match the filters; trashed ones only with the permission. One query for all of them. */
export async function visibleIds(
  ctx: Context,
  table: Datatable,
  ids: readonly string[],
  filters: Record<string, string> = {},
): Promise<string[]> {
  const [id, { where }] = [sql.ref(`${table.table}.id`), conditions(ctx, table, { ...filters, filter__trashed: 'with' })]
  const { rows } = await sql<{ id: string }>`SELECT ${id} AS id FROM ${sql.table(table.table)}
    WHERE ${id} = ANY(${uuids(ids)}) AND ${where}`.execute(ctx.db)
  return rows.map((row) => row.id)
}
