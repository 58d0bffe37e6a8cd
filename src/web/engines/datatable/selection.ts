import { useSelection as useIds } from '@mantine/hooks'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PAGE_SIZE_MAX } from '#contract/limits.ts'
import type { PageMeta } from '#contract/datatable.ts'
import type { Amount } from '#contract/metrics.ts'
import { queries } from '#web/data/queries.ts'
import { toast } from '#web/ui/toast.tsx'
import { showError } from '../show-error.ts'
import { plural } from '#contract/format.ts'
import { MODELS } from '#contract/models.ts'
import { cellOf, rowName, type TableRow } from './cells.tsx'
import type { List } from './list.ts'
import { filtersOf } from './list-address.ts'
import type { Target } from './row-commands.ts'

export type Selection<R extends TableRow = TableRow> = ReturnType<typeof useSelection<R>>

const byId = <R extends TableRow>(rows: readonly R[]): ReadonlyMap<string, R> => new Map(rows.map((row) => [row.id, row]))

const trashedIn = (rows: readonly TableRow[]) => new Set(rows.flatMap((row) => (typeof row.deleted_at === 'string' ? [row.id] : [])))

/** The live and the trashed rows of a selection, because different commands apply to them; a part without rows is left out. */
function partsOf(target: Target, trashed: ReadonlySet<string>): { live?: Target; trashed?: Target } {
  if (trashed.size === 0) return { live: target }
  if (trashed.size === target.ids.length) return { trashed: target }
  const live = target.ids.filter((id) => !trashed.has(id))
  const [kept, already] = [plural(live.length, 'selected record'), plural(trashed.size, 'selected record')]
  const part = (ids: readonly string[], note: string) => ({
    ids,
    name: 'this record',
    everything: false,
    count: ids.length,
    value: null,
    note,
  })
  return {
    live: part(live, `${already} ${trashed.size === 1 ? 'was' : 'were'} already in the trash.`),
    trashed: part([...trashed], `${kept} ${live.length === 1 ? 'was' : 'were'} not in the trash.`),
  }
}

/** The total insured value of rows in each currency, the largest first; null for a model without values, or if a row has several currencies. */
export function amountsOf(rows: readonly TableRow[]): readonly Amount[] | null {
  const sums = new Map<string, number>()
  for (const row of rows) {
    const { value } = cellOf(row, 'tiv')
    const currency = cellOf(row, 'currency').value
    if (value === null) continue
    if (currency === null) return null
    sums.set(String(currency), (sums.get(String(currency)) ?? 0) + Number(value))
  }
  if (sums.size === 0) return null
  const amounts = [...sums].map(([currency, amount]) => ({ currency, amount }))
  const positive = amounts.filter(({ amount }) => amount > 0)
  return (positive.length === 0 ? amounts.slice(0, 1) : positive).sort((one, other) => other.amount - one.amount)
}

/** The total of a whole list, which the server adds up in one currency. */
function totalOf({ totals, valued, currency }: PageMeta): readonly Amount[] | null {
  const amount = totals?.['tiv']
  return amount === undefined || valued?.['tiv'] === 0 || typeof currency !== 'string' ? null : [{ amount, currency }]
}

/** Why single rows can't be left out of a selection by filters. */
const notWithout = (model: List['model'], total: number) =>
  `All ${plural(total, MODELS[model].one, MODELS[model].many)} are selected, too many to leave out single ones. Narrow the list with a search or a filter.`

type ListOf<R> = Omit<List, 'rows'> & { rows: readonly R[] }

/** All rows that match the filters, by fetching a page whose size is the total. */
async function matchingRows<R extends TableRow>(client: QueryClient, { model, query, meta }: ListOf<R>): Promise<readonly R[]> {
  const page = { ...query, page: '1', paginate: String(Math.min(meta?.total ?? 0, PAGE_SIZE_MAX)) }
  const { data } = await client.query(queries.index(model, page))
  return data as readonly TableRow[] as readonly R[] // rows of the same list
}

/** The selected rows: those on this page as they are, others as they were when they were selected. */
function useKnownRows<R extends TableRow>(rows: readonly R[]) {
  const [before, setBefore] = useState<ReadonlyMap<string, R>>(new Map())
  const shown = byId(rows)
  return {
    remember: (found: readonly R[]) => setBefore((known) => new Map([...known, ...byId(found)])),
    forget: () => setBefore(new Map()),
    knownOf: (ids: readonly string[]) => ids.flatMap((id) => shown.get(id) ?? before.get(id) ?? []),
  }
}

/**
 * The selected rows of a list, `rows` as far as they are known. They stay selected on other pages; of a list on one page, rows that are gone do not. `isSelectable` leaves
 * out rows that no command applies to, so that with them an action by filters is not possible.
 */
export function useSelection<R extends TableRow>(list: ListOf<R>, isSelectable: (row: R) => boolean = () => true) {
  const { model, query, rows, meta, columns, stale } = list
  const client = useQueryClient()
  const [stored, { toggle, setSelection, resetSelection }] = useIds({ data: rows.map((row) => row.id), defaultSelection: [] })
  /** The filters under which all rows were selected, until a row is toggled. */
  const [allOf, setAllOf] = useState<string | null>(null)
  const { remember, forget, knownOf } = useKnownRows(rows)
  const [filters, total] = [JSON.stringify(filtersOf(query)), meta?.total ?? 0]
  const onOnePage = !stale && rows.length >= total
  const shown = new Set(rows.map(({ id }) => id))
  const selected = onOnePage ? stored.filter((id) => shown.has(id)) : stored
  const everything = allOf === filters && total > PAGE_SIZE_MAX
  const selectable = rows.filter(isSelectable)
  // The ids of rows after the first PAGE_SIZE_MAX are not known until they are shown.
  const ids = new Set(everything ? [...selected, ...selectable.map(({ id }) => id)] : selected)
  const checked = everything || (selectable.length > 0 && (onOnePage || allOf === filters) && selectable.every(({ id }) => ids.has(id)))
  const knownRows = knownOf(selected)
  const name = knownRows[0] ? rowName(knownRows[0], columns) : 'this record'
  const count = everything ? total : ids.size
  const ofAll = checked && count === total && meta !== undefined ? totalOf(meta) : null
  const shownRows = rows.filter((row) => ids.has(row.id))
  const value = (shownRows.length === count ? amountsOf(shownRows) : null) ?? ofAll
  const target: Target = { ids: selected, name, everything, count, value }
  const { mutate: selectAll, isPending: fetching } = useMutation({
    mutationFn: async () => ({ filters, found: onOnePage ? rows : await matchingRows(client, list) }),
    onSuccess: (all) => {
      const found = all.found.filter(isSelectable)
      setSelection(found.map((row) => row.id))
      remember(found)
      setAllOf(found.length === all.found.length || total <= PAGE_SIZE_MAX ? all.filters : null)
    },
    onError: (error) => showError(error),
  })
  const clear = () => {
    resetSelection()
    forget()
    setAllOf(null)
  }
  return {
    ids,
    count,
    target,
    rows: knownRows,
    parts: partsOf(target, trashedIn(knownRows)),
    toggle: (id: string) => {
      if (everything) return toast.warning(notWithout(model, total))
      toggle(id)
      remember(rows.filter((row) => row.id === id))
      setAllOf(null)
    },
    clear,
    isOffered: rows.length === 0 || selectable.length > 0 || ids.size > 0,
    all: {
      checked,
      mixed: !checked && (fetching || ids.size > 0),
      label: checked ? 'Clear the selection' : 'Select all',
      onChange: () => (checked ? clear() : selectAll()),
    },
  }
}
