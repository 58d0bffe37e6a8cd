import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { companyCalls } from '#contract/companies.ts'
import type { Form } from '#contract/form.ts'
import { fakeServer, errorAnswer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
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
