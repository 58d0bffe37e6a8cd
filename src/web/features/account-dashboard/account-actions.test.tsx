import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { accountCalls } from '#contract/accounts.ts'
import { importCalls } from '#contract/import-calls.ts'
import type { HistoryItem } from '#contract/imports.ts'
import type { InitData } from '#contract/init.ts'
import type { PermissionName } from '#contract/permissions.ts'
import type { FakeServer } from '#web/testing/fake-server.ts'
import { errorAnswer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { ACCOUNT_ID, accountServer, accountWith } from '#web/testing/account-server.ts'

const VIEW: PermissionName[] = ['view_account_details']

let server: FakeServer
afterEach(resetPage)

function open(permissions: PermissionName[], account = accountWith(), guest: Partial<InitData['auth_user']> = {}) {
  const session = sessionWith(permissions, guest)
  server = accountServer(account, session)
  return renderApp(`/accounts/${ACCOUNT_ID}`, session)
}

test.each(['standard', 'managed'] as const)('names the type of a %s account with its creation', async (type) => {
  open([...VIEW, 'update_accounts'], accountWith({ type }))
  const about = await screen.findByRole('group', { name: 'About this account' })
  expect(about.textContent).toMatch(type === 'standard' ? /^Standard account, created \w+ \d+, \d+ by / : /^Managed account, created /)
})

test('names the type of a standard account to users without any command, but not to guests', async () => {
  open(VIEW)
  await screen.findByRole('group', { name: 'About this account' })
  cleanup()
  for (const guest of [{ via_invite: true }, { via_share_link: true }]) {
    open(VIEW, accountWith(), guest)
    await screen.findByRole('tab', { name: 'Overview' })
    expect(screen.queryByRole('group', { name: 'About this account' })).toBeNull()
    cleanup()
  }
})

test('deletes the account only after confirmation', async () => {
  const { user, path } = open([...VIEW, 'delete_accounts', 'view_accounts_component'])
  server.on(accountCalls.remove, () => ({ data: null, message: 'The account was moved to the trash.' }))
  await user.click(await screen.findByRole('button', { name: 'Delete Account' }))
  await screen.findByText('Are you sure you want to delete this record? This action cannot be undone.')
  const question = screen.getByRole('dialog', { name: 'Delete Cascadia Portfolio' })
  expect(question.textContent).toContain('771 properties, $9,249,829,344 total insured value, 12 documents')
  expect(server.requests).not.toContain(`DELETE /accounts/${ACCOUNT_ID}`)
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(server.requests).toContain(`DELETE /accounts/${ACCOUNT_ID}`))
  expect(path()).toBe('/accounts')
})

test('restores a deleted account on Undo', async () => {
  const { user } = open([...VIEW, 'delete_accounts', 'view_accounts_component'])
  server.on(accountCalls.remove, () => ({ data: null, message: 'The account was moved to the trash.' }))
  server.on(accountCalls.restore, () => ({ data: null, message: 'Restored.' }))
  await user.click(await screen.findByRole('button', { name: 'Delete Account' }))
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await screen.findByText('Restored.')
  expect(server.bodies(accountCalls.restore)).toEqual([{ ids: [ACCOUNT_ID] }])
})

const historyItem = (state: HistoryItem['state']): HistoryItem => ({
  id: ACCOUNT_ID,
  account_id: ACCOUNT_ID,
  state,
  status: state,
  activity: null,
  file_name: 'Schedule.xlsx',
  file_id: null,
  total: 2,
  counts: { add: 0, change: 0, unchanged: 0, remove: 0, conflict: 0, excluded: 0, errors: 0 },
  sums: null,
  created: 0,
  updated: 0,
  failed: 0,
  created_by: 'Sam Ortiz',
  created_at: '2026-03-05T15:00:00.000Z',
  committed_at: null,
  undoable: false,
  open: { answers: 0, columns: 0, decisions: 0 },
})

test('names the open imports before an account is deleted, and does not delete it if they cannot be read', async () => {
  const { user } = open([...VIEW, 'delete_accounts', 'bulk_upload_account_properties'])
  server.on(importCalls.history, () => errorAnswer('internal', 'The imports cannot be read.'))
  await user.click(await screen.findByRole('button', { name: 'Delete Account' }))
  await screen.findByText('The imports cannot be read.')
  expect(screen.queryByRole('dialog')).toBeNull()
  server.on(importCalls.history, () => ({ data: [historyItem('committed'), historyItem('validated'), historyItem('cancelled')] }))
  await user.click(screen.getByRole('button', { name: 'Delete Account' }))
  expect((await screen.findByRole('dialog', { name: 'Delete Cascadia Portfolio' })).textContent).toContain('12 documents, 1 open import')
})

const DOWNLOADS: PermissionName[] = [
  ...VIEW,
  'view_account_files',
  'view_download_all_files_button',
  'download_files',
  'download_all_files',
]

test('the overview of a standard account leads to the downloads, each time with an open menu', async () => {
  const { user, path } = open(DOWNLOADS)
  for (const _time of ['first', 'second']) {
    await user.click(await screen.findByRole('button', { name: 'Downloads' }))
    await screen.findByRole('menuitem', { name: /Generate Organized Zip/ })
    expect(path()).toBe(`/accounts/${ACCOUNT_ID}/export`)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull())
  }
})

test('the overview leads to the downloads if the menu has any, such as the property list alone', async () => {
  const { user } = open([...VIEW, 'view_account_properties', 'view_download_property_list_button'])
  await user.click(await screen.findByRole('button', { name: 'Downloads' }))
  await screen.findByRole('menuitem', { name: /^Property List/ })
  expect(screen.queryByRole('menuitem', { name: /Generate Organized Zip/ })).toBeNull()
})

test.each([
  ['a managed account', DOWNLOADS, accountWith({ type: 'managed' }), {}],
  ['a user without downloads', [...VIEW, 'view_account_activity'] satisfies PermissionName[], accountWith(), {}],
  ['a guest of an invitation who works on properties', [...DOWNLOADS, 'update_account_properties'], accountWith(), { via_invite: true }],
] as const)('the overview of %s does not lead to the downloads', async (_who, permissions, account, guest) => {
  open([...permissions, 'update_accounts'], account, guest)
  await screen.findByRole('link', { name: 'Edit Account' })
  expect(screen.queryByRole('button', { name: 'Downloads' })).toBeNull()
})
