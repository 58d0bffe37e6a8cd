import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { subscriptionCalls, type SubscriptionRow } from '#contract/subscriptions.ts'
import { fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { Datatable } from './datatable.tsx'
import { pagesOf } from './windowed-rows.ts'

const TOTAL = 8_645
const column = { sort: 'name', sortable: true, primary: true, disabled: true, default: true, width: null, classes: '', icon_only: false }
const cell = (text: string) => ({ value: text, text })
const row = (index: number): SubscriptionRow => ({
  id: `0198c0de-0000-7000-8000-${String(index).padStart(12, '0')}`,
  deleted_at: null,
  is_new: false,
  name: cell(`Plan ${index}`),
  price: cell('1'),
  term: cell('12'),
  companies: cell(''),
  created_at: cell(''),
})

let server: FakeServer
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(800)
  server = fakeServer()
    .on(subscriptionCalls.columns, () => ({ data: [{ ...column, src: 'name', label: 'Plan' }] }))
    .on(subscriptionCalls.index, ({ query }) => {
      const [page, size] = [Number(query['page']), Number(query['paginate'])]
      const from = (page - 1) * size + 1
      const to = Math.min(TOTAL, page * size)
      const data = Array.from({ length: to - from + 1 }, (_, index) => row(from + index))
      const totals = { price: 1_000 }
      return { data, meta: { current_page: page, from, to, per_page: size, last_page: Math.ceil(TOTAL / size), total: TOTAL, totals } }
    })
})
afterEach(() => {
  resetPage()
  vi.restoreAllMocks()
})

const open = (path = '/subscriptions') =>
  renderWithSession(<Datatable model="subscriptions" label="plans" basePath="/subscriptions" openIn="panel" windowed />, {
    session: sessionWith([]),
    path,
  })
const pages = () => server.requests.flatMap((request) => /subscriptions\?page=(\d+)/.exec(request)?.[1] ?? [])
const region = () => screen.getByRole('region', { name: 'Table of plans' })
const scrollTo = (top: number) => {
  region().scrollTop = top
  fireEvent.scroll(region())
}

describe('a windowed list', () => {
  it('shows the range and the totals of all rows and has no pages', async () => {
    open()
    expect(await screen.findByText('Plan 1')).toBeDefined()
    expect(screen.getByText('1 to 8,645 of 8,645')).toBeDefined()
    expect(screen.getByText('Total of 8,645 subscriptions')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Next page' })).toBeNull()
    expect(screen.queryByRole('combobox', { name: 'Rows per page' })).toBeNull()
  })

  it('requests only the pages in view, and stores the place in the address', async () => {
    const { router } = open()
    await screen.findByText('Plan 1')
    scrollTo(40 * 4_250)
    expect(await screen.findByText('Plan 4260')).toBeDefined()
    expect(pages()).toEqual(['1', '43', '44'])
    await waitFor(() => expect(router.state.location.search).toEqual({ page: '43' }))
    expect(region().querySelectorAll('tbody tr:not([aria-hidden])').length).toBeLessThan(70)
  })

  it('opens at the page of the address', async () => {
    open('/subscriptions?page=30')
    await screen.findByRole('region', { name: 'Table of plans' })
    await waitFor(() => expect(pages()).toContain('30'))
  })

  it('starts at the top when the order changes', async () => {
    const { user } = open()
    await screen.findByText('Plan 1')
    scrollTo(40 * 4_250)
    await screen.findByText('Plan 4260')
    await user.click(screen.getByRole('button', { name: 'Plan' }))
    await waitFor(() => expect(region().scrollTop).toBe(0))
  })

  it('loads the pages of rows near the visible area', () => {
    expect(pagesOf(0, 20, TOTAL)).toEqual([1])
    expect(pagesOf(0, 70, TOTAL)).toEqual([1, 2])
    expect(pagesOf(8_630, 8_644, TOTAL)).toEqual([86, 87])
    expect(pagesOf(0, 0, 0)).toEqual([1])
  })
})
