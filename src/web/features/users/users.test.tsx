import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { companyCalls } from '#contract/companies.ts'
import type { Form } from '#contract/form.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { userCalls, type User, type UserRow } from '#contract/users.ts'
import { queryClient } from '#web/data/query-client.ts'
import { initQuery } from '#web/data/session.ts'
import { aCompany } from '#web/testing/company.ts'
import { errorAnswer, fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

const USER_ID = '0198c0de-0000-7000-8000-0000000000bb'
const COMPANY_ID = '0198c0de-0000-7000-8000-0000000000aa'
const user: User = {
  version: 4,
  created_at: '2026-01-02T12:00:00Z',
  updated_at: '2026-01-02T12:00:00Z',
  deleted_at: null,
  accessible_features: { update: true, delete: true },
  id: USER_ID,
  name: { first_name: 'Dana', last_name: 'Whitfield' },
  first_name: 'Dana',
  last_name: 'Whitfield',
  full_name: 'Dana Whitfield',
  email: 'dana@harborpoint.example',
  cell_phone: null,
  enable_2fa: true,
  has_authenticator_app: false,
  passkeys: 0,
  company: { id: COMPANY_ID, name: 'Harbor Point' },
  roles: [{ id: USER_ID, name: 'broker', label: 'Broker' }],
  last_login_at: null,
  deactivated_at: null,
}
const form: Form = {
  model: 'users',
  id: USER_ID,
  title: 'User',
  version: 4,
  sections: [{ title: 'User', fields: [{ name: 'first_name', label: 'First name', type: 'text', value: 'Dana', required: true }] }],
}
const SEES: PermissionName[] = ['view_users_component', 'view_companies_component', 'view_company_details']
const UPDATES: PermissionName[] = [...SEES, 'update_users', 'update_companies']
const EMPTY_LIST = onePage([])

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
    .on(userCalls.show, () => ({ data: user }))
    .on(companyCalls.show, () => ({ data: aCompany({ id: COMPANY_ID }) }))
    .on(userCalls.index, () => EMPTY_LIST)
    .on(companyCalls.index, () => EMPTY_LIST)
    .on(userCalls.columns, () => ({ data: [] }))
    .on(companyCalls.columns, () => ({ data: [] }))
    .on(userCalls.editForm, () => ({ data: form }))
    .on(userCalls.update, () => ({ data: user, message: 'The user was saved.' }))
})
afterEach(resetPage)

function open(path: string, permissions: PermissionName[] = UPDATES) {
  return renderApp(path, sessionWith(permissions))
}
const panelOf = (name: string) => screen.findByRole('dialog', { name })

describe.each([
  ['the list of users', '/users', `/users/${USER_ID}`],
  ['the list of companies', '/companies', `/companies/${COMPANY_ID}/users/${USER_ID}`],
])("a user's panel over %s", (_place, list, address) => {
  it('leads to the form, back after the save, and closes to the list', async () => {
    const { user: person, path } = open(`${address}?page=2`)
    const panel = await panelOf('Dana Whitfield')
    expect(within(panel).getByText('Broker')).toBeDefined()
    await person.click(within(panel).getByRole('button', { name: 'Edit' }))
    await panelOf('Edit user')
    expect(path()).toBe(`${address}/edit?page=2`)
    await person.type(await screen.findByRole('textbox', { name: /First name/ }), 'h')
    await person.click(screen.getByRole('button', { name: 'Save changes' }))
    await waitFor(() => expect(path()).toBe(`${address}?page=2`))
    expect(server.bodies(userCalls.update)).toEqual([{ first_name: 'Danah', version: 4 }])
    await panelOf('Dana Whitfield')
    await person.keyboard('{Escape}')
    await waitFor(() => expect(path()).toBe(`${list}?page=2`))
  })

  it('has no Edit without the permission', async () => {
    open(address, SEES)
    const panel = await panelOf('Dana Whitfield')
    await within(panel).findByText('Broker')
    expect(within(panel).queryByRole('button', { name: 'Edit' })).toBeNull()
  })
})

describe("a user's company", () => {
  it('opens over the list of users, which has no form of companies', async () => {
    const { user: person, path } = open(`/users/${USER_ID}`)
    await person.click(await screen.findByRole('link', { name: 'Harbor Point' }))
    const panel = await panelOf('Harbor Point')
    expect(path()).toBe(`/users/users-company/${COMPANY_ID}`)
    expect(within(panel).queryByRole('button', { name: 'Edit' })).toBeNull()
    await person.keyboard('{Escape}')
    await waitFor(() => expect(path()).toBe('/users'))
  })

  it('is a plain text for users who have no access to it', async () => {
    open(`/users/${USER_ID}`, ['view_users_component'])
    expect((await screen.findByText('Harbor Point')).tagName).toBe('DD')
  })
})

