import { PAGE_SIZE, PAGE_SIZE_MAX } from '#contract/limits.ts'

/** What a person set on a list; all of it lives in the address. */
export interface ListState {
  page: number
  /** Null until chosen in the address: then the saved setting or the default counts. */
  perPage: number | null
  search: string
  sort: string | null
  order: 'asc' | 'desc'
  /** By name without `filter__`. */
  filters: Readonly<Record<string, string>>
}

export type ListPatch = Partial<ListState>
type SearchParams = Readonly<Record<string, unknown>>

const FILTER = 'filter__'

const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

function wholeWithin(value: unknown, max: number): number | null {
  const number = Number(asText(value))
  return Number.isInteger(number) && number >= 1 && number <= max ? number : null
}

/**
 * Reads the state of a list from the search params of the address.
 * @param prefix stands before every name when the list shares its page with another one
 */
export function readListState(params: SearchParams, prefix = ''): ListState {
  const filters: Record<string, string> = {}
  for (const [name, value] of Object.entries(params)) {
    const text = asText(value)
    if (name.startsWith(prefix + FILTER) && text !== '') filters[name.slice(prefix.length + FILTER.length)] = text
  }
  const sort = asText(params[`${prefix}sort`])
  return {
    page: wholeWithin(params[`${prefix}page`], 1_000_000) ?? 1,
    perPage: wholeWithin(params[`${prefix}paginate`], PAGE_SIZE_MAX),
    search: asText(params[`${prefix}search`]),
    sort: sort === '' ? null : sort,
    order: params[`${prefix}order`] === 'asc' ? 'asc' : 'desc',
    filters,
  }
}

/** The search params after a change; anything but turning the page leads back to page 1, and empty values leave the address. */
export function writeListState(params: SearchParams, patch: ListPatch, prefix = ''): Record<string, unknown> {
  const next: ListState = { ...readListState(params, prefix), ...(patch.page === undefined ? { page: 1 } : {}), ...patch }
  const kept = Object.entries(params).filter(([name]) => !isListParam(name, prefix))
  const filters = Object.entries(next.filters).filter(([, value]) => value !== '')
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(filters.map(([name, value]) => [prefix + FILTER + name, value])),
    ...(next.search === '' ? {} : { [`${prefix}search`]: next.search }),
    ...(next.sort === null ? {} : { [`${prefix}sort`]: next.sort, [`${prefix}order`]: next.order }),
    ...(next.perPage === null ? {} : { [`${prefix}paginate`]: next.perPage }),
    ...(next.page === 1 ? {} : { [`${prefix}page`]: next.page }),
  }
}

const OWN = ['page', 'paginate', 'search', 'sort', 'order']
const isListParam = (name: string, prefix: string) => name.startsWith(prefix + FILTER) || OWN.some((own) => name === prefix + own)

export interface QueryParts {
  /** Filters that the page sets and nobody can clear, by full name (`filter__account_id`). */
  fixed?: Readonly<Record<string, string>>
  /** Filters that hold until the address says otherwise, by name without `filter__`. */
  presets?: Readonly<Record<string, string>>
  savedPerPage?: number | undefined
  /** The order until a person sorts; without it the server's own. */
  usualSort?: { sort: string; order: 'asc' | 'desc' } | undefined
}

/** The query of the index call (decisions Q30 to Q32) for a state. */
export function indexQuery(
  state: ListState,
  { fixed = {}, presets = {}, savedPerPage, usualSort }: QueryParts = {},
): Record<string, string> {
  const filters = { ...presets, ...state.filters }
  return {
    page: String(state.page),
    paginate: String(state.perPage ?? savedPerPage ?? PAGE_SIZE),
    ...(state.search === '' ? {} : { search: state.search }),
    ...(state.sort === null ? usualSort : { sort: state.sort, order: state.order }),
    ...Object.fromEntries(Object.entries(filters).map(([name, value]) => [FILTER + name, value])),
    ...fixed,
  }
}

/** Only the filters of an index query, as row actions on everything take them. */
export const filtersOf = (query: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name.startsWith(FILTER) || name === 'search'))

/** A first click sorts upward, a second downward, a third returns to the usual order. */
export function nextSort(state: ListState, key: string): { sort: string | null; order: 'asc' | 'desc' } {
  if (state.sort !== key) return { sort: key, order: 'asc' }
  return state.order === 'asc' ? { sort: key, order: 'desc' } : { sort: null, order: 'desc' }
}
