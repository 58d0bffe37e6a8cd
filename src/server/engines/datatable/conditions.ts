import { sql, type Expression, type SqlBool } from 'kysely'
import type { IndexQuery } from '#contract/datatable.ts'
import { can } from '#server/access/viewer.ts'
import { forbidden } from '#server/kernel/errors.ts'
import { isUuid } from '#server/kernel/uuid.ts'
import type { Context } from '../context.ts'
import { matchingIds } from '../search/matching.ts'
import type { Datatable } from './define-datatable.ts'

const FILTER = 'filter__'

/** The filters of a query by name, without the prefix; empty values are left out. */
export const filtersOf = (query: Record<string, unknown>): [string, string][] =>
  Object.entries(query).flatMap(([key, value]) =>
    key.startsWith(FILTER) && typeof value === 'string' && value !== '' ? [[key.slice(FILTER.length), value]] : [],
  )

/** The account that the query is limited to, if any. */
export function accountOf(query: Record<string, unknown>): string | undefined {
  const value = query['filter__account_id']
  return typeof value === 'string' && isUuid(value) ? value : undefined
}

const TRASH_VALUES: readonly string[] = ['with', 'only']
const PAGING = ['page', 'paginate', 'search', 'sort', 'order']

/**
 * A sentence about the sort, filters and parameters of a query that the list does not have, '' if it has all of them. They are ignored, so
 * that a saved link still opens after a column is gone. Throws `forbidden` for the trash filter without the permission to see the trash.
 */
export function ignoredIn({ viewer }: Context, table: Datatable, query: Record<string, unknown>): string {
  const ignored = Object.entries(query).flatMap(([key, value]) => {
    if (typeof value !== 'string' || value === '') return []
    if (key === 'sort') return table.entries.get(value)?.sort === undefined ? [`sort=${value}`] : []
    if (key === `${FILTER}trashed` && table.canSeeTrash !== undefined) {
      if (!can(viewer, table.canSeeTrash)) throw forbidden()
      return TRASH_VALUES.includes(value) ? [] : [`${key}=${value}`]
    }
    const isKnown = key.startsWith(FILTER) ? Object.hasOwn(table.filters, key.slice(FILTER.length)) : PAGING.includes(key)
    return isKnown ? [] : [key]
  })
  return ignored.length === 0 ? '' : `Ignored, because this list does not have them: ${ignored.join(', ')}.`
}

/** Decides which rows are in the list: visibility, trash, filters and search. `narrowed` means limited by more than visibility. */
export function conditions(ctx: Context, table: Datatable, query: Pick<IndexQuery, 'search'> & Record<string, unknown>) {
  const filters = filtersOf(query)
  const trashed = filters.find(([name]) => name === 'trashed')?.[1]
  const seesTrash = table.canSeeTrash !== undefined && can(ctx.viewer, table.canSeeTrash)
  const deleted = sql.ref(`${table.table}.deleted_at`)
  const parts: Expression<SqlBool>[] = [table.visible(ctx.viewer)]
  if (table.canSeeTrash !== undefined && !(seesTrash && trashed === 'with'))
    parts.push(seesTrash && trashed === 'only' ? sql<SqlBool>`${deleted} IS NOT NULL` : sql<SqlBool>`${deleted} IS NULL`)
  let narrowed = seesTrash && (trashed === 'with' || trashed === 'only')
  for (const [name, value] of filters) {
    const filter = Object.hasOwn(table.filters, name) ? table.filters[name] : undefined
    const where = filter?.where(value, value.split(',').filter(Boolean), ctx)
    if (where === undefined) continue
    parts.push(where)
    narrowed = true
  }
  const term = can(ctx.viewer, table.canSearch) ? (query.search ?? '').trim() : ''
  const searching = term !== ''
  if (searching) {
    parts.push(sql<SqlBool>`${sql.ref(`${table.table}.id`)} IN ${matchingIds(ctx.viewer, table.model, term, accountOf(query))}`)
    narrowed = true
  }
  return { where: sql<SqlBool>`${sql.join(parts, sql` AND `)}`, narrowed, searching }
}
