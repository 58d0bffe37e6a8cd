import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Column, ExportAction, RowAction } from '#contract/datatable.ts'
import { EXPORTS } from '#contract/datatable.ts'
import { userCalls, type UserRow } from '#contract/users.ts'
import * as download from '#web/ui/download.ts'
import { errorAnswer, fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { Datatable } from './datatable.tsx'
import { tableColumn } from '#web/testing/table-column.ts'

const COMPANY = '0198c0de-0000-7000-8000-000000000009'
const ID = '0198c0de-0000-7000-8000-000000000001'
const cell = (text: string) => ({ value: text, text })
const row: UserRow = {
  id: ID,
  deleted_at: null,
  is_new: false,
  name: cell('Ann'),
  email: cell('ann@example.test'),
  company: cell('One'),
  roles: cell('Broker'),
  last_login_at: cell(''),
  state: cell('Active'),
  created_at: cell('Jan 2, 2026'),
}
const column = (src: string, more: Partial<Column> = {}) => tableColumn(src, src, more)
const action = (name: ExportAction): RowAction => ({
  action: name,
  label: EXPORTS[name].label,
  handle: 'blob',
  fileName: `users.${EXPORTS[name].extension}`,
  supportsPrefix: true,
  prompt: null,
})

let server: FakeServer
const save = vi.spyOn(download, 'saveBlob').mockReturnValue()
beforeEach(() => {
  server = fakeServer()
    .on(userCalls.columns, () => ({ data: [column('name', { primary: true }), column('email'), column('roles', { default: false })] }))
    .on(userCalls.filters, () => ({ data: [] }))
    .on(userCalls.actions, () => ({ data: [action('export_excel'), action('export_csv')] }))
    .on(userCalls.index, () => onePage([row]))
    .on(userCalls.act, () => ({ data: null, export: null, changed: [] }))
})
afterEach(() => {
  save.mockClear()
  resetPage()
})

const fixed = { company: COMPANY }
const table = <Datatable model="users" label="users" basePath="/users" openIn="panel" fixed={fixed} />
const PATH = '/users?search=ann&filter__role=r&sort=email&order=desc&page=1'
async function choose(name: string) {
  const { user } = renderWithSession(table, { session: sessionWith(['view_users_datatable_filters']), path: PATH })
  await user.click(await screen.findByRole('button', { name: 'Export' }))
  await user.click(await screen.findByRole('menuitem', { name }))
  return user
}

it('exports this view with its columns, filters, search and order', async () => {
  await choose('This view as Excel')
  const filters = { search: 'ann', filter__company: COMPANY, filter__role: 'r', sort: 'email', order: 'desc' }
  await waitFor(() =>
    expect(server.bodies(userCalls.act)).toEqual([
      { action: 'export_excel', handle: 'blob', selectedIds: [], input: 'all', filters, columns: ['name', 'email'] },
    ]),
  )
  await waitFor(() => expect(save).toHaveBeenCalledWith(expect.any(Blob), 'users.xlsx'))
})

it('exports everything that the page limits the list to, with all columns, in the same order', async () => {
  await choose('Everything as CSV')
  const filters = { filter__company: COMPANY, sort: 'email', order: 'desc' }
  await waitFor(() =>
    expect(server.bodies(userCalls.act)).toEqual([{ action: 'export_csv', handle: 'blob', selectedIds: [], input: 'all', filters }]),
  )
  await waitFor(() => expect(save).toHaveBeenCalledWith(expect.any(Blob), 'users.csv'))
})

it('says that the file is being prepared, and why there is none', async () => {
  let answer: (() => void) | undefined
  const waiting = new Promise<void>((resolve) => (answer = resolve))
  server.on(userCalls.act, async () => {
    await waiting
    return errorAnswer('too_large', 'An export contains at most 100,000 users.')
  })
  await choose('Everything as Excel')
  expect(await screen.findByText('Preparing your file to download, please wait...')).toBeDefined()
  answer?.()
  expect(await screen.findByText('An export contains at most 100,000 users.')).toBeDefined()
  await waitFor(() => expect(screen.queryByText('Preparing your file to download, please wait...')).toBeNull())
  expect(save).not.toHaveBeenCalled()
})

it('exports the selected rows in the order of the list, and is not in the menu of a row', async () => {
  const session = sessionWith(['view_users_datatable_actions'])
  const { user } = renderWithSession(table, { session, path: PATH })
  await user.click(await screen.findByRole('button', { name: 'Actions for Ann' }))
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['Open'])
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('checkbox', { name: 'Select Ann' }))
  await user.click(await screen.findByRole('button', { name: 'Export as CSV' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Export as CSV' }))
  const sent = { action: 'export_csv', selectedIds: [ID], filters: { sort: 'email', order: 'desc' }, columns: ['name', 'email'] }
  await waitFor(() => expect(server.bodies(userCalls.act)).toMatchObject([sent]))
})

it('is absent for a list that the user cannot export', async () => {
  server.on(userCalls.actions, () => ({ data: [] }))
  renderWithSession(table, { session: sessionWith([]), path: PATH })
  expect(await screen.findByText('Ann')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Export' })).toBeNull()
})
