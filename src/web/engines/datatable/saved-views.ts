import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import type { TableLayout, TableSetting } from '#contract/init.ts'
import type { SavedView, ViewState } from '#contract/saved-views.ts'
import { queries, type ListedModel } from '#web/data/queries.ts'
import { useSearchParams } from '#web/search-params.ts'
import { isUnopenedView, viewParams, type ListState } from './list-address.ts'

/** The saved view in the address. An address with the view alone opens it: the filters, search and order of the view are added. */
export function useView(model: ListedModel) {
  const params = useSearchParams()
  const navigate = useNavigate()
  const id = params['view']
  const query = useQuery({ ...queries.savedViews(model), enabled: id !== undefined })
  const view = query.data?.find((one) => one.id === id)
  const unopened = isUnopenedView(params)
  const open = useEffectEvent((opened: SavedView) => {
    void navigate({ to: '.', search: (current) => viewParams(current, opened), replace: true, resetScroll: false })
  })
  useEffect(() => {
    if (unopened && view !== undefined) open(view)
  }, [unopened, view])
  return {
    view,
    /** The list must not be loaded yet, because its filters are not known. */
    opening: unopened && (query.isPending || view !== undefined),
    /** The view was deleted or is not shared with the user. */
    missing: id !== undefined && query.data !== undefined && view === undefined,
  }
}

const NO_LAYOUT: TableLayout = {}

/** The columns of the list: those of the user or, in a view, those of the view with the changes since it was opened. */
export function useLayout(setting: TableSetting, save: (patch: TableSetting) => void, view: SavedView | undefined) {
  const [draft, setDraft] = useState<{ id: string; layout: TableLayout } | null>(null)
  const changed = view !== undefined && draft?.id === view.id ? draft.layout : undefined
  const layout = changed ?? view?.state.layout ?? setting
  const changeLayout = (patch: TableLayout) => {
    if (view === undefined) save(patch)
    else setDraft({ id: view.id, layout: { ...layout, ...patch } })
  }
  const resetLayout = () => {
    setDraft(null)
    if (view === undefined) save({ columns: {}, columnOrder: [], widths: {} })
  }
  /** Null resets it. */
  const setWidth = (src: string, px: number | null) => {
    const { [src]: _reset, ...others } = layout.widths ?? {}
    changeLayout({ widths: px === null ? others : { ...others, [src]: px } })
  }
  return { layout, changeLayout, resetLayout, setWidth, layoutChanged: changed !== undefined, dropDraft: () => setDraft(null) }
}

const layoutOf = ({ columns, columnOrder, widths }: TableLayout): TableLayout => ({
  ...(columns === undefined ? {} : { columns }),
  ...(columnOrder === undefined ? {} : { columnOrder }),
  ...(widths === undefined ? {} : { widths }),
})

/** What a view of the list as it is now would store. */
export const viewStateOf = ({ search, sort, order, filters }: ListState, layout: TableLayout = NO_LAYOUT): ViewState => ({
  search,
  sort,
  order,
  filters: { ...filters },
  layout: layoutOf(layout),
})

const sorted = (filters: Readonly<Record<string, string>>) =>
  JSON.stringify(Object.entries(filters).toSorted(([left], [right]) => left.localeCompare(right)))

/** Whether the list shows other rows than the view, or in another order. */
export const differs = (state: ListState, { state: saved }: SavedView): boolean =>
  state.search !== saved.search ||
  state.sort !== saved.sort ||
  (state.sort !== null && state.order !== saved.order) ||
  sorted(state.filters) !== sorted(saved.filters)