it('a changed email needs the current password, whose error is shown at its field', async () => {
  const message = 'Please enter your current password.'
  const email = { name: 'email', label: 'Email', type: 'email', value: user.email, required: true } as const
  const current = { name: 'current_password', label: 'Your current password', type: 'password', value: '', required: false } as const
  server
    .on(userCalls.editForm, () => ({
      data: { ...form, sections: [{ title: 'User', fields: [email, { ...current, autocomplete: 'current-password' as const }] }] },
    }))
    .on(userCalls.update, ({ body }) =>
      body.current_password === undefined
        ? errorAnswer('invalid', message, { current_password: [message] })
        : { data: user, message: 'The user was saved.' },
    )
  const { user: person, path } = open(`/users/${USER_ID}/edit`)
  await person.type(await screen.findByRole('textbox', { name: /Email/ }), 'x')
  await person.click(screen.getByRole('button', { name: 'Save changes' }))
  const input = screen.getByLabelText(/^Your current password/)

  await waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getByText(message)).toBeDefined()
  expect(input.getAttribute('autocomplete')).toBe('current-password')
  await person.type(input, 'correct horse battery')
  await person.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(path()).toBe(`/users/${USER_ID}`))
  expect(server.bodies(userCalls.update)).toEqual([
    { email: `${user.email}x`, version: 4 },
    { email: `${user.email}x`, current_password: 'correct horse battery', version: 4 },
  ])
})

describe("a company's users", () => {
  const row: UserRow = {
    id: USER_ID,
    deleted_at: null,
    is_new: false,
    name: { value: 'Dana Whitfield', text: 'Dana Whitfield' },
    email: { value: '', text: '' },
    company: { value: '', text: '' },
    roles: { value: 'Broker', text: 'Broker' },
    state: { value: 'Deactivated', text: 'Deactivated' },
    last_login_at: { value: null, text: '' },
    created_at: { value: null, text: '' },
  }

  it('are links in its panel, from which a button leads back', async () => {
    server.on(userCalls.index, () => onePage([row]))
    const { user: person, path } = open(`/companies/${COMPANY_ID}?page=2`)
    const panel = await panelOf('Harbor Point')
    expect(await within(panel).findByText('Broker · Deactivated')).toBeDefined()
    expect(server.requests.some((request) => request.includes(`filter__company_id=${COMPANY_ID}`))).toBe(true)
    await person.click(within(panel).getByRole('link', { name: 'Dana Whitfield' }))
    await panelOf('Dana Whitfield')
    expect(path()).toBe(`/companies/${COMPANY_ID}/users/${USER_ID}?page=2`)
    await person.click(screen.getByRole('button', { name: 'Back to the company' }))
    await panelOf('Harbor Point')
    expect(path()).toBe(`/companies/${COMPANY_ID}?page=2`)
  })

  it('get another one by a form with the company, which closes to the company', async () => {
    const values = { first_name: 'Dana', last_name: 'Whitfield', email: user.email, company_id: COMPANY_ID }
    const fields = Object.entries(values).map(([name, value]) => ({ name, label: name, type: 'text' as const, value, required: true }))
    const options = [{ value: USER_ID, label: 'Broker' }]
    const roles = { name: 'roles', label: 'Roles', type: 'multiselect' as const, value: [USER_ID], required: true, options }
    server
      .on(userCalls.form, () => ({ data: { ...form, id: null, version: null, sections: [{ title: 'User', fields: [...fields, roles] }] } }))
      .on(userCalls.create, () => ({ data: user }))
    const { user: person, path } = open(`/companies/${COMPANY_ID}`, [...UPDATES, 'create_users'])
    await person.click(await screen.findByRole('link', { name: 'Add user' }))
    await panelOf('Add user')
    expect(path()).toBe(`/companies/${COMPANY_ID}/users/create`)
    await screen.findByRole('textbox', { name: /first_name/ })
    expect(server.requests).toContain(`GET /forms/users?company_id=${COMPANY_ID}`)
    await person.keyboard('{Escape}')
    await waitFor(() => expect(path()).toBe(`/companies/${COMPANY_ID}`))
    await person.click(await screen.findByRole('link', { name: 'Add user' }))
    await screen.findByRole('textbox', { name: /first_name/ })
    await person.click(screen.getByRole('button', { name: 'Add user' }))
    await waitFor(() => expect(path()).toBe(`/companies/${COMPANY_ID}/users/${USER_ID}`))
  })

  it('are not shown to viewers without the list of users', async () => {
    open(`/companies/${COMPANY_ID}`, ['view_companies_component', 'view_company_details'])
    const panel = await panelOf('Harbor Point')
    await within(panel).findByText('No subscription.')
    expect(within(panel).queryByRole('region', { name: /Users/ })).toBeNull()
    expect(server.requests.some((request) => request.startsWith('GET /users?'))).toBe(false)
  })
})

