import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { propertyCalls } from '#contract/account-properties.ts'
import { companyCalls } from '#contract/companies.ts'
import type { Form, FormField } from '#contract/form.ts'
import { queryClient } from '#web/data/query-client.ts'
import { fakeServer, errorAnswer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage, signInAs } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { RecordForm } from './record-form.tsx'

const ID = '0198c0de-0000-7000-8000-0000000000aa'
const form = (name: string, version: number): Form => ({
  model: 'companies',
  id: ID,
  title: 'Company',
  version,
  sections: [{ title: 'Company', fields: [{ name: 'name', label: 'Company name', type: 'text', value: name, required: true }] }],
})
const scrollIntoView = Element.prototype.scrollIntoView
const scrolled = vi.fn<() => void>()

beforeEach(() => {
  Element.prototype.scrollIntoView = scrolled
})
afterEach(() => {
  Element.prototype.scrollIntoView = scrollIntoView
  scrolled.mockClear()
  resetPage()
})

/** Saves "Elm" after Mira Chen has saved "Ash". */
async function saveTooLate() {
  const server = fakeServer().on(companyCalls.editForm, () => ({ data: form('Oak', 4) }))
  const element = <RecordForm model="companies" id={ID} saveLabel="Save changes" onSaved={() => undefined} onCancel={() => undefined} />
  const { user } = renderWithSession(element, { session: sessionWith([]) })
  const input = await screen.findByRole('textbox', { name: /Company name/ })
  await user.clear(input)
  await user.type(input, 'Elm')
  server
    .on(companyCalls.update, () => errorAnswer('conflict', 'Please compare.', {}, { changed_by: 'Mira Chen' }))
    .on(companyCalls.editForm, () => ({ data: form('Ash', 5) }))
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  const bar = (await screen.findByText(/while you were editing/)).closest<HTMLElement>('[role="alert"]')
  return { user, bar }
}

test('a conflict names the other user in a bar above the buttons', async () => {
  const { bar } = await saveTooLate()
  expect(bar?.textContent).toContain('Mira Chen changed this record while you were editing. Choose a value for 1 field.')
  expect(bar?.nextElementSibling?.textContent).toBe('Cancel')
})

test('the first conflict is scrolled into view and focused, also by the button in the bar', async () => {
  const { user, bar } = await saveTooLate()
  const input = screen.getByRole('textbox', { name: /Company name/ })
  expect([scrolled.mock.contexts.length, document.activeElement]).toEqual([1, input])
  await user.click(within(bar ?? document.body).getByRole('button', { name: 'Show' }))
  expect([scrolled.mock.contexts.length, document.activeElement]).toEqual([2, input])
})

test('the bar says what to do next once every conflict is decided', async () => {
  const { user, bar } = await saveTooLate()
  await user.click(screen.getByRole('button', { name: 'Keep mine' }))
  expect(bar?.textContent).toBe('Mira Chen changed this record while you were editing. Check the values and save again.')
})

test('amounts that were saved meanwhile are in the saved currency, those that were entered in the entered one', async () => {
  const amounts = (currency: string, value: number, version: number): Form => {
    const fields: FormField[] = [
      { name: 'currency', label: 'Currency', type: 'text', value: currency, required: true },
      { name: 'building_value', label: 'Building value', type: 'money', value, required: false },
    ]
    return { model: 'account_properties', id: ID, title: 'Property', version, sections: [{ title: 'Values', fields }] }
  }
  const server = fakeServer().on(propertyCalls.editForm, () => ({ data: amounts('USD', 100, 4) }))
  const element = (
    <RecordForm model="account_properties" id={ID} saveLabel="Save changes" onSaved={() => undefined} onCancel={() => undefined} />
  )
  const { user } = renderWithSession(element, { session: sessionWith([]) })
  fireEvent.change(await screen.findByRole('textbox', { name: /Currency/ }), { target: { value: 'CAD' } })
  const value = screen.getByRole('textbox', { name: /Building value/ })
  await user.clear(value)
  await user.type(value, '300')
  server
    .on(propertyCalls.update, () => errorAnswer('conflict', 'Please compare.', {}, { changed_by: 'Mira Chen' }))
    .on(propertyCalls.editForm, () => ({ data: amounts('EUR', 200, 5) }))
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  expect(await screen.findByText(/€200/)).toBeDefined()
  const [, disputed] = screen.getAllByText(/meanwhile; you entered/)
  expect(disputed?.textContent).toBe('Mira Chen saved €200 meanwhile; you entered CA$300.')
})

test('a form of a new record says that it can no longer be added', async () => {
  fakeServer().on(companyCalls.form, () => ({ data: { ...form('Oak', 4), id: null } }))
  const element = <RecordForm model="companies" id={null} saveLabel="Add company" onSaved={() => undefined} onCancel={() => undefined} />
  renderWithSession(element, { session: sessionWith(['create_companies']) })
  await screen.findByRole('button', { name: 'Add company' })
  act(() => signInAs(sessionWith([])))
  expect(await screen.findByText('You can no longer add this.')).toBeDefined()
})

