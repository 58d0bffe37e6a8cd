import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { z } from 'zod'
import type { Found, SearchInAccountQuery } from '#contract/search.ts'
import type { Viewer } from '#server/access/viewer.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Context } from '../context.ts'
import type { Datatable } from '../datatable/define-datatable.ts'
import { likePattern, matchingIds } from '../search/matching.ts'

/** How global search and search fields find and show the records of a model. The expressions can use the joined tables. */
export interface SearchedBy {
  joins?: RawBuilder<unknown>
  name: RawBuilder<unknown>
  /** Depends on the viewer if it has a part that some viewers do not see. */
  detail?: RawBuilder<unknown> | ((viewer: Viewer) => RawBuilder<unknown>)
  /** The id of the account that a record belongs to. */
  account?: RawBuilder<unknown>
  /** By name unless given. */
  order?: RawBuilder<unknown>
  /**
   * Where search finds other records than the list shows. They are found by name: the search index only has records of the viewer's
   * company and of granted accounts.
   */
  visible?: (viewer: Viewer) => Expression<SqlBool>
}

/** Throws `not_found` if nothing is found, which does not reveal whether hidden records match. */
export async function searchRecords(
  { db, viewer }: Context,
  list: Pick<Datatable, 'model' | 'table' | 'visible'>,
  { joins = sql``, name, detail = sql`''`, account, order = name, visible }: SearchedBy,
  { search, paginate, filter__account_id: accountId }: SearchInAccountQuery,
): Promise<z.input<typeof Found>[]> {
  const id = sql.ref(`${list.table}.id`)
  const matches =
    visible === undefined ? sql`${id} IN ${matchingIds(viewer, list.model, search, accountId)}` : sql`${name} ILIKE ${likePattern(search)}`
  const { rows } = await sql<z.input<typeof Found>>`
    SELECT ${id}, ${name} AS name, ${typeof detail === 'function' ? detail(viewer) : detail} AS detail, ${account ?? sql`NULL::text`} AS account_id
    FROM ${sql.table(list.table)} ${joins}
    WHERE ${matches} AND ${sql.ref(`${list.table}.deleted_at`)} IS NULL AND ${(visible ?? list.visible)(viewer)}
    ORDER BY ${order}, ${id} LIMIT ${paginate}`.execute(db)
  if (rows.length === 0) throw new AppError('not_found', 'No results found.')
  return rows
}
