import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { RowAction } from '#contract/datatable.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { subscriptionCalls, type SubscriptionRow } from '#contract/subscriptions.ts'
import * as download from '#web/ui/download.ts'
import { errorAnswer, fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { Datatable } from './datatable.tsx'

const RIGHTS: PermissionName[] = ['view_subscriptions_datatable_actions', 'delete_subscriptions', 'update_subscriptions']
const [LIVE, OTHER, TRASHED] = [1, 2, 3].map((index) => `0198c0de-0000-7000-8000-00000000000${index}`) as [string, string, string]
const cell = (text: string) => ({ value: text, text })
const row = (id: string, name: string, deleted_at: string | null = null, more: Partial<SubscriptionRow> = {}): SubscriptionRow => ({
  id,
  deleted_at,
  is_new: false,
  name: cell(name),
  price: cell('$1'),
  term: cell('12'),
  companies: cell('0'),
  created_at: cell('Jan 2, 2026'),
  ...more,
})
const EXPORT: RowAction = {
  action: 'export',
  label: 'Export',
  handle: 'blob',
  fileName: 'subscriptions.csv',
  supportsPrefix: true,
  prompt: null,
}

let server: FakeServer
beforeEach(() => {
  const column = { src: 'name', label: 'Name', sort: 'name', sortable: true, primary: true, disabled: true, default: true }
  server = fakeServer()
    .on(subscriptionCalls.columns, () => ({ data: [{ ...column, width: null, classes: '', icon_only: false }] }))
    .on(subscriptionCalls.filters, () => ({ data: [] }))
    .on(subscriptionCalls.actions, () => ({ data: [EXPORT] }))
    .on(subscriptionCalls.index, () => onePage([row(LIVE, 'One'), row(OTHER, 'Two'), row(TRASHED, 'Three', '2026-01-01T00:00:00Z')]))
    .on(subscriptionCalls.trash, () => ({ data: null, message: 'Moved to the trash.' }))
    .on(subscriptionCalls.restore, () => ({ data: null, message: 'Restored.' }))
})
afterEach(() => {
  vi.restoreAllMocks()
  resetPage()
})

const table = <Datatable model="subscriptions" label="subscriptions" basePath="/subscriptions" openIn="panel" />
async function selectAll() {
  const { user } = renderWithSession(table, { session: sessionWith(RIGHTS), path: '/subscriptions?filter__trashed=with' })
  await screen.findByText('Three')
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }))
  const command = async (name: string) => {
    await user.click(within(screen.getByRole('group', { name: 'Actions for the selection' })).getByRole('button', { name }))
    return within(await screen.findByRole('dialog'))
  }
  return { user, command }
}

it('deletes only the live rows of a selection with trashed ones, says so, and restores only those again', async () => {
  const { user, command } = await selectAll()
  const question = await command('Delete')
  expect(question.getByText(/1 selected record was already in the trash\./)).toBeDefined()
  await user.click(question.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(server.bodies(subscriptionCalls.trash)).toEqual([{ selectedIds: [LIVE, OTHER], force: false }]))
  expect(await screen.findByText('Moved to the trash. 1 selected record was already in the trash.')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(server.bodies(subscriptionCalls.restore)).toEqual([{ selectedIds: [LIVE, OTHER] }]))
})

it('rejects deleting more rows than it has the ids of, and says how many it can delete', async () => {
  const { meta } = onePage([])
  server.on(subscriptionCalls.index, () => ({ data: [row(LIVE, 'One')], meta: { ...meta, total: 12_000, last_page: 800 } }))
  const { user } = renderWithSession(table, { session: sessionWith(RIGHTS), path: '/subscriptions' })
  await screen.findByText('One')
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }))
  await screen.findByText('12,000 selected')
  await user.click(within(screen.getByRole('group', { name: 'Actions for the selection' })).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText(/^At most 9,999 subscriptions can be deleted at once, and this list has more\./)).toBeDefined()
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('rejects an action on more rows than it can change before the question, and a command by ids on more than are known', async () => {
  const { meta } = onePage([])
  const prompt: RowAction['prompt'] = { message: 'Close them?', type: 'confirm', name: 'confirm' }
  const close: RowAction = { ...EXPORT, action: 'close', label: 'Close', handle: 'json', fileName: null, supportsPrefix: false, prompt }
  server
    .on(subscriptionCalls.index, () => ({ data: [row(LIVE, 'One')], meta: { ...meta, total: 12_000, last_page: 800 } }))
    .on(subscriptionCalls.actions, () => ({ data: [close] }))
  const run = vi.fn<(ids: readonly string[]) => void>()
  const page = (
    <Datatable
      model="subscriptions"
      label="subscriptions"
      basePath="/subscriptions"
      openIn="panel"
      extraCommands={() => [{ label: 'Link', run }]}
    />
  )
  const { user } = renderWithSession(page, { session: sessionWith(RIGHTS), path: '/subscriptions' })
  await screen.findByText('One')
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }))
  const bar = await screen.findByRole('group', { name: 'Actions for the selection' })
  await user.click(within(bar).getByRole('button', { name: 'Close' }))
  expect(await screen.findByText(/^At most 10,000 subscriptions can be changed at once, and this list has more\./)).toBeDefined()
  await user.click(within(bar).getByRole('button', { name: 'Link' }))
  expect(await screen.findByText(/^At most 9,999 subscriptions can be processed at once, and this list has more\./)).toBeDefined()
  expect([screen.queryByRole('dialog'), run.mock.calls]).toEqual([null, []])
})

