import { useMemo, useState } from 'react'
import { PAGE_SIZE } from '#contract/limits.ts'
import type { ListedModel, Rows } from '#web/data/queries.ts'
import type { DatatableProps } from './datatable-props.ts'
import { filterChips } from './filter-words.ts'
import { indexQuery } from './list-state.ts'
import type { Target } from './row-command.ts'
import { rowName } from './table-row.ts'
import { useListAddress } from './use-list-address.ts'
import { useRowCommands } from './use-row-commands.ts'
import { useRowMenu } from './use-row-menu.ts'
import { useSelectAll } from './use-select-all.ts'
import { useSelection } from './use-selection.ts'
import { useTableData } from './use-table-data.ts'
import { useTableRights, type TableRights } from './use-table-rights.ts'
import { useTableSetting } from './use-table-setting.ts'
import { visibleColumns } from './visible-columns.ts'

const NO_OWN: readonly string[] = []

function rowLinks(id: string, trashed: boolean, { basePath, opens }: { basePath: string; opens: 'panel' | 'page' }, rights: TableRights) {
  if (trashed) return []
  const open = { label: 'Open', to: `${basePath}/${id}`, keepSearch: opens === 'panel' }
  return rights.update ? [open, { label: 'Edit', to: `${basePath}/${id}/edit`, keepSearch: true }] : [open]
}

function useColumnPanel(save: (patch: { columns: Record<string, boolean> }) => void) {
  const [opened, setOpened] = useState(false)
  return {
    opened,
    open: () => setOpened(true),
    close: () => setOpened(false),
    choose: (columns: Record<string, boolean>) => save({ columns }),
  }
}

/** Everything a table needs to draw itself and to react. */
export function useDatatable<M extends ListedModel>(props: DatatableProps<M>) {
  const { model, prefix, fixed, presets, usualSort, filterWords, ownFilters = NO_OWN, without = NO_OWN } = props
  const address = useListAddress(prefix)
  const { setting, save } = useTableSetting(model)
  const rights = useTableRights(model)
  const { state, change } = address
  const query = useMemo(
    () => indexQuery(state, { ...(fixed ? { fixed } : {}), ...(presets ? { presets } : {}), savedPerPage: setting.perPage, usualSort }),
    [state, fixed, presets, setting.perPage, usualSort],
  )
  const data = useTableData(model, query, { filters: rights.filters, actions: rights.act })
  const rows: readonly Rows[M][] = data.rows ?? []
  const offeredColumns = useMemo(() => data.columns.filter((column) => !without.includes(column.src)), [data.columns, without])
  const columns = useMemo(() => visibleColumns(offeredColumns, setting.columns), [offeredColumns, setting.columns])
  const primary = columns.find((column) => column.primary)?.src
  const selection = useSelection()
  const selectAll = useSelectAll(model, query, rows, data.meta?.total ?? 0, selection)
  const commands = useRowCommands(model, query, selection.clear)
  const menu = useRowMenu(rows)
  const offeredFilters = useMemo(() => data.filters.filter((filter) => !ownFilters.includes(filter.name)), [data.filters, ownFilters])
  const shownFilters = Object.fromEntries(Object.entries(state.filters).filter(([name]) => !ownFilters.includes(name)))
  const only = rows.find((row) => selection.ids.has(row.id))
  const target: Target = { ids: [...selection.ids], name: only ? rowName(only, primary) : 'this record', everything: selectAll.everything }
  return {
    address,
    data,
    rights,
    rows,
    columns,
    primary,
    selection,
    selectAll,
    target,
    selectedCount: selectAll.everything ? (data.meta?.total ?? selection.ids.size) : selection.ids.size,
    commands,
    menu,
    offeredFilters,
    offeredColumns,
    chips: filterChips(shownFilters, offeredFilters, filterWords),
    clearFilter: (name: string) => change({ filters: { ...state.filters, [name]: '' } }),
    clearFilters: () =>
      change({ filters: Object.fromEntries(Object.entries(state.filters).filter(([name]) => ownFilters.includes(name))) }),
    narrowed: state.search !== '' || Object.keys(shownFilters).length > 0,
    trashedOnly: state.filters['trashed'] === 'only',
    perPage: state.perPage ?? setting.perPage ?? PAGE_SIZE,
    setPerPage: (perPage: number) => {
      save({ perPage })
      change({ perPage })
    },
    chosenColumns: setting.columns ?? {},
    columnPanel: useColumnPanel(save),
    linksOf: (row: Rows[M]) => rowLinks(row.id, row.deleted_at !== null, props, rights),
  }
}
