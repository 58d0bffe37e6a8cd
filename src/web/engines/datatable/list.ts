import { useQuery, useQueryClient, type Query } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useMemo } from 'react'
import type { Column, PageMeta } from '#contract/datatable.ts'
import { CHANNELS } from '#contract/events.ts'
import { initCalls, type TableSetting } from '#contract/init.ts'
import { PAGE_SIZE, SECOND_MS } from '#contract/limits.ts'
import { declarationOf } from '#contract/models.ts'
import { api } from '#web/data/client.ts'
import { queries, type ListedModel, type Rows } from '#web/data/queries.ts'
import { useChannel } from '#web/data/realtime.ts'
import { initQuery, useCan, useSession } from '#web/data/session.ts'
import { useSearchParams, type SearchParams } from '#web/search-params.ts'
import { showError } from '../show-error.ts'
import { firstColumn, orderedColumns, visibleColumns } from './columns.ts'
import { indexQuery, useListAddress, type QueryDefaults } from './list-address.ts'
import { listRights } from './list-queries.ts'
import { useSteadyRows } from './steady-rows.ts'
import { useLayout, useView } from './saved-views.ts'
import { WINDOW_ROWS, listKey, useWindowedRows } from './windowed-rows.ts'

const NONE: readonly never[] = []

/** The label and text of a filter that the model's own filters don't include; undefined shows the plain value. */
export type FilterLabel = (name: string, value: string) => { label: string; text: string } | undefined

export interface ListOptions<M extends ListedModel> extends Omit<QueryDefaults, 'savedPerPage'> {
  model: M
  filterLabel?: FilterLabel
  /** Columns that don't apply to this list. */
  hiddenColumns?: readonly string[]
  /** All rows are in one scroll area, and loaded in pages as they come into view. */
  windowed?: boolean
  /** The form that is opened over the list has the parameter `search` of the address. */
  searchIsOfForm?: boolean
}

/** Rows prefetched during the navigation to this page don't need a second request. */
const PREFETCHED_MS = 2 * SECOND_MS
const unlessPrefetched = ({ state }: Pick<Query, 'state'>) =>
  Date.now() - state.dataUpdatedAt < PREFETCHED_MS && !state.isInvalidated ? false : 'always'

/** Changes when the list shows something else. */
const keyOf = (query: Readonly<Record<string, string>>, windowed: boolean) => (windowed ? listKey(query) : JSON.stringify(query))

/** The four queries of a list. Cached rows show first while a fresh page loads; realtime events mark them stale. */
function useListData<M extends ListedModel>(
  model: M,
  query: Readonly<Record<string, string>>,
  { rights, windowed, opening }: { rights: ReturnType<typeof listRights>; windowed: boolean; opening: boolean },
) {
  useChannel(CHANNELS.datatable(model))
  const index = useQuery({ ...queries.index(model, query), refetchOnMount: unlessPrefetched, enabled: !opening })
  const columns = useQuery(queries.columns(model))
  const filters = useQuery({ ...queries.filters(model), enabled: rights.filters })
  const actions = useQuery({ ...queries.actions(model), enabled: rights.actions })
  const error = index.error ?? (columns.data === undefined ? columns.error : null)
  useEffect(() => {
    if (error !== null) showError(error)
  }, [error])
  const loaded = index.data !== undefined && columns.data !== undefined
  const windowedRows = useWindowedRows(model, query, loaded ? index.data : undefined, windowed)
  const { slots, ...changes } = useSteadyRows<Rows[M]>(model, keyOf(query, windowed), windowedRows.slots)
  const rows = useMemo(() => slots.filter((row): row is Rows[M] => row !== undefined), [slots])
  return {
    /** The loaded rows. */
    rows,
    /** All rows of the page or, if windowed, of the list, by position; undefined where a row is not loaded yet. */
    slots,
    ...changes,
    showRows: windowedRows.showRows,
    meta: index.data?.meta,
    /** Names what the server ignored, such as a filter that this list no longer has. */
    message: index.data?.message ?? '',
    allColumns: columns.data ?? NONE,
    allFilters: filters.data ?? NONE,
    actions: actions.data ?? NONE,
    loading: opening || (!loaded && error === null),
    /** The error that leaves no rows to show. */
    failure: loaded ? null : error,
    /** The previous page or order still shows while the next one loads. */
    stale: index.isPlaceholderData,
    retry: () => {
      void index.refetch()
      if (columns.isError) void columns.refetch()
    },
  }
}

