import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { accountCalls } from '#contract/accounts.ts'
import { queryClient } from '#web/data/query-client.ts'
import { ACCOUNT_ID, accountServer, accountWith } from '#web/testing/account-server.ts'
import { errorAnswer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage, signInAs } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { toast } from '#web/ui/toast.tsx'

afterEach(() => {
  vi.restoreAllMocks()
  resetPage()
})

test.each([
  [
    'the message of the server as a warning',
    'internal',
    'The archive of accounts is closed.',
    'Warning: The archive of accounts is closed.',
  ],
  [
    'a broken connection as an alert',
    'no-answer',
    '',
    'Problem: The server could not be reached. Please check your connection and try again.',
  ],
] as const)('the page of an account shows %s in a toast', async (_case, kind, message, text) => {
  const session = sessionWith(['view_account_details', 'view_accounts_component'])
  accountServer(accountWith(), session).on(accountCalls.show, () => errorAnswer(kind, message))
  renderApp(`/accounts/${ACCOUNT_ID}`, session)
  const shown = await screen.findByText((_text, element) => element?.tagName === 'SPAN' && element.textContent === text)
  expect(shown.closest('[role="alert"]')).not.toBeNull()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Account')
})

test('an account that cannot be loaded because of too many calls shows the message once', async () => {
  const session = sessionWith(['view_account_details', 'view_accounts_component'])
  const warning = vi.spyOn(toast, 'warning')
  accountServer(accountWith(), session).on(accountCalls.show, () => errorAnswer('throttled', 'Please wait a moment.'))
  renderApp(`/accounts/${ACCOUNT_ID}`, session)
  expect(await screen.findByText('The account could not be loaded.')).toBeDefined()
  expect(warning.mock.calls.map(([message]) => message)).toEqual(['Please wait a moment.'])
})

test('what is entered in a panel over an account stays when the account may no longer be seen, and the page is left after the panel', async () => {
  const session = sessionWith(['view_account_details', 'view_accounts_component', 'update_accounts'])
  const name = { name: 'name', label: 'Account name', type: 'text', value: 'Cascadia Portfolio', required: true } as const
  const server = accountServer(accountWith(), session).on(accountCalls.editForm, () => ({
    data: { model: 'accounts', id: ACCOUNT_ID, title: 'Edit account', version: 1, sections: [{ title: '', fields: [name] }] },
  }))
  const { user, path } = renderApp(`/accounts/${ACCOUNT_ID}/edit-overview`, session)
  await user.type(await screen.findByRole('textbox', { name: 'Account name' }), ' West')
  for (const call of [accountCalls.show, accountCalls.editForm]) server.on(call, () => errorAnswer('forbidden', 'You cannot see this.'))
  act(() => signInAs(sessionWith(['view_accounts_component', 'update_accounts'])))
  act(() => void queryClient.invalidateQueries())
  expect(within(await screen.findByRole('region', { name: 'What you entered' })).getByText('Cascadia Portfolio West')).toBeDefined()
  await waitFor(() => expect(screen.queryByText('HP-117')).toBeNull())
  expect(path()).toBe(`/accounts/${ACCOUNT_ID}/edit-overview`)
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('button', { name: 'Discard changes' }))
  await waitFor(() => expect(path()).toBe('/accounts'))
})

test('without the permission for details, an account and its panels are not found in place, without any call about it', async () => {
  const session = sessionWith(['view_dashboard_component', 'view_accounts_component', 'update_accounts'])
  for (const address of [`/accounts/${ACCOUNT_ID}`, `/accounts/${ACCOUNT_ID}/edit-overview`]) {
    const server = accountServer(accountWith(), session)
    const { path } = renderApp(address, session)
    expect(await screen.findByText(/^The page you are looking for does not exist/)).toBeDefined()
    expect(path()).toBe(address)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(server.requests.filter((one) => one.includes(ACCOUNT_ID))).toEqual([])
    resetPage()
  }
})