it('permanently deletes only the trashed rows of a selection with live ones', async () => {
  const { user, command } = await selectAll()
  const question = await command('Permanently Delete')
  expect(question.getByText(/2 selected records were not in the trash\./)).toBeDefined()
  await user.click(question.getByRole('button', { name: 'Permanently Delete' }))
  await waitFor(() => expect(server.bodies(subscriptionCalls.trash)).toEqual([{ selectedIds: [TRASHED], force: true }]))
})

it('saves the file that an action answers under its name with the prefix that the user entered', async () => {
  const save = vi.spyOn(download, 'saveBlob').mockReturnValue()
  server.on(subscriptionCalls.act, () => ({ data: null, export: null, changed: [] }))
  const { user, command } = await selectAll()
  const question = await command('Export')
  await user.type(question.getByRole('textbox', { name: 'Prefix of the file name' }), ' 2026 renewal ')
  expect(question.getByText('2026 renewal subscriptions.csv')).toBeDefined()
  await user.click(question.getByRole('button', { name: 'Export' }))
  const sent = {
    model: 'subscriptions',
    action: 'export',
    handle: 'blob',
    fileName: '2026 renewal subscriptions.csv',
    selectedIds: [LIVE, OTHER],
    input: {},
  }
  await waitFor(() => expect(server.bodies(subscriptionCalls.act)).toMatchObject([sent]))
  await waitFor(() => expect(save).toHaveBeenCalledWith(expect.any(Blob), 'subscriptions.csv'))
})

it('the menu of a row offers only what the rules of the row allow', async () => {
  const rename: RowAction = {
    ...EXPORT,
    handle: 'json',
    fileName: null,
    supportsPrefix: false,
    action: 'rename',
    label: 'Rename',
    rule: 'update',
  }
  server.on(subscriptionCalls.actions, () => ({ data: [EXPORT, rename] }))
  const withRules = (id: string, name: string, allowed: boolean) =>
    row(id, name, null, { accessible_features: { update: allowed, delete: allowed } })
  server.on(subscriptionCalls.index, () => onePage([withRules(LIVE, 'One', false), withRules(OTHER, 'Two', true)]))
  const { user } = renderWithSession(table, { session: sessionWith(RIGHTS), path: '/subscriptions' })
  const commandsOf = async (name: string) => {
    await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
    const commands = (await screen.findAllByRole('menuitem')).map((item) => item.textContent)
    await user.keyboard('{Escape}')
    return commands
  }
  expect(await commandsOf('One')).toEqual(['Open', 'Export'])
  expect(await commandsOf('Two')).toEqual(['Open', 'Edit', 'Export', 'Rename', 'Delete'])
})

it('keeps the answer to a prompt that the server rejects, with the reason, until it is accepted', async () => {
  const prompt = { message: 'Why?', type: 'text', name: 'reason' } as const
  server.on(subscriptionCalls.actions, () => ({
    data: [{ ...EXPORT, action: 'settle', label: 'Settle', handle: 'json' as const, fileName: null, supportsPrefix: false, prompt }],
  }))
  const answers = [errorAnswer('invalid', 'Please use at most 5 characters.'), errorAnswer('no-answer')]
  server.on(subscriptionCalls.act, () => answers.shift() ?? { data: null, message: 'Settled.', export: null, changed: [] })
  const { user, command } = await selectAll()
  const question = await command('Settle')
  await user.type(question.getByRole('textbox', { name: 'Why?' }), 'A careful reason')
  for (const left of [1, 0]) {
    await user.click(question.getByRole('button', { name: 'Settle' }))
    await waitFor(() => expect(answers).toHaveLength(left))
    await waitFor(() => expect(question.getByRole('textbox', { name: 'Why?' }).getAttribute('aria-invalid')).toBe('true'))
    expect(question.getByDisplayValue('A careful reason')).toBeDefined()
  }
  await user.click(question.getByRole('button', { name: 'Settle' }))
  expect(await screen.findByText(/^Settled\./)).toBeDefined()
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('a dialog that the menu of a row opened returns the focus to its button', async () => {
  const { user } = renderWithSession(table, { session: sessionWith(RIGHTS), path: '/subscriptions' })
  const button = within((await screen.findByText('One')).closest('tr') ?? document.body).getByRole('button', { name: /^Actions/ })
  await user.click(button)
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(document.activeElement).toBe(button))
})

it('the menu of a row returns the focus to its button on Escape', async () => {
  const { user } = renderWithSession(table, { session: sessionWith(RIGHTS), path: '/subscriptions' })
  const button = within((await screen.findByText('One')).closest('tr') ?? document.body).getByRole('button', { name: /^Actions/ })
  for (const key of ['{Enter}', ' ']) {
    button.focus()
    await user.keyboard(key)
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Open'))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(button))
  }
})

it('a deleted selection leaves the focus in the list', async () => {
  const { user } = renderWithSession(table, { session: sessionWith(RIGHTS), path: '/subscriptions' })
  await user.click(await screen.findByRole('checkbox', { name: 'Select One' }))
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Select all'))
})
