import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { companyCalls, type Company } from '#contract/companies.ts'
import type { Form } from '#contract/form.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { emitPageEvent } from '#web/data/page-events.ts'
import { errorAnswer, fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage, signInAs } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

const ID = '0198c0de-0000-7000-8000-0000000000aa'
const company: Company = {
  id: ID,
  name: 'Harbor Point',
  language: 'en',
  timezone: 'America/Chicago',
  logo_url: null,
  subscriptions: [
    { id: ID, name: 'Professional', started_at: '2026-01-02T17:00:00Z', ends_at: '2027-01-02T17:00:00Z', state: 'active', price: 900 },
  ],
  users: 3,
  accounts: 12,
  check_settings: {},
  email_instead_of_app: false,
  version: 4,
  created_at: '2026-01-02T12:00:00Z',
  updated_at: '2026-01-03T12:00:00Z',
  deleted_at: null,
  accessible_features: { update: true, delete: true },
}
const form = (id: string | null, name: string, version: number | null): Form => ({
  model: 'companies',
  id,
  title: 'Company',
  version,
  sections: [{ title: 'Company', fields: [{ name: 'name', label: 'Company name', type: 'text', value: name, required: true, max: 120 }] }],
})
const MAY: PermissionName[] = [
  'view_companies_component',
  'view_company_details',
  'create_companies',
  'update_companies',
  'view_companies_datatable_search',
]

let server: FakeServer
beforeEach(() => {
  signInAs(sessionWith(MAY))
  server = fakeServer()
    // First, since its path would match the fixed paths of the list, too.
    .on(companyCalls.show, () => ({ data: company }))
    .on(companyCalls.index, () => onePage([]))
    .on(companyCalls.columns, () => ({ data: [] }))
    .on(companyCalls.form, () => ({ data: form(null, '', null) }))
    .on(companyCalls.editForm, () => ({ data: form(ID, 'Harbor Point', 4) }))
    .on(companyCalls.create, () => ({ data: company, message: 'Company added.' }))
    .on(companyCalls.update, () => ({ data: company, message: 'Company saved.' }))
})
afterEach(resetPage)