it('a form takes its values from the address, which the list does not retain', async () => {
  server.on(userCalls.form, () => ({ data: { ...form, id: null, version: null } }))
  const { user: person, path } = open(`/users/create?company_id=${COMPANY_ID}&search=dana&filter__state=active`, [
    ...UPDATES,
    'create_users',
  ])
  await screen.findByRole('textbox', { name: /First name/ })
  expect(server.requests).toContain(`GET /forms/users?company_id=${COMPANY_ID}`)
  await person.keyboard('{Escape}')
  await waitFor(() => expect(path()).toBe('/users?search=dana&filter__state=active'))
})

describe('the commands of a user', () => {
  it('deactivate after a question, and reactivate', async () => {
    server.on(userCalls.act, () => ({ data: null, message: '1 user deactivated.', export: null, changed: [] }))
    const { user: person } = open(`/users/${USER_ID}`)
    await person.click(await screen.findByRole('button', { name: 'Deactivate' }))
    const question = await panelOf('Deactivate Dana Whitfield')
    server.on(userCalls.show, () => ({ data: { ...user, deactivated_at: '2026-02-03T12:00:00Z' } }))
    await person.click(within(question).getByRole('button', { name: 'Deactivate' }))
    await person.click(await screen.findByRole('button', { name: 'Reactivate' }))
    expect(screen.queryByRole('button', { name: 'Send welcome email' })).toBeNull()
    await waitFor(() => expect(server.bodies(userCalls.act).map((body) => body.action)).toEqual(['deactivate', 'reactivate']))
  })

  it('send the welcome email by its call', async () => {
    server.on(userCalls.sendWelcome, () => ({ data: null, message: 'The welcome email is on its way.' }))
    const { user: person } = open(`/users/${USER_ID}`)
    await person.click(await screen.findByRole('button', { name: 'Send welcome email' }))
    expect(await screen.findByText('The welcome email is on its way.')).toBeDefined()
    expect(server.requests).toContain(`POST /users/${USER_ID}/sendwelcome`)
  })

  it('are absent without the permission, and Deactivate for oneself', async () => {
    open(`/users/${USER_ID}`, SEES)
    await within(await panelOf('Dana Whitfield')).findByText('Broker')
    expect(screen.queryByRole('button', { name: 'Send welcome email' })).toBeNull()
    resetPage()
    const own = sessionWith(UPDATES)
    server = fakeServer()
      .on(userCalls.show, () => ({ data: { ...user, id: own.auth_user.id } }))
      .on(userCalls.index, () => EMPTY_LIST)
      .on(userCalls.columns, () => ({ data: [] }))
    renderApp(`/users/${own.auth_user.id}`, own)
    expect(await screen.findByRole('button', { name: 'Send welcome email' })).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Deactivate' })).toBeNull()
  })
})

