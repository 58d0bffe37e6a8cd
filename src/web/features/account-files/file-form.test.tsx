import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileCalls } from '#contract/account-files.ts'
import { accountCalls } from '#contract/accounts.ts'
import { errorAnswer, fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage, signInAs } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { aFile, anAccount } from './account-files.fixture.ts'
import { FileForm } from './file-form.tsx'

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
    .on(fileCalls.patch, () => ({ data: aFile(), message: 'The document was saved.' }))
    .on(accountCalls.show, () => ({ data: anAccount() }))
})
afterEach(resetPage)

const show = () => renderWithSession(<FileForm file={aFile()} />, { session: sessionWith(['view_account_files', 'update_account_files']) })

test('a document form saves the changed values with the version', async () => {
  const { user } = show()
  expect((await screen.findByRole('button', { name: 'Save changes' })).hasAttribute('disabled')).toBe(true)
  await user.type(screen.getByRole('textbox', { name: 'Descriptive Name' }), 'Roof survey')
  await user.click(await screen.findByRole('checkbox', { name: 'Private' }))
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(server.bodies(fileCalls.patch)).toEqual([{ vanity_name: 'Roof survey', private: true, version: 3 }]))
})

test('a document form says who sees a private document: not the guests, carriers and clients of other companies', async () => {
  show()
  const description = "Seen only by the provider, and by users of the account's company who can change documents"
  expect(await screen.findByRole('checkbox', { name: 'Private', description })).toBeTruthy()
})

test('a user who would lose sight of a private document is not offered to make it private', async () => {
  const { accessible_features } = anAccount()
  server.on(accountCalls.show, () => ({ data: anAccount({ accessible_features: { ...accessible_features, make_private: false } }) }))
  show()
  await screen.findByRole('checkbox', { name: 'Provided by broker' })
  await waitFor(() => expect(server.bodies(accountCalls.show)).toHaveLength(1))
  expect(screen.queryByRole('checkbox', { name: 'Private' })).toBeNull()
})

test('the broker mark of a document promises no list that does not exist', async () => {
  show()
  await screen.findByRole('checkbox', { name: 'Provided by broker' })
  expect(screen.queryByText(/disclosed list/)).toBeNull()
})

test('a category of submission documents marks the document as one', async () => {
  const { user } = show()
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Category' }), 'application')
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Submission Document' }).checked).toBe(true)
  expect(screen.queryByRole('checkbox', { name: 'Covers all properties' })).toBeNull()
})

test('a document form shows a rejected value at its field until the value changes', async () => {
  const { user } = show()
  server.on(fileCalls.patch, () => errorAnswer('invalid', 'Please check the form.', { vanity_name: ['The name is too long.'] }))
  await user.type(await screen.findByRole('textbox', { name: 'Descriptive Name' }), 'x')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  await screen.findByText('The name is too long.')
  expect(screen.queryByText('Please check the form.')).toBeNull()
  await user.type(screen.getByRole('textbox', { name: 'Descriptive Name' }), 'y')
  await waitFor(() => expect(screen.queryByText('The name is too long.')).toBeNull())
})

test('a document form shows any other error below the fields', async () => {
  const { user } = show()
  server.on(fileCalls.patch, () => errorAnswer('internal', 'Something broke.'))
  await user.type(await screen.findByRole('textbox', { name: 'Descriptive Name' }), 'x')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Something broke.')
})

test('a conflict names the other user, shows both values and saves the chosen one with the newer version', async () => {
  const { user } = show()
  const theirs = aFile({ version: 4, vanity_name: 'Roof survey 2025', report_author_date: '2025-02-01' })
  const list = { previous_id: null, next_id: null, position: 1, total: 1 }
  server
    .on(fileCalls.patch, () => errorAnswer('conflict', 'Another user changed this.', {}, { changed_by: 'Dana Whitfield' }))
    .on(fileCalls.details, () => ({ data: { ...theirs, ...list } }))
  await user.type(await screen.findByRole('textbox', { name: 'Descriptive Name' }), 'Roof')
  await user.click(screen.getByRole('checkbox', { name: 'Private' }))
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  const notice = await screen.findByText(/Dana Whitfield changed this document while you were editing. Choose a value for 1 field./)
  expect(notice.textContent).toContain('Dana Whitfield saved Roof survey 2025; you entered Roof.')
  expect(document.activeElement?.textContent).toBe('Keep mine')
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Private' }).checked).toBe(true)
  expect(screen.getByLabelText<HTMLInputElement>('Report Date').value).toBe('2025-02-01')
  expect(screen.getByRole('button', { name: 'Save changes' }).hasAttribute('disabled')).toBe(true)

  server.on(fileCalls.patch, () => ({ data: aFile({ version: 5 }), message: 'The document was saved.' }))
  await user.click(screen.getByRole('button', { name: 'Keep mine' }))
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(server.bodies(fileCalls.patch).at(-1)).toEqual({ vanity_name: 'Roof', private: true, version: 4 }))
  await waitFor(() => expect(screen.queryByText(/changed this document/)).toBeNull())
})

test('a document form whose user loses the permission keeps what they entered and says so', async () => {
  const { user } = show()
  await user.type(await screen.findByRole('textbox', { name: 'Descriptive Name' }), 'Roof survey')
  act(() => signInAs(sessionWith(['view_account_files'])))
  await screen.findByText('You can no longer change this.')
  expect(screen.getByDisplayValue('Roof survey')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Save changes' }).hasAttribute('disabled')).toBe(true)
  await user.clear(screen.getByRole('textbox', { name: 'Descriptive Name' }))
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Descriptive Name' })).toBeNull())
})