test('a form of a user who loses the right to save says so and disables the save', async () => {
  fakeServer().on(companyCalls.editForm, () => ({ data: form('Oak', 4) }))
  const element = <RecordForm model="companies" id={ID} saveLabel="Save changes" onSaved={() => undefined} onCancel={() => undefined} />
  renderWithSession(element, { session: sessionWith(['update_companies']) })
  expect((await screen.findByRole('button', { name: 'Save changes' })).hasAttribute('disabled')).toBe(false)
  act(() => signInAs(sessionWith([])))
  expect((await screen.findByText('You can no longer change this.')).getAttribute('role')).toBe('alert')
  expect(screen.getByRole('button', { name: 'Save changes' }).hasAttribute('disabled')).toBe(true)
})

test('a form of a record that the user can no longer see keeps only what they entered', async () => {
  const fields = form('Oak', 4).sections.flatMap((section) => section.fields)
  const website: FormField = { name: 'website', label: 'Website', type: 'text', value: 'https://secret.example', required: false }
  const whole: Form = { ...form('Oak', 4), sections: [{ title: 'Company', fields: [...fields, website] }] }
  fakeServer().on(companyCalls.editForm, () => ({ data: whole }))
  const element = <RecordForm model="companies" id={ID} saveLabel="Save changes" onSaved={() => undefined} onCancel={() => undefined} />
  const { user } = renderWithSession(element, { session: sessionWith(['update_companies', 'view_company_details']) })
  await user.type(await screen.findByRole('textbox', { name: /Company name/ }), ' Hall')
  act(() => signInAs(sessionWith(['update_companies'])))
  expect(within(await screen.findByRole('region', { name: 'What you entered' })).getByText('Oak Hall')).toBeDefined()
  expect(screen.queryByDisplayValue('https://secret.example')).toBeNull()
  expect(screen.getByRole('button', { name: 'Save changes' }).hasAttribute('disabled')).toBe(true)
  act(() => signInAs(sessionWith(['update_companies', 'view_company_details'])))
  expect(await screen.findByDisplayValue('Oak Hall')).toBeDefined()
})

test('a form whose record is gone when it is read again keeps only what the user entered', async () => {
  const server = fakeServer().on(companyCalls.editForm, () => ({ data: form('Oak', 4) }))
  const element = <RecordForm model="companies" id={ID} saveLabel="Save changes" onSaved={() => undefined} onCancel={() => undefined} />
  const { user } = renderWithSession(element, { session: sessionWith(['update_companies', 'view_company_details']) })
  await user.type(await screen.findByRole('textbox', { name: /Company name/ }), ' Hall')
  server.on(companyCalls.editForm, () => errorAnswer('not_found', 'Not found.'))
  await act(() => queryClient.invalidateQueries({ queryKey: ['form'] }))
  expect(within(await screen.findByRole('region', { name: 'What you entered' })).getByText('Oak Hall')).toBeDefined()
})

test('a form whose record was deleted before it is saved keeps what the user entered, and one in the trash says so', async () => {
  const server = fakeServer().on(companyCalls.editForm, () => ({ data: form('Oak', 4) }))
  const element = <RecordForm model="companies" id={ID} saveLabel="Save changes" onSaved={() => undefined} onCancel={() => undefined} />
  const { user } = renderWithSession(element, { session: sessionWith(['update_companies', 'view_company_details']) })
  await user.type(await screen.findByRole('textbox', { name: /Company name/ }), ' Hall')
  const fail = (kind: 'conflict' | 'not_found', message: string) => {
    for (const call of [companyCalls.editForm, companyCalls.update]) server.on(call, () => errorAnswer(kind, message))
    return user.click(screen.getByRole('button', { name: 'Save changes' }))
  }
  await fail('conflict', 'This company is in the trash. Restore it first.')
  expect((await screen.findByText('This company is in the trash. Restore it first.')).closest('form')).not.toBeNull()
  await fail('not_found', 'Company not found.')
  expect(within(await screen.findByRole('region', { name: 'What you entered' })).getByText('Oak Hall')).toBeDefined()
})

test('the sections of a form are no landmarks, of which a page can have one with the same name', async () => {
  fakeServer().on(companyCalls.editForm, () => ({ data: form('Oak', 4) }))
  const element = <RecordForm model="companies" id={ID} saveLabel="Save changes" onSaved={() => undefined} />
  renderWithSession(element, { session: sessionWith([]) })
  expect(within(await screen.findByRole('group', { name: 'Company' })).getByRole('textbox', { name: /Company name/ })).toBeDefined()
  expect(screen.queryByRole('region', { name: 'Company' })).toBeNull()
})
