import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useSearchParams } from '#web/search-params.ts'
import { PAGE_SIZE, PAGE_SIZE_MAX } from '#contract/limits.ts'
import type { SavedView } from '#contract/saved-views.ts'

/** What the user set on a list. All of it is in the address bar. */
export interface ListState {
  page: number
  /** Null unless set in the address: the saved setting or the default applies. */
  perPage: number | null
  search: string
  sort: string | null
  order: 'asc' | 'desc'
  /** By name without `filter__`. */
  filters: Readonly<Record<string, string>>
}

type Params = Readonly<Record<string, string | undefined>>

const FILTER = 'filter__'
const LIST_PARAMS = ['page', 'paginate', 'search', 'sort', 'order']
const isListParam = (name: string) => name.startsWith(FILTER) || LIST_PARAMS.includes(name)

/** Whether the address has a saved view and nothing else about the list, so that the view is to be opened as it is stored. */
export const isUnopenedView = (params: Params): boolean => params['view'] !== undefined && !Object.keys(params).some(isListParam)

/** Params of pages, which are not values of a form that is opened over them. */
const PAGE_PARAMS = [...LIST_PARAMS, 'view', 'columns', 'settings', 'tab', 'r']

/** Whether a search param belongs to the page underneath a panel. */
export const isPageParam = (name: string): boolean => name.startsWith(FILTER) || PAGE_PARAMS.includes(name)

function wholeNumberUpTo(max: number, text: string | undefined): number | null {
  const number = Number(text)
  return Number.isInteger(number) && number >= 1 && number <= max ? number : null
}

export function readListState(params: Params): ListState {
  const filters = Object.entries(params).flatMap(([name, value]) =>
    name.startsWith(FILTER) && value ? [[name.slice(FILTER.length), value]] : [],
  )
  return {
    page: wholeNumberUpTo(1_000_000, params['page']) ?? 1,
    perPage: wholeNumberUpTo(PAGE_SIZE_MAX, params['paginate']),
    search: params['search'] ?? '',
    sort: params['sort'] ?? null,
    order: params['order'] === 'asc' ? 'asc' : 'desc',
    filters: Object.fromEntries(filters),
  }
}

/** The search params after a change. Every change except a page change returns to page 1; the router drops undefined params. */
export function writeListState(params: Params, patch: Partial<ListState>): Record<string, unknown> {
  const next = { ...readListState(params), page: 1, ...patch }
  const others = Object.entries(params).filter(([name]) => !isListParam(name))
  const filters = Object.entries(next.filters).map(([name, value]) => [FILTER + name, value || undefined])
  const written = {
    ...Object.fromEntries(filters),
    search: next.search || undefined,
    sort: next.sort ?? undefined,
    order: next.sort === null ? undefined : next.order,
    paginate: next.perPage ?? undefined,
    page: next.page === 1 ? undefined : next.page,
  }
  // Without any of these, the filters of the view in the address would be added again.
  const isEmpty = Object.values(written).every((value) => value === undefined)
  return { ...Object.fromEntries(others), ...written, ...(isEmpty && params['view'] !== undefined ? { page: 1 } : {}) }
}

/** The search params that show a saved view, or the list without one. */
export function viewParams(params: Params, view: Pick<SavedView, 'id' | 'state'> | null): Record<string, unknown> {
  const cleared = Object.fromEntries(Object.keys(readListState(params).filters).map((name) => [name, '']))
  const { search, sort, order, filters } = view?.state ?? { search: '', sort: null, order: 'desc' as const, filters: {} }
  return writeListState({ ...params, view: view?.id }, { search, sort, order, filters: { ...cleared, ...filters } })
}

/** The state of the list in the address bar, and the function that changes it. */
export function useListAddress({ searchIsOfForm = false } = {}): {
  state: ListState
  change: (patch: Partial<ListState>, options?: { replace?: boolean }) => void
} {
  const params = useSearchParams()
  const navigate = useNavigate()
  const state = useMemo(() => readListState(searchIsOfForm ? { ...params, search: undefined } : params), [params, searchIsOfForm])
  const change = (patch: Partial<ListState>, { replace = patch.search !== undefined } = {}) => {
    const search = (current: Params) => writeListState(current, patch)
    // Each pause in typing would otherwise add a step to the browser's history.
    void navigate({ to: '.', search, replace, resetScroll: false })
  }
  return { state, change }
}

export interface QueryDefaults {
  /** Filters that the page sets and the user can't clear. Like those of `presets`, they are in no menu and no chip of the list. */
  fixed?: ListState['filters'] | undefined
  /** Filters that apply until the address sets them. */
  presets?: ListState['filters'] | undefined
  /** The order until the user sorts; without it, the server's default. */
  defaultSort?: Readonly<{ sort: string; order: 'asc' | 'desc' }> | undefined
  savedPerPage?: number | undefined
}

/** The query of the index call for a state. */
export function indexQuery(state: ListState, { fixed, presets, savedPerPage, defaultSort }: QueryDefaults = {}): Record<string, string> {
  return {
    page: String(state.page),
    paginate: String(state.perPage ?? savedPerPage ?? PAGE_SIZE),
    ...(state.search === '' ? {} : { search: state.search }),
    ...(state.sort === null ? defaultSort : { sort: state.sort, order: state.order }),
    ...filterParams({ ...presets, ...state.filters, ...fixed }),
  }
}

/** Only the filters and the search of an index query, for row actions on all matching records. */
export const filtersOf = (query: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name.startsWith(FILTER) || name === 'search'))

/** The order of an index query, for exports. */
export const orderOf = (query: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name === 'sort' || name === 'order'))

/** Filters as query parameters. */
export const filterParams = (filters: ListState['filters']): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).map(([name, value]) => [FILTER + name, value]))

interface ColumnOrder {
  key: string
  /** The direction of the first click. */
  first: ListState['order']
}

const reversed = (order: ListState['order']) => (order === 'asc' ? 'desc' : 'asc')

/** The second click on a column reverses the order, the third restores the default order. If that is by this column, it counts as the first. */
export function nextSort(
  { sort, order }: Pick<ListState, 'sort' | 'order'>,
  { key, first }: ColumnOrder,
  defaultSort?: QueryDefaults['defaultSort'],
): Pick<ListState, 'sort' | 'order'> {
  if (sort === null && defaultSort?.sort === key) return { sort: key, order: reversed(defaultSort.order) }
  if (sort !== key) return { sort: key, order: first }
  const before = defaultSort?.sort === key ? defaultSort.order : first
  return order === before ? { sort: key, order: reversed(before) } : { sort: null, order: 'desc' }
}
