import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RowAction } from '#contract/datatable.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { subscriptionCalls, type SubscriptionRow } from '#contract/subscriptions.ts'
import { fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { tableColumn } from '#web/testing/table-column.ts'
import { Datatable } from './datatable.tsx'

const RIGHTS: PermissionName[] = ['view_subscriptions_datatable_actions', 'delete_subscriptions', 'update_subscriptions']
const cell = (text: string) => ({ value: text, text })
const row = (index: number, name: string, term = '12', isAllowed = true): SubscriptionRow => ({
  id: `0198c0de-0000-7000-8000-00000000000${index}`,
  deleted_at: null,
  is_new: false,
  accessible_features: { update: isAllowed, delete: isAllowed },
  name: cell(name),
  price: cell('$1'),
  term: cell(term),
  companies: cell('0'),
  created_at: cell('Jan 2, 2026'),
})
const action = (name: string, label: string, more: Partial<RowAction> = {}): RowAction => ({
  action: name,
  label,
  handle: 'json',
  fileName: null,
  supportsPrefix: false,
  prompt: null,
  ...more,
})

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
    .on(subscriptionCalls.columns, () => ({ data: [tableColumn('name', 'Name', { primary: true })] }))
    .on(subscriptionCalls.filters, () => ({ data: [] }))
    .on(subscriptionCalls.actions, () => ({ data: [action('extend', 'Extend', { undo: 'shorten' }), action('shorten', 'Shorten')] }))
    .on(subscriptionCalls.act, () => ({ data: null, message: 'Done.', export: null, changed: [] }))
})
afterEach(resetPage)

/** Terms of 12 months can only be extended, others only shortened. */
const appliesTo = (name: string, one: SubscriptionRow | null) => one === null || (name === 'extend') === (one.term.text === '12')
const table = <Datatable model="subscriptions" label="subscriptions" basePath="/subscriptions" openIn="panel" appliesTo={appliesTo} />

async function open(first: string) {
  const { user } = renderWithSession(table, { session: sessionWith(RIGHTS), path: '/subscriptions' })
  await screen.findByText(first)
  const bar = () => within(screen.getByRole('group', { name: 'Actions for the selection' }))
  return {
    user,
    bar,
    select: (name: string) => user.click(screen.getByRole('checkbox', { name })),
    commands: () =>
      bar()
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
  }
}

/** Two pages of one row. */
function twoPages(first: SubscriptionRow, second: SubscriptionRow) {
  server.on(subscriptionCalls.index, ({ query }) => {
    const page = Number(query['page'] ?? 1)
    const size = Number(query['paginate'] ?? 1)
    const data = size > 1 && size < 15 ? [first, second] : [page === 1 ? first : second]
    return { data, meta: { ...onePage(data).meta, current_page: page, last_page: 2, total: 2 } }
  })
}

it('a selection has the same commands on another page, and Undo for the rows that were changed', async () => {
  const changed = [{ id: row(1, '').id, version: 7 }]
  server.on(subscriptionCalls.act, () => ({ data: null, message: 'Done.', export: null, changed }))
  twoPages(row(1, 'One'), row(2, 'Two', '24'))
  const { user, select, commands, bar } = await open('One')
  await select('Select One')
  expect(commands()).toEqual(['Extend', 'Delete', 'Clear selection'])
  await user.click(screen.getByRole('button', { name: 'Page 2' }))
  await screen.findByText('Two')
  expect(commands()).toEqual(['Extend', 'Delete', 'Clear selection'])
  await user.click(bar().getByRole('button', { name: 'Extend' }))
  await waitFor(() => expect(server.bodies(subscriptionCalls.act)).toMatchObject([{ action: 'extend', selectedIds: [row(1, '').id] }]))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  const undone = { action: 'shorten', selectedIds: [row(1, '').id], versions: { [row(1, '').id]: 7 } }
  await waitFor(() => expect(server.bodies(subscriptionCalls.act).at(-1)).toMatchObject(undone))
})

it('a question about one selected row names it on another page, too', async () => {
  twoPages(row(1, 'One'), row(2, 'Two'))
  const { user, select, bar } = await open('One')
  await select('Select One')
  await user.click(screen.getByRole('button', { name: 'Page 2' }))
  await screen.findByText('Two')
  await user.click(bar().getByRole('button', { name: 'Delete' }))
  expect(await screen.findByRole('dialog', { name: 'Delete “One”' })).toBeDefined()
})

it('a command that some selected rows do not allow names one of them and is not sent', async () => {
  server.on(subscriptionCalls.index, () => onePage([row(1, 'One', '12', false), row(2, 'Two'), row(3, 'Three', '12', false)]))
  const { user, select, bar, commands } = await open('One')
  await select('Select One')
  expect(commands()).not.toContain('Delete')
  await select('Select Two')
  await user.click(bar().getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('“Delete” is not possible for “One”. Clear this row from the selection.')).toBeDefined()
  await select('Select Three')
  await user.click(bar().getByRole('button', { name: 'Delete' }))
  expect(
    await screen.findByText('“Delete” is not possible for 2 subscriptions of the selection, such as “One”. Clear them from the selection.'),
  ).toBeDefined()
  expect(screen.queryByRole('dialog')).toBeNull()
  await select('Select One')
  await select('Select Three')
  await user.click(bar().getByRole('button', { name: 'Delete' }))
  expect(await screen.findByRole('dialog', { name: 'Delete “Two”' })).toBeDefined()
})
