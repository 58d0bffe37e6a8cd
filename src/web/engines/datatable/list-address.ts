import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from '#web/search-params.ts'
import { PAGE_SIZE, PAGE_SIZE_MAX } from '#contract/limits.ts'

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

export type ListPatch = Partial<ListState>
type SearchParams = Readonly<Record<string, unknown>>

const FILTER = 'filter__'
const LIST_PARAMS = ['page', 'paginate', 'search', 'sort', 'order']

const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

function wholeNumberUpTo(max: number, value: unknown): number | null {
  const number = Number(asText(value))
  return Number.isInteger(number) && number >= 1 && number <= max ? number : null
}

export function readListState(params: SearchParams): ListState {
  const filters = Object.entries(params)
    .filter(([name, value]) => name.startsWith(FILTER) && asText(value) !== '')
    .map(([name, value]) => [name.slice(FILTER.length), asText(value)])
  return {
    page: wholeNumberUpTo(1_000_000, params['page']) ?? 1,
    perPage: wholeNumberUpTo(PAGE_SIZE_MAX, params['paginate']),
    search: asText(params['search']),
    sort: asText(params['sort']) || null,
    order: params['order'] === 'asc' ? 'asc' : 'desc',
    filters: Object.fromEntries(filters),
  }
}

/** The search params after a change. Every change except a page change returns to page 1; the router drops undefined params. */
export function writeListState(params: SearchParams, patch: ListPatch): Record<string, unknown> {
  const next = { ...readListState(params), page: 1, ...patch }
  const others = Object.entries(params).filter(([name]) => !name.startsWith(FILTER) && !LIST_PARAMS.includes(name))
  const filters = Object.entries(next.filters).map(([name, value]) => [FILTER + name, value || undefined])
  return {
    ...Object.fromEntries(others),
    ...Object.fromEntries(filters),
    search: next.search || undefined,
    sort: next.sort ?? undefined,
    order: next.sort === null ? undefined : next.order,
    paginate: next.perPage ?? undefined,
    page: next.page === 1 ? undefined : next.page,
  }
}

/** The state of the list in the address bar, and the function that changes it. */
export function useListAddress(): { state: ListState; change: (patch: ListPatch) => void } {
  const params = useSearchParams()
  const navigate = useNavigate()
  const state = useMemo(() => readListState(params), [params])
  const change = useCallback(
    (patch: ListPatch) => {
      const search = (current: SearchParams) => writeListState(current, patch)
      // Each pause in typing would otherwise add a step to the browser's history.
      void navigate({ to: '.', search, replace: patch.search !== undefined, resetScroll: false })
    },
    [navigate],
  )
  return { state, change }
}

export interface QueryDefaults {
  /** Filters that the page sets and the user can't clear, by full name (`filter__account_id`). */
  fixed?: Readonly<Record<string, string>> | undefined
  /** Filters that apply until the address sets them, by name without `filter__`. */
  presets?: Readonly<Record<string, string>> | undefined
  /** The order until the user sorts; without it, the server's default. */
  defaultSort?: Readonly<{ sort: string; order: 'asc' | 'desc' }> | undefined
  savedPerPage?: number | undefined
}

/** The query of the index call for a state. */
export function indexQuery(state: ListState, { fixed, presets, savedPerPage, defaultSort }: QueryDefaults = {}): Record<string, string> {
  const filters = Object.entries({ ...presets, ...state.filters })
  return {
    page: String(state.page),
    paginate: String(state.perPage ?? savedPerPage ?? PAGE_SIZE),
    ...(state.search === '' ? {} : { search: state.search }),
    ...(state.sort === null ? defaultSort : { sort: state.sort, order: state.order }),
    ...Object.fromEntries(filters.map(([name, value]) => [FILTER + name, value])),
    ...fixed,
  }
}

/** Only the filters and the search of an index query, for row actions on all matching records. */
export const filtersOf = (query: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name.startsWith(FILTER) || name === 'search'))

/** The first click sorts ascending, the second descending, the third restores the default order. */
export function nextSort(state: ListState, key: string): Pick<ListState, 'sort' | 'order'> {
  if (state.sort !== key) return { sort: key, order: 'asc' }
  return state.order === 'asc' ? { sort: key, order: 'desc' } : { sort: null, order: 'desc' }
}