/** Rows per page, height of the rows and layout of the columns of a list, saved for the user. */
function useListSetting(model: ListedModel) {
  const client = useQueryClient()
  const setting = useSession().settings.datatable[model] ?? {}
  const save = (patch: TableSetting) => {
    const value = { ...setting, ...patch }
    client.setQueryData(
      initQuery.queryKey,
      (init) => init && { ...init, settings: { ...init.settings, datatable: { ...init.settings.datatable, [model]: value } } },
    )
    api(initCalls.saveSetting, { params: { key: `datatable_${model}` }, body: { value } }).catch(showError)
  }
  return { setting, save }
}

/** The panel of the list in the address, such as its column settings. */
function useListPanel() {
  const { panel } = useSearchParams()
  const navigate = useNavigate()
  const show = (next: string | undefined) =>
    void navigate({ to: '.', search: (params: Partial<SearchParams>) => ({ ...params, panel: next }), resetScroll: false })
  return { panel, openPanel: (name: string) => show(name), closePanel: () => show(undefined) }
}

/** Opens the last page instead of one beyond the end, which a link or a deletion can lead to. Returns whether it is about to. */
function useLastPage(meta: PageMeta | undefined, change: ReturnType<typeof useListAddress>['change']): boolean {
  const beyondEnd = meta !== undefined && meta.from === null && meta.total > 0 && meta.current_page > meta.last_page
  const openPage = useEffectEvent((page: number) => change({ page }, { replace: true }))
  // For each answer, because the list can become shorter again before the last page is read.
  useEffect(() => {
    if (meta && beyondEnd) openPage(meta.last_page)
  }, [meta, beyondEnd])
  return beyondEnd
}

/** The columns of a list in the layout of the user or the view. */
function useColumns(all: readonly Column[], hidden: readonly string[], laidOut: ReturnType<typeof useLayout>) {
  const { columns: choices, columnOrder } = laidOut.layout
  const offeredColumns = useMemo(
    () => orderedColumns(all, columnOrder).filter(({ src }) => !hidden.includes(src)),
    [all, columnOrder, hidden],
  )
  const columns = useMemo(() => visibleColumns(offeredColumns, choices), [offeredColumns, choices])
  return { ...laidOut, columns, offeredColumns, firstColumn: firstColumn(all) }
}

/** A list without its selection and dialogs: state in the address bar, saved settings, rows, columns and filters. */
export function useList<M extends ListedModel>({
  model,
  hiddenColumns = NONE,
  filterLabel,
  windowed = false,
  searchIsOfForm = false,
  ...defaults
}: ListOptions<M>) {
  const { fixed, presets, defaultSort = declarationOf(model).order } = defaults
  const rights = listRights(model, useCan())
  const { state, change } = useListAddress({ searchIsOfForm })
  const { setting, save } = useListSetting(model)
  const query = useMemo(() => {
    const shown = windowed ? { ...state, page: 1, perPage: WINDOW_ROWS } : state
    return indexQuery(shown, { fixed, presets, savedPerPage: setting.perPage, defaultSort })
  }, [state, fixed, presets, setting.perPage, defaultSort, windowed])
  const { view, opening, missing } = useView(model)
  const { allColumns, allFilters, ...data } = useListData(model, query, { rights, windowed, opening })
  const beyondEnd = useLastPage(data.meta, change)
  const columns = useColumns(allColumns, hiddenColumns, useLayout(setting, save, view))
  const isOffered = (name: string) => !Object.hasOwn({ ...fixed, ...presets }, name)
  const usedFilters = Object.entries(state.filters).filter(([name]) => isOffered(name))
  return {
    ...data,
    loading: data.loading || beyondEnd,
    model,
    query,
    /** Changes when the list shows something else, so that it starts at the top. */
    shownKey: keyOf(query, windowed),
    windowed,
    defaultSort,
    rights,
    state,
    change,
    /** The filters that the user can't clear. */
    fixed,
    ...columns,
    ...useListPanel(),
    view,
    /** The address names a saved view that the user cannot use. */
    missingView: missing,
    /** An order in the address that the list does not have. */
    unknownSort: state.sort !== null && allColumns.length > 0 && !allColumns.some(({ sort }) => sort === state.sort) ? state.sort : null,
    filters: allFilters.filter(({ name }) => isOffered(name)),
    usedFilters,
    filterLabel,
    setFilters: (patch: Record<string, string>) => change({ filters: { ...state.filters, ...patch } }),
    narrowed: state.search !== '' || usedFilters.length > 0,
    compact: setting.compact ?? false,
    setCompact: (compact: boolean) => save({ compact }),
    perPage: state.perPage ?? setting.perPage ?? PAGE_SIZE,
    setPerPage: (perPage: number) => {
      save({ perPage })
      change({ perPage })
    },
  }
}

export type List<M extends ListedModel = ListedModel> = ReturnType<typeof useList<M>>
