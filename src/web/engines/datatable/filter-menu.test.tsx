import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { subscriptionCalls } from '#contract/subscriptions.ts'
import { fakeServer, onePage } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { tableColumn } from '#web/testing/table-column.ts'
import { Datatable } from './datatable.tsx'
import { filterChips } from './filter-bar.tsx'

afterEach(resetPage)

it('a filter by date has a first and a last day, each of which can be empty', async () => {
  const server = fakeServer()
    .on(subscriptionCalls.columns, () => ({ data: [] }))
    .on(subscriptionCalls.filters, () => ({
      data: [{ name: 'starts', label: 'Start', type: 'date_range' as const, options: [], default: null }],
    }))
    .on(subscriptionCalls.index, () => onePage([]))
  const table = <Datatable model="subscriptions" label="subscriptions" basePath="/subscriptions" openIn="panel" />
  const session = sessionWith(['view_subscriptions_datatable_filters'])
  const { user, router } = renderWithSession(table, { session, path: '/subscriptions' })
  await user.click(await screen.findByRole('button', { name: 'Filter' }))
  await user.click(await screen.findByRole('button', { name: 'Start' }))
  const enter = async (label: string, value: string, filter: string | undefined) => {
    fireEvent.change(await screen.findByLabelText(label), { target: { value } })
    await waitFor(() => expect(router.state.location.search).toEqual(filter === undefined ? {} : { filter__starts: filter }))
  }
  await enter('From', '2026-01-01', '2026-01-01..')
  expect(screen.getByRole('button', { name: 'Clear filter Start from Jan 1, 2026', hidden: true })).toBeDefined()
  await enter('To', '2026-03-31', '2026-01-01..2026-03-31')
  expect(screen.getByRole('button', { name: 'Clear filter Start Jan 1, 2026 to Mar 31, 2026', hidden: true })).toBeDefined()
  await enter('From', '', '..2026-03-31')
  expect(screen.getByRole('button', { name: 'Clear filter Start until Mar 31, 2026', hidden: true })).toBeDefined()
  await enter('To', '', undefined)
  expect(server.requests.filter((request) => request.includes('filter__starts=2026-01-01..2026-03-31'))).toHaveLength(1)
})

it('a filter that the server ignored says that it has no effect', async () => {
  const message = 'Ignored, because this list does not have them: filter__invites.'
  fakeServer()
    .on(subscriptionCalls.columns, () => ({ data: [] }))
    .on(subscriptionCalls.index, () => ({ ...onePage([]), message }))
  const table = <Datatable model="subscriptions" label="subscriptions" basePath="/subscriptions" openIn="panel" />
  renderWithSession(table, { session: sessionWith([]), path: '/subscriptions?filter__starts=2026-01-01..&filter__invites=1' })
  const [starts, invites] = within(await screen.findByRole('list', { name: 'Filters in use' })).getAllByRole('listitem')
  await waitFor(() => expect(invites?.textContent).toContain('(has no effect)'))
  expect(starts?.textContent).not.toContain('(has no effect)')
})

it('a filter on a record that was deleted says so instead of showing the id', () => {
  const options = [{ value: '0198c0de-0000-7000-8000-000000000001', label: 'Broker' }]
  const role = { name: 'role', label: 'Role', type: 'multiselect' as const, options, default: null }
  const [known, deleted, other] = [1, 2, 3].map((index) => `0198c0de-0000-7000-8000-00000000000${index}`) as [string, string, string]
  const textOf = (...values: string[]) => filterChips([['role', values.join(',')]], [role], 'UTC')[0]?.text
  expect(textOf(known)).toBe('Broker')
  expect(textOf(deleted)).toBe('not available')
  expect(textOf(deleted, known)).toBe('Broker, not available')
  expect(textOf(deleted, other)).toBe('2 not available')
  expect(textOf('nope')).toBe('nope')
})

it('an order and filters that the list does not have say so, also with unusual names, and are cleared', async () => {
  const message = 'Ignored, because this list does not have them: sort=nope, filter__constructor, filter__a(, filter____proto__.'
  fakeServer()
    .on(subscriptionCalls.columns, () => ({ data: [tableColumn('name', 'Name')] }))
    .on(subscriptionCalls.index, () => ({ ...onePage([]), message }))
  const table = <Datatable model="subscriptions" label="subscriptions" basePath="/subscriptions" openIn="panel" />
  const path = '/subscriptions?sort=nope&filter__constructor=1&filter__a(=2&filter____proto__=3'
  const { user, router } = renderWithSession(table, { session: sessionWith([]), path })
  const used = await screen.findByRole('list', { name: 'Filters in use' })
  await waitFor(() => expect(within(used).getAllByText(/has no effect/)).toHaveLength(4))
  await user.click(within(used).getByRole('button', { name: 'Clear order nope' }))
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('sort'))
})

it('the help of a filter is shown above its values', async () => {
  const filter = {
    name: 'unlinked',
    label: 'Needs a property',
    help: 'No: all others.',
    type: 'boolean' as const,
    options: [],
    default: null,
  }
  fakeServer()
    .on(subscriptionCalls.columns, () => ({ data: [] }))
    .on(subscriptionCalls.filters, () => ({ data: [filter] }))
    .on(subscriptionCalls.index, () => onePage([]))
  const table = <Datatable model="subscriptions" label="subscriptions" basePath="/subscriptions" openIn="panel" />
  const { user } = renderWithSession(table, { session: sessionWith(['view_subscriptions_datatable_filters']), path: '/subscriptions' })
  await user.click(await screen.findByRole('button', { name: 'Filter' }))
  await user.click(await screen.findByRole('button', { name: 'Needs a property' }))
  expect((await screen.findByText('No: all others.')).id).toBe(
    screen.getByRole('group', { name: 'Needs a property' }).getAttribute('aria-describedby'),
  )
})
