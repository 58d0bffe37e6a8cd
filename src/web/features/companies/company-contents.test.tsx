import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { companyCalls, type CompanyContents, type CompanyRow } from '#contract/companies.ts'
import { errorAnswer, fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

const cell = (text: string) => ({ value: text, text })
const row = (digit: number, name: string, deleted_at: string | null = null): CompanyRow => ({
  id: `0198c0de-0000-7000-8000-00000000000${digit}`,
  deleted_at,
  is_new: false,
  name: cell(name),
  users: cell('9'),
  accounts: cell('12'),
  subscriptions: cell(''),
  timezone: cell(''),
  created_at: cell(''),
  updated_at: cell(''),
})
const FULL: CompanyContents = {
  accounts: 12,
  properties: 3_400,
  documents: 812,
  users: 9,
  tiv: [{ amount: 1_200_000_000, currency: 'USD' }],
}
const ONLY_USERS: CompanyContents = { accounts: 0, properties: 0, documents: 0, users: 9, tiv: [] }

let server: FakeServer
beforeEach(() => {
  const column = { src: 'name', label: 'Name', sort: 'name', sortable: true, primary: true, disabled: true, default: true }
  server = fakeServer()
    .on(companyCalls.columns, () => ({ data: [{ ...column, width: null, classes: '', icon_only: false }] }))
    .on(companyCalls.filters, () => ({ data: [] }))
    .on(companyCalls.actions, () => ({ data: [] }))
    .on(companyCalls.index, () => onePage([row(1, 'Harbor Brokerage'), row(2, 'Summit'), row(3, 'Gone', '2026-01-01T00:00:00Z')]))
    .on(companyCalls.contents, () => ({ data: FULL }))
    .on(companyCalls.trash, () => ({ data: null, message: 'Moved to the trash.' }))
})
afterEach(resetPage)

async function ask(name: string, command: string) {
  const session = sessionWith(['view_companies_component', 'delete_companies', 'view_companies_datatable_actions'])
  const { user } = renderApp('/companies?filter__trashed=with', session)
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
  await user.click(await screen.findByRole('menuitem', { name: command }))
  const dialog = within(await screen.findByRole('dialog'))
  return { user, dialog, button: () => dialog.getByRole<HTMLButtonElement>('button', { name: command }) }
}

it('a company is deleted only after the user has seen what goes to the trash with it', async () => {
  const answer = Promise.withResolvers<{ data: CompanyContents }>()
  server.on(companyCalls.contents, () => answer.promise as never)
  const { user, dialog, button } = await ask('Harbor Brokerage', 'Delete')
  expect(dialog.getByText('Counting what is deleted with it…')).toBeDefined()
  expect(button().disabled).toBe(true)
  answer.resolve({ data: FULL })
  const text =
    '12 accounts (3,400 properties, 812 documents, $1,200,000,000 total insured value) and 9 users go to the trash with it. Restoring it restores these, too.'
  expect(await dialog.findByText(text)).toBeDefined()
  await user.click(button())
  await waitFor(() => expect(server.bodies(companyCalls.trash)).toEqual([{ selectedIds: [row(1, '').id], force: false }]))
})

it('a company with accounts in the trash cannot be permanently deleted, and the dialog says what to do first', async () => {
  const { dialog, button } = await ask('Gone', 'Permanently Delete')
  expect(await dialog.findByText(/^12 accounts .* are still in the trash of this company\. Permanently delete them first\.$/)).toBeDefined()
  expect(button().disabled).toBe(true)
})

it('a company without accounts names the users that are permanently deleted with it', async () => {
  server.on(companyCalls.contents, () => ({ data: ONLY_USERS }))
  const { dialog, button } = await ask('Gone', 'Permanently Delete')
  expect(await dialog.findByText('9 users are permanently deleted with it.')).toBeDefined()
  expect(button().disabled).toBe(false)
})

it('contents that cannot be counted are not zero, and can be counted again', async () => {
  server.on(companyCalls.contents, () => errorAnswer('forbidden', 'You do not have permission to do this.'))
  const { user, dialog, button } = await ask('Harbor Brokerage', 'Delete')
  expect(await dialog.findByText('What is deleted with it could not be counted')).toBeDefined()
  expect(button().disabled).toBe(true)
  server.on(companyCalls.contents, () => ({ data: ONLY_USERS }))
  await user.click(dialog.getByRole('button', { name: 'Retry' }))
  expect(await dialog.findByText(/9 users go to the trash with it/)).toBeDefined()
})
