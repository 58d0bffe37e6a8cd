import { useQuery, type Query } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Column, Filter, PageMeta, RowAction } from '#contract/datatable.ts'
import { CHANNELS } from '#contract/events.ts'
import { SECOND_MS } from '#contract/limits.ts'
import { queries, type ListedModel, type Rows } from '#web/data/queries.ts'
import { useChannel } from '#web/data/realtime.ts'
import { showError } from '../show-error.ts'

const NO_COLUMNS: Column[] = []
const NO_FILTERS: Filter[] = []
const NO_ACTIONS: RowAction[] = []

/** Rows that were asked for on the way to this page need not be asked for again. */
const JUST_READ_MS = 2 * SECOND_MS
const unlessJustRead = ({ state }: Pick<Query, 'state'>) =>
  Date.now() - state.dataUpdatedAt < JUST_READ_MS && !state.isInvalidated ? false : 'always'

export interface TableData<M extends ListedModel> {
  /** Undefined until the first page has come. */
  rows: readonly Rows[M][] | undefined
  meta: PageMeta | undefined
  columns: readonly Column[]
  filters: readonly Filter[]
  actions: readonly RowAction[]
  /** Another page or order is on its way while the last one still shows. */
  stale: boolean
  error: unknown
  retry: () => void
}

/** The four answers a table is made of. Cached rows show first and are refreshed behind them; realtime marks them stale. */
export function useTableData<M extends ListedModel>(
  model: M,
  query: Readonly<Record<string, string>>,
  wants: { filters: boolean; actions: boolean },
): TableData<M> {
  useChannel(CHANNELS.datatable(model))
  const index = useQuery({ ...queries.index(model, query), refetchOnMount: unlessJustRead })
  const columns = useQuery(queries.columns(model))
  const filters = useQuery({ ...queries.filters(model), enabled: wants.filters })
  const actions = useQuery({ ...queries.actions(model), enabled: wants.actions })
  const error = index.error ?? (columns.data === undefined ? columns.error : null)
  useEffect(() => {
    if (error !== null) showError(error)
  }, [error])
  const retry = () => {
    void index.refetch()
    if (columns.isError) void columns.refetch()
  }
  return {
    rows: columns.data === undefined ? undefined : index.data?.data,
    meta: index.data?.meta,
    columns: columns.data ?? NO_COLUMNS,
    filters: filters.data ?? NO_FILTERS,
    actions: actions.data ?? NO_ACTIONS,
    stale: index.isPlaceholderData,
    error,
    retry,
  }
}
