import '#web/testing/browser.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { companyCalls } from '#contract/companies.ts'
import { PAGE_SIZE_MAX } from '#contract/limits.ts'
import { queryClient } from '#web/data/query-client.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { resetPage, signInAs } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { toast } from '#web/ui/toast.tsx'
import type { List } from './list.ts'
import { amountsOf, useSelection } from './selection.ts'

afterEach(() => {
  vi.restoreAllMocks()
  resetPage()
})

interface Shown {
  ids: readonly string[]
  total: number
  query?: Readonly<Record<string, string>>
}
/** The parts of a list that the selection reads. */
const listOf = ({ ids, total, query = {} }: Shown) =>
  ({
    model: 'companies',
    query,
    rows: ids.map((id) => ({ id })),
    meta: { total },
    columns: [],
    stale: false,
  }) as unknown as List<'companies'>

function open(first: Shown) {
  signInAs(sessionWith([]))
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  const { result, rerender } = renderHook((shown: Shown) => useSelection(listOf(shown)), { wrapper, initialProps: first })
  return {
    show: rerender,
    state: () => ({ all: result.current.all.checked, ...result.current.target }),
    isSelected: (id: string) => result.current.ids.has(id),
    toggle: (id: string) => act(() => result.current.toggle(id)),
    selectAll: async (checked = true) => {
      act(() => result.current.all.onChange())
      await waitFor(() => expect(result.current.all.checked).toBe(checked))
    },
  }
}

it('a selection loses a row that another user deleted, and is not all of a list with a new row', async () => {
  const selection = open({ ids: ['a', 'b'], total: 2 })
  await selection.selectAll()
  expect(selection.state()).toMatchObject({ all: true, count: 2, ids: ['a', 'b'] })
  selection.show({ ids: ['a', 'c'], total: 2 })
  expect(selection.state()).toMatchObject({ all: false, count: 1, ids: ['a'] })
})

it('a selection is not all of a filtered list that shows none of its rows', async () => {
  const selection = open({ ids: ['a', 'b'], total: 2 })
  await selection.selectAll()
  selection.show({ ids: ['c'], total: 2, query: { filter__company: 'x' } })
  expect(selection.state()).toMatchObject({ all: false, everything: false, ids: ['a', 'b'] })
})

it('a selection of more rows than an action takes by id covers the filters that it was made with and all their rows, and no others', async () => {
  const ids = Array.from({ length: PAGE_SIZE_MAX }, (_, index) => `row-${index}`)
  const total = 12_000
  const server = fakeServer().on(companyCalls.index, () => ({
    data: ids.map((id) => ({ id })) as never, // only the ids are read
    meta: { current_page: 1, from: 1, to: ids.length, per_page: PAGE_SIZE_MAX, last_page: 2, total },
  }))
  const selection = open({ ids: ids.slice(0, 15), total, query: { page: '1' } })
  await selection.selectAll()
  expect(selection.state()).toMatchObject({ all: true, count: total, everything: true })
  selection.show({ ids: ['on a later page'], total, query: { page: '700' } })
  expect(selection.state()).toMatchObject({ all: true, count: total, everything: true })
  expect(selection.isSelected('on a later page')).toBe(true)
  selection.show({ ids: ids.slice(0, 15), total: 20_000, query: { page: '1', filter__company: 'x' } })
  expect(selection.state()).toMatchObject({ all: false, everything: false })
  selection.show({ ids: ids.slice(0, 15), total, query: { page: '1' } })
  const warning = vi.spyOn(toast, 'warning')
  selection.toggle('row-3')
  expect(selection.state()).toMatchObject({ all: true, count: total, everything: true })
  expect(selection.isSelected('row-3')).toBe(true)
  expect(warning).toHaveBeenCalledWith(
    'All 12,000 companies are selected, too many to leave out single ones. Narrow the list with a search or a filter.',
  )
  server.close()
})

it('the total insured value of selected rows is a sum for each currency, and none if a row has several', () => {
  const row = (value: number, currency: string | null) => ({ id: '1', deleted_at: null, is_new: false, tiv: { value, text: '' }, currency })
  expect(amountsOf([row(100, 'USD'), row(200, 'CAD'), row(30, 'USD'), row(0, 'EUR')])).toEqual([
    { currency: 'CAD', amount: 200 },
    { currency: 'USD', amount: 130 },
  ])
  expect(amountsOf([row(100, 'USD'), row(200, null)])).toBeNull()
})