describe('Reset second factor', () => {
  const withFactors = (factors: Partial<User>) => server.on(userCalls.show, () => ({ data: { ...user, ...factors } }))
  const button = { name: 'Reset second factor' }

  it.each([
    [true, 0],
    [false, 2],
  ])(
    'is offered for a user with an app (%s) and %i passkeys, and needs the right current password',
    async (has_authenticator_app, passkeys) => {
      withFactors({ has_authenticator_app, passkeys })
      const { user: person } = open(`/users/${USER_ID}`)
      await person.click(await screen.findByRole('button', button))
      const dialog = await panelOf('Reset the second factor of Dana Whitfield')
      const send = within(dialog).getByRole('button', { name: 'Reset' })
      await person.click(send)
      expect(within(dialog).getByText('Please enter your current password.')).toBeDefined()
      expect(server.bodies(userCalls.resetFactors)).toEqual([])

      server.on(userCalls.resetFactors, () =>
        errorAnswer('invalid', 'Please check.', { current_password: ['This is not your current password.'] }),
      )
      await person.type(within(dialog).getByLabelText('Current Password'), 'wrong')
      await person.click(send)
      expect(await within(dialog).findByText('This is not your current password.')).toBeDefined()

      server.on(userCalls.resetFactors, () => ({ data: null, message: 'The second factor was reset.' }))
      withFactors({})
      await person.type(within(dialog).getByLabelText('Current Password'), 'right')
      await person.click(send)
      expect(await screen.findByText('The second factor was reset.')).toBeDefined()
      expect(server.bodies(userCalls.resetFactors)).toEqual([{ current_password: 'wrong' }, { current_password: 'right' }])
      await waitFor(() => expect(screen.queryByRole('button', button)).toBeNull())
    },
  )

  it('is not offered for a user without app and passkeys', async () => {
    open(`/users/${USER_ID}`)
    await screen.findByRole('button', { name: 'Send welcome email' })
    expect(screen.queryByRole('button', button)).toBeNull()
  })

  it('is not offered for oneself', async () => {
    const { id } = sessionWith(UPDATES).auth_user
    withFactors({ has_authenticator_app: true, id })
    open(`/users/${id}`)
    await screen.findByRole('button', { name: 'Send welcome email' })
    expect(screen.queryByRole('button', button)).toBeNull()
  })

  it('is not offered without the permission', async () => {
    withFactors({ has_authenticator_app: true })
    open(`/users/${USER_ID}`, SEES)
    await within(await panelOf('Dana Whitfield')).findByText('Broker')
    expect(screen.queryByRole('button', button)).toBeNull()
  })
})

it('a page that the user may no longer open is left, and data of it is dropped, when the permission is taken', async () => {
  const row = { ...user, id: USER_ID }
  const { path } = open(`/users/${USER_ID}`)
  await panelOf('Dana Whitfield')
  expect(queryClient.getQueryData(['record', 'users', USER_ID])).toMatchObject({ id: row.id })
  server.on(userCalls.show, () => errorAnswer('forbidden')).on(userCalls.index, () => errorAnswer('forbidden'))
  act(() => void queryClient.setQueryData(initQuery.queryKey, sessionWith(['view_companies_component'])))
  await waitFor(() => expect(path()).toBe('/404'))
  act(() => void queryClient.invalidateQueries())
  await queryClient.refetchQueries({ queryKey: ['record', 'users'] }).catch(() => undefined)
  await waitFor(() => expect(queryClient.getQueryData(['record', 'users', USER_ID])).toBeUndefined())
})

it('a page that the user may no longer open stays while it has unsaved changes', async () => {
  const form = { model: 'users', id: USER_ID, title: 'Edit user', version: 1 }
  const name = { name: 'first_name', label: 'First name', type: 'text', value: 'Dana', required: true } as const
  server.on(userCalls.editForm, () => ({ data: { ...form, sections: [{ title: '', fields: [name] }] } }))
  const { user: person, path } = open(`/users/${USER_ID}/edit`)
  await person.type(await screen.findByRole('textbox', { name: 'First name' }), ' Lee')
  for (const call of [userCalls.editForm, userCalls.index]) server.on(call, () => errorAnswer('forbidden'))
  act(() => void queryClient.setQueryData(initQuery.queryKey, sessionWith(['view_companies_component'])))
  expect(within(await screen.findByRole('region', { name: 'What you entered' })).getByText('Dana Lee')).toBeDefined()
  expect(path()).toBe(`/users/${USER_ID}/edit`)
  await person.click(screen.getByRole('button', { name: 'Cancel' }))
  await person.click(await screen.findByRole('button', { name: 'Discard changes' }))
  await waitFor(() => expect(path()).toBe('/404'))
})

it('a deleted record shows when it was deleted', async () => {
  server.on(userCalls.show, () => ({
    data: { ...user, deleted_at: '2026-02-03T12:00:00Z', accessible_features: { update: false, delete: true } },
  }))
  open(`/users/${USER_ID}`)
  const panel = await panelOf('Dana Whitfield')
  expect(within(panel).getByText('Deleted').nextSibling?.textContent).toMatch(/2026/)
  expect(within(panel).queryByRole('button', { name: 'Edit' })).toBeNull()
})

it('the list of users needs its permission', async () => {
  const { path } = open('/users', ['view_companies_component'])
  await waitFor(() => expect(path()).toBe('/404'))
})
