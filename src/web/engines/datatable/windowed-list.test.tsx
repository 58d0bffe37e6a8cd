import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { subscriptionCalls, type SubscriptionRow } from '#contract/subscriptions.ts'
import { queryClient } from '#web/data/query-client.ts'
import { fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { Datatable, type DatatableProps } from './datatable.tsx'
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
let total = TOTAL
beforeEach(() => {
  total = TOTAL
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(800)
  server = fakeServer()
    .on(subscriptionCalls.columns, () => ({ data: [{ ...column, src: 'name', label: 'Plan' }] }))
    .on(subscriptionCalls.actions, () => ({ data: [] }))
    .on(subscriptionCalls.index, ({ query }) => {
      const [page, size] = [Number(query['page']), Number(query['paginate'])]
      const from = (page - 1) * size + 1
      const to = Math.min(total, page * size)
      const data = Array.from({ length: to - from + 1 }, (_, index) => row(from + index))
      const totals = { price: 1_000 }
      return { data, meta: { current_page: page, from, to, per_page: size, last_page: Math.ceil(total / size), total, totals } }
    })
})
afterEach(() => {
  resetPage()
  vi.restoreAllMocks()
})

const ACTIONS = ['view_subscriptions_datatable_actions'] as const
const open = (path = '/subscriptions', more: Partial<DatatableProps<'subscriptions'>> = {}, session = sessionWith(ACTIONS)) =>
  renderWithSession(<Datatable model="subscriptions" label="plans" basePath="/subscriptions" openIn="panel" windowed {...more} />, {
    session,
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

  it('does not count rows that others have removed, while they keep their place', async () => {
    open()
    await screen.findByText('1 to 8,645 of 8,645')
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    await new Promise((resolve) => setTimeout(resolve, 600))
    const meta = { current_page: 1, from: 1, to: 1, per_page: 100, last_page: 1, total: 1, totals: { price: 1 } }
    server.on(subscriptionCalls.index, () => ({ data: [row(1)], meta }))
    void queryClient.invalidateQueries({ queryKey: ['index', 'subscriptions'] })
    expect(await screen.findByRole('button', { name: /changed/ })).toBeDefined()
    expect(screen.getByText('1 to 1 of 1')).toBeDefined()
  })

  it('ends where the window does, also after the toolbar has changed its height by itself', async () => {
    let above = 100
    const resized: (() => void)[] = []
    class Observer extends window.ResizeObserver {
      constructor(callback: ResizeObserverCallback) {
        super(callback)
        resized.push(() => callback([], this))
      }
    }
    vi.stubGlobal('ResizeObserver', Observer)
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(() => new DOMRect(0, above, 0, 50))
    open()
    await screen.findByText('Plan 1')
    const around = () => Number.parseInt(region().style.getPropertyValue('--datatable-around'), 10)
    const before = around()
    above += 62
    for (const notify of resized) notify()
    vi.unstubAllGlobals()
    expect(around() - before).toBe(62)
  })

  it.each([
    [1_200, true],
    [800, false],
  ])('is %i px wide: its first columns stick in an area of 800 px: %s', async (tablePx, sideways) => {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800)
    vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(tablePx)
    open()
    await screen.findByText('Plan 1')
    expect(region().hasAttribute('data-sideways')).toBe(sideways)
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

  it('loads the second page of a list that is a little longer than one', async () => {
    total = 120
    open()
    await screen.findByText('Plan 1')
    scrollTo(120 * 40 - 800)
    expect(await screen.findByText('Plan 120')).toBeDefined()
  })

  it('opens at the page of the address', async () => {
    open('/subscriptions?page=30')
    await screen.findByRole('region', { name: 'Table of plans' })
    expect(await screen.findByText('Plan 2901')).toBeDefined()
    expect(pages()).toContain('30')
  })

  it('moves the focus by a row, by a screen, and to both ends, which it loads', async () => {
    const { user } = open()
    const first = await screen.findByRole('checkbox', { name: 'Select Plan 1' })
    first.focus()
    const focused = () => document.activeElement?.getAttribute('aria-label')
    await user.keyboard('{ArrowDown}')
    expect(focused()).toBe('Select Plan 2')
    await user.keyboard('{PageDown}')
    expect(focused()).toBe('Select Plan 20')
    await user.keyboard('{PageUp}{ArrowUp}')
    expect(focused()).toBe('Select Plan 1')
    await user.keyboard('{ArrowRight}')
    expect(document.activeElement?.getAttribute('data-row-control')).toBe('open')
    scrollTo(40 * (TOTAL - 10))
    await screen.findByText(`Plan ${TOTAL}`)
    screen.getByRole('checkbox', { name: `Select Plan ${TOTAL}` }).focus()
    await user.keyboard('{ArrowUp}{End}')
    expect(focused()).toBe(`Select Plan ${TOTAL}`)
  })

  it('has rows of 32 pixels if the user chose compact rows', async () => {
    const session = sessionWith([])
    open('/subscriptions', {}, { ...session, settings: { ...session.settings, datatable: { subscriptions: { compact: true } } } })
    await screen.findByText('Plan 1')
    const spacer = region().querySelector<HTMLElement>('tbody tr[aria-hidden]:last-child')
    const rendered = region().querySelectorAll('tbody tr:not([aria-hidden])').length
    expect(spacer?.style.height).toBe(`${(TOTAL - rendered) * 32}px`)
  })

  it('shows each row in one cell on a phone, if the list has one', async () => {
    const matches = (query: string) => ({ ...new EventTarget(), matches: query.includes('max-width'), media: query })
    vi.spyOn(window, 'matchMedia').mockImplementation((query) => Object.assign(new EventTarget(), matches(query)) as MediaQueryList) // only what the hook reads
    open('/subscriptions', { phoneCell: ({ name }) => `${name.text} in two lines` })
    expect(await screen.findByText('Plan 1 in two lines')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Columns' })).toBeNull()
  })

  it('undoes an action that needs input with the input of each row', async () => {
    const prompt = { message: 'When?', type: 'date' as const, name: 'on' }
    const shared = { handle: 'json' as const, fileName: null, supportsPrefix: false }
    server
      .on(subscriptionCalls.actions, () => ({
        data: [
          { ...shared, action: 'end', label: 'End', prompt },
          { ...shared, action: 'resume', label: 'Resume', undo: 'end', prompt: null },
        ],
      }))
      .on(subscriptionCalls.act, ({ body }) => ({
        data: null,
        message: body.action === 'end' ? '1 subscription ended.' : 'Resumed.',
        export: null,
        changed: [1, 2].map((n) => ({ id: row(n).id, version: n + 10 })),
      }))
    const undoInputs = (_action: string, rows: readonly SubscriptionRow[]) =>
      rows.map(({ id, name }) => ({ ids: [id], input: { on: name.text } }))
    const { user } = open('/subscriptions', { undoInputs })
    for (const name of ['Select Plan 1', 'Select Plan 2']) await user.click(await screen.findByRole('checkbox', { name }))
    await user.click(screen.getByRole('button', { name: 'Resume' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() =>
      expect(server.bodies(subscriptionCalls.act).slice(1)).toMatchObject([
        { action: 'end', selectedIds: [row(1).id], input: { on: 'Plan 1' }, versions: { [row(1).id]: 11 } },
        { action: 'end', selectedIds: [row(2).id], input: { on: 'Plan 2' }, versions: { [row(2).id]: 12 } },
      ]),
    )
    expect(await screen.findByText('2 subscriptions ended.')).toBeDefined()
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
