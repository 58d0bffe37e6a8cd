import { sql, type Expression, type SqlBool } from 'kysely'
import type { IndexQuery } from '#contract/datatable.ts'
import { can, type Viewer } from '#server/access/viewer.ts'
import { forbidden } from '#server/kernel/errors.ts'
import { isUuid } from '#server/kernel/uuid.ts'
import type { Context } from '../context.ts'
import { likePattern, matchingIds } from '../search/matching.ts'
import type { ColumnDefinition, Datatable, FilterDefinition } from './define-datatable.ts'

const FILTER = 'filter__'

/** Whether the list has a trash and the viewer may see it. */
export const seesTrash = ({ viewer }: Context, { canSeeTrash }: Datatable): boolean => canSeeTrash !== undefined && can(viewer, canSeeTrash)

/** Whether the viewer may use this filter of the list. */
export const canUse = ({ viewer }: Context, { canFilter }: Datatable, { hidden, onScreens }: FilterDefinition): boolean =>
  hidden === true || onScreens === true || canFilter === undefined || can(viewer, canFilter)

/** The value of a filter in a query; undefined if it is empty. */
function filterValue(query: Record<string, unknown>, name: string): string | undefined {
  const value = query[`${FILTER}${name}`]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The account that the query is limited to, if any. A list that is not divided by account ignores the filter. */
export function accountOf({ accountColumn }: Datatable, query: Record<string, unknown>): string | undefined {
  const value = accountColumn === undefined ? undefined : filterValue(query, 'account_id')
  return value !== undefined && isUuid(value) ? value : undefined
}

/** What the values of the trash filter mean. */
const TRASH: Readonly<Record<string, 'live' | 'with' | 'only'>> = {
  live: 'live',
  '0': 'live',
  false: 'live',
  with: 'with',
  only: 'only',
  '1': 'only',
  true: 'only',
}
const trashOf = (value: string) => (Object.hasOwn(TRASH, value) ? TRASH[value] : undefined)
const PAGING = ['page', 'paginate', 'search', 'sort', 'order']

const isSeen = (viewer: Viewer, part: ColumnDefinition | FilterDefinition): boolean => part.isSeen?.(viewer) ?? true

/** The columns that the list has for the viewer. */
export const columnsFor = ({ viewer }: Context, { entries }: Datatable): ReadonlyMap<string, ColumnDefinition> =>
  new Map([...entries].filter(([, column]) => isSeen(viewer, column)))

/** The filters that the list has for the viewer. */
export const filtersFor = ({ viewer }: Context, { filters }: Datatable): ReadonlyMap<string, FilterDefinition> =>
  new Map(Object.entries(filters).filter(([, filter]) => isSeen(viewer, filter)))

const whereOf = (filter: FilterDefinition, value: string, ctx: Context) => filter.where(value, value.split(',').filter(Boolean), ctx)

/**
 * The query without what the list does not have, and a sentence about that, '' if the list has everything. It is ignored, so that a saved
 * link still opens after a column is gone. Throws `forbidden` for a filter that the viewer may not use, because more rows than those of the
 * filter would be the wrong answer.
 */
export async function accepted<Q extends Record<string, unknown>>(ctx: Context, table: Datatable, query: Q) {
  const unknown: string[] = []
  const invalid: string[] = []
  const denied: string[] = []
  const [columns, filters] = [columnsFor(ctx, table), filtersFor(ctx, table)]
  for (const [key, value] of Object.entries(query)) {
    if (typeof value !== 'string' || value === '') continue
    const name = key.startsWith(FILTER) ? key.slice(FILTER.length) : undefined
    if (name === undefined) {
      if (key === 'sort' && columns.get(value)?.sort === undefined) unknown.push(`sort=${value}`)
      // Clients can repeat the model of the list.
      if (!PAGING.includes(key) && !(key === 'model' && value === table.model)) unknown.push(key)
    } else if (name === 'trashed' && table.canSeeTrash !== undefined) {
      if (!seesTrash(ctx, table)) throw forbidden()
      if (trashOf(value) === undefined) invalid.push(key)
    } else {
      const filter = filters.get(name)
      if (filter === undefined) unknown.push(key)
      else if (!canUse(ctx, table, filter)) denied.push(filter.label)
      else if (whereOf(filter, value, ctx) === undefined || (await filter.isUnknown?.(ctx, value.split(',')))) invalid.push(key)
    }
  }
  if (denied.length > 0) throw forbidden(`You do not have permission to filter this list by ${denied.join(', ')}.`)
  const search = typeof query['search'] === 'string' && query['search'].trim() !== '' && !can(ctx.viewer, table.canSearch) ? ['search'] : []
  const ignored = (reason: string, names: string[]) => (names.length === 0 ? [] : [`Ignored, because ${reason}: ${names.join(', ')}.`])
  const message = [
    ...ignored('this list does not have them', unknown),
    ...ignored('you do not have permission to search this list', search),
    ...ignored(
      'the value has no meaning',
      invalid.map((key) => `${key}=${String(query[key])}`),
    ),
  ].join(' ')
  return { applied: { ...query, ...Object.fromEntries(invalid.map((key) => [key, ''])) }, message }
}

/** Decides which rows are in the list: visibility, trash, filters and search. `narrowed` means limited by more than visibility. */
export function conditions(ctx: Context, table: Datatable, query: Pick<IndexQuery, 'search'> & Record<string, unknown>) {
  const trashed = filterValue(query, 'trashed')
  const shown = trashed !== undefined && seesTrash(ctx, table) ? trashOf(trashed) : undefined
  const deleted = sql.ref(`${table.table}.deleted_at`)
  const parts: Expression<SqlBool>[] = [table.visible(ctx.viewer)]
  if (table.canSeeTrash !== undefined && shown !== 'with')
    parts.push(shown === 'only' ? sql<SqlBool>`${deleted} IS NOT NULL` : sql<SqlBool>`${deleted} IS NULL`)
  let narrowed = shown === 'with' || shown === 'only'
  for (const [name, filter] of filtersFor(ctx, table)) {
    const value = filterValue(query, name)
    const where = value === undefined || !canUse(ctx, table, filter) ? undefined : whereOf(filter, value, ctx)
    if (where === undefined) continue
    parts.push(where)
    narrowed = true
  }
  const term = can(ctx.viewer, table.canSearch) ? (query.search ?? '').trim() : ''
  const searching = term !== ''
  if (searching) {
    parts.push(table.matches?.(likePattern(term)) ?? matchesIndex(ctx, table, term, accountOf(table, query)))
    narrowed = true
  }
  return { where: sql<SqlBool>`${sql.join(parts, sql` AND `)}`, search: term, narrowed, searching }
}

function matchesIndex({ viewer }: Context, table: Datatable, term: string, accountId: string | undefined) {
  const entries = matchingIds(viewer, table.model, term, accountId)
  const others = table.alsoMatches?.(viewer, term, accountId)
  return sql<SqlBool>`${sql.ref(`${table.table}.id`)} IN ${others === undefined ? entries : sql`(${entries} UNION ALL ${others})`}`
}