describe('a company', () => {
  it('opens as a panel over the list and closes with Escape, keeping what was set there', async () => {
    const { user, path } = renderApp(`/companies/${ID}?search=harbor`)
    const panel = await screen.findByRole('dialog', { name: 'Harbor Point' })
    expect(within(panel).getByText('Professional')).toBeDefined()
    expect(screen.getByRole('region', { name: 'companies', hidden: true })).toBeDefined()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(path()).toBe('/companies?search=harbor'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('offers to restore it, not to edit it, while it is in the trash', async () => {
    server
      .on(companyCalls.show, () => ({
        data: { ...company, deleted_at: '2026-02-01T12:00:00Z', accessible_features: { update: false, delete: true } },
      }))
      .on(companyCalls.restore, () => ({ data: null, message: 'Restored.' }))
    signInAs(sessionWith([...MAY, 'delete_companies']))
    const { user } = renderApp(`/companies/${ID}`)
    await user.click(await screen.findByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(server.bodies(companyCalls.restore)).toEqual([{ selectedIds: [ID] }]))
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
  })

  it('says that a deleted or invisible record is not here', async () => {
    server.on(companyCalls.show, () => errorAnswer('not_found', 'Company not found.'))
    renderApp(`/companies/${ID}`)
    expect(await screen.findByText('This record is not here')).toBeDefined()
  })

  it('names who can give a missing permission, without a retry', async () => {
    server.on(companyCalls.show, () => errorAnswer('forbidden', 'You do not have permission to do this.'))
    renderApp(`/companies/${ID}`)
    expect(await screen.findByText('You need a permission for this')).toBeDefined()
    expect(screen.getByText('Ask an administrator of Harbor Point Brokerage to give it to you.')).toBeDefined()
    expect(screen.queryByText('This record is not here')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
  })

  it('names who can give the permission for the list', async () => {
    server.on(companyCalls.index, () => errorAnswer('forbidden', 'You do not have permission to do this.'))
    renderApp('/companies')
    expect(await screen.findByText('Ask an administrator of Harbor Point Brokerage to give it to you.')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
  })

  it('offers another try after a broken connection', async () => {
    server.on(companyCalls.show, () => errorAnswer('no-answer', ''))
    renderApp(`/companies/${ID}`)
    expect(await screen.findByText('The server could not be reached. Please check your connection and try again.')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined()
  })
})

describe('the form of a company', () => {
  it('rejects an empty name under its field without a request, and the message goes on edit', async () => {
    const { user } = renderApp('/companies/create')
    const name = await screen.findByRole('textbox', { name: /Company name/ })
    await user.click(screen.getByRole('button', { name: 'Add company' }))
    expect(name.getAttribute('aria-invalid')).toBe('true')
    expect(server.bodies(companyCalls.create)).toEqual([])
    await user.type(name, 'H')
    expect(name.getAttribute('aria-invalid')).not.toBe('true')
  })

  it('saves and shows the record', async () => {
    const { user, path } = renderApp('/companies/create?page=2')
    await user.type(await screen.findByRole('textbox', { name: /Company name/ }), 'Harbor Point')
    await user.click(screen.getByRole('button', { name: 'Add company' }))
    await waitFor(() => expect(path()).toBe(`/companies/${ID}?page=2`))
    expect(server.bodies(companyCalls.create)).toEqual([{ name: 'Harbor Point' }])
    expect(await screen.findByText('Company added.')).toBeDefined()
  })

  it('has a checkbox for codes by email, which saves only the choice', async () => {
    const label = 'Users with an authenticator app may sign in with a code by email instead'
    const saved = form(ID, 'Harbor Point', 4)
    const fields = [{ name: 'email_instead_of_app', label, type: 'checkbox', value: false, required: false }] as const
    server.on(companyCalls.editForm, () => ({
      data: { ...saved, sections: [...saved.sections, { title: 'Sign-in', fields: [...fields] }] },
    }))
    const { user } = renderApp(`/companies/${ID}/edit`)
    const checkbox = await screen.findByRole('checkbox', { name: label })
    expect(checkbox).toHaveProperty('checked', false)
    await user.click(checkbox)
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    await waitFor(() => expect(server.bodies(companyCalls.update)).toEqual([{ version: 4, email_instead_of_app: true }]))
  })

  it("shows the server's message under the field", async () => {
    server.on(companyCalls.create, () => errorAnswer('invalid', 'Please check.', { name: ['This name is taken.'] }))
    const { user } = renderApp('/companies/create')
    await user.type(await screen.findByRole('textbox', { name: /Company name/ }), 'Harbor Point')
    await user.click(screen.getByRole('button', { name: 'Add company' }))
    expect(await screen.findByText('This name is taken.')).toBeDefined()
  })

  it('warns before closing with unsaved changes', async () => {
    const { user, path } = renderApp(`/companies/${ID}/edit`)
    await user.type(await screen.findByRole('textbox', { name: /Company name/ }), '!')
    await user.keyboard('{Escape}')
    const question = await screen.findByRole('dialog', { name: 'You have unsaved changes' })
    await user.click(within(question).getByRole('button', { name: 'Keep editing' }))
    expect(path()).toBe(`/companies/${ID}/edit`)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /Company name/ })))
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }))
    await waitFor(() => expect(path()).toBe('/companies'))
  })

  it('stays open with a message, not a question, while the changes are being saved', async () => {
    const { user, path } = renderApp(`/companies/${ID}/edit`)
    const sent = Promise.withResolvers<void>()
    server.on(companyCalls.update, async () => {
      await sent.promise
      return errorAnswer('invalid', 'Check.', { name: ['This name is taken.'] })
    })
    await user.type(await screen.findByRole('textbox', { name: /Company name/ }), '!')
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    await user.keyboard('{Escape}')
    expect(await screen.findByText('Still saving. Please wait a moment.')).toBeDefined()
    expect(screen.queryByRole('dialog', { name: 'You have unsaved changes' })).toBeNull()
    sent.resolve()
    await screen.findByText('This name is taken.')
    expect(path()).toBe(`/companies/${ID}/edit`)
  })

  it('leaves unsaved changes without a question when the session has ended', async () => {
    const { user, path } = renderApp(`/companies/${ID}/edit`)
    await user.type(await screen.findByRole('textbox', { name: /Company name/ }), '!')
    act(() => emitPageEvent('session-ended', { reason: 'signed-out', message: undefined }))
    await waitFor(() => expect(path()).toMatch(/^\/login/))
    expect(screen.queryByRole('dialog', { name: 'You have unsaved changes' })).toBeNull()
  })

  it('after a stale save shows both values, focuses the field and saves the chosen value with the new version', async () => {
    const { user } = renderApp(`/companies/${ID}/edit`)
    const name = await screen.findByRole('textbox', { name: /Company name/ })
    await user.clear(name)
    await user.type(name, 'Mine')
    server
      .on(companyCalls.update, () => errorAnswer('conflict', 'Another user changed this.'))
      .on(companyCalls.editForm, () => ({ data: form(ID, 'Theirs', 5) }))
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    expect(await screen.findByText('Theirs')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Save changes' }).hasAttribute('disabled')).toBe(true)
    await waitFor(() => expect(document.activeElement).toBe(name))
    await user.click(screen.getByRole('button', { name: 'Keep mine' }))
    expect(document.activeElement).toBe(name)
    server.on(companyCalls.update, () => ({ data: company }))
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    await waitFor(() => expect(server.bodies(companyCalls.update)).toHaveLength(2))
    expect(server.bodies(companyCalls.update)).toEqual([
      { name: 'Mine', version: 4 },
      { name: 'Mine', version: 5 },
    ])
  })
})
