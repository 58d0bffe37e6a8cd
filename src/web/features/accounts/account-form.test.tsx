import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { accountCalls } from '#contract/accounts.ts'
import type { Form, FormField } from '#contract/form.ts'
import { fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage, signInAs } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

const BOTH = ['view_accounts_component', 'create_accounts', 'create_standard_accounts', 'create_simple_accounts'] as const

const fieldOf = (name: string, label: string, type: FormField['type'], value: string): FormField => ({
  name,
  label,
  type,
  value,
  required: false,
})

/** The form as the server makes it: with the values of the query, and dates of standard accounts only. */
const formOf = (query: Readonly<Record<string, unknown>>): Form => {
  const value = (name: string) => (typeof query[name] === 'string' ? query[name] : '')
  const dates = query['type'] === 'standard' ? [fieldOf('effective_date', 'Effective date', 'date', value('effective_date'))] : []
  const fields = [fieldOf('name', 'Account name', 'text', value('name')), fieldOf('type', 'Type', 'text', value('type')), ...dates]
  return { model: 'accounts', id: null, title: 'Start an Account', version: null, sections: [{ title: '', fields }] }
}

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
    .on(accountCalls.columns, () => ({ data: [] }))
    .on(accountCalls.index, () => onePage([]))
    .on(accountCalls.form, ({ query }) => ({ data: formOf(query) }))
})
afterEach(resetPage)

const start = (query = '') => renderApp(`/accounts/create${query}`, sessionWith([...BOTH]))
const nameField = () => screen.findByRole('textbox', { name: 'Account name' })

test('the form of a new account says that the company has no valid subscription', async () => {
  renderApp(
    '/accounts/create',
    sessionWith([...BOTH], { subscription: { id: '0', name: '', created_at: null, ends_at: null, term: null } }),
  )
  await nameField()
  expect(screen.getByText('Your company does not have a valid Subscription.')).toBeDefined()
})

test('what was entered stays when the type of a new account changes', async () => {
  const { user } = start()
  await user.type(await nameField(), 'Cascadia')
  await user.type(await screen.findByLabelText('Effective date'), '2026-12-01')
  await user.click(screen.getByRole('radio', { name: 'Managed' }))
  await waitFor(() => expect(screen.queryByLabelText('Effective date')).toBeNull())
  expect((await nameField()).getAttribute('value')).toBe('Cascadia')
  await user.type(await nameField(), ' 2')
  await user.click(screen.getByRole('radio', { name: 'Standard' }))
  expect((await screen.findByLabelText('Effective date')).getAttribute('value')).toBe('2026-12-01')
  expect((await nameField()).getAttribute('value')).toBe('Cascadia 2')
})

test('the address of a new account can name its type and values', async () => {
  start('?type=managed&name=Cascadia')
  expect((await nameField()).getAttribute('value')).toBe('Cascadia')
  const types = within(screen.getByRole('radiogroup', { name: 'Account type' }))
  expect((await types.findByRole('radio', { name: 'Managed' })).matches(':checked')).toBe(true)
  expect(server.requests.filter((request) => request.startsWith('GET /forms/accounts'))).toHaveLength(1)
})

test.each([
  ['the dashboard', '/start-account', 'Managed'],
  ['the list of accounts', '/accounts/create', 'Standard'],
])('started from %s, it has its type, and says what the type is for', async (_from, path, type) => {
  renderApp(path, sessionWith([...BOTH, 'view_dashboard_component', 'view_dashboard_account_datatable']))
  const panel = await screen.findByRole('dialog', { name: 'Start an Account' })
  expect((await within(panel).findByRole('radio', { name: type })).matches(':checked')).toBe(true)
  expect(within(panel).queryByText(/import its schedule/) !== null).toBe(type === 'Standard')
  expect(within(panel).queryByText(/Documents are collected/) !== null).toBe(type === 'Managed')
})

test('what was entered stays when the permission for its type is taken away, until the other type is chosen', async () => {
  const { user } = start()
  await user.type(await nameField(), 'Cascadia')
  act(() => signInAs(sessionWith(['view_accounts_component', 'create_accounts', 'create_simple_accounts'])))
  await screen.findByText('You are not allowed to start standard accounts. Choose the other type.')
  expect((await nameField()).getAttribute('value')).toBe('Cascadia')
  expect(screen.getByRole('button', { name: 'Start account' }).hasAttribute('disabled')).toBe(true)
  await user.click(screen.getByRole('radio', { name: 'Managed' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Start account' }).hasAttribute('disabled')).toBe(false))
  expect((await nameField()).getAttribute('value')).toBe('Cascadia')
})

test('without a permission for any type no account can be started', async () => {
  const { user } = start()
  await user.type(await nameField(), 'Cascadia')
  act(() => signInAs(sessionWith(['view_accounts_component', 'create_accounts'])))
  await screen.findByText('You are not allowed to start accounts.')
  expect((await nameField()).getAttribute('value')).toBe('Cascadia')
})
