import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { companyCalls } from '#contract/companies.ts'
import type { Form } from '#contract/form.ts'
import { userCalls } from '#contract/users.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { RecordForm } from './record-form.tsx'

afterEach(resetPage)

const [OAK, ELM] = ['0198c0de-0000-7000-8000-0000000000a1', '0198c0de-0000-7000-8000-0000000000a2'] as const
const FORM: Form = {
  model: 'users',
  id: null,
  title: 'User',
  version: null,
  sections: [
    { title: 'User', fields: [{ name: 'company_id', label: 'Company', type: 'search', search: 'companies', value: '', required: true }] },
  ],
}

it('a search field of a form ignores Enter and clicks on results of an older text', async () => {
  const { promise: elmFound, resolve: answerElm } = Promise.withResolvers<void>()
  const server = fakeServer()
    .on(userCalls.form, () => ({ data: FORM }))
    .on(companyCalls.search, async ({ query }) => {
      if (query['search'] !== 'elm') return { data: [{ id: OAK, name: 'Oak Holdings', detail: '', account_id: null }] }
      await elmFound
      return { data: [{ id: ELM, name: 'Elm Partners', detail: '', account_id: null }] }
    })
  const form = <RecordForm model="users" id={null} saveLabel="Create" onSaved={() => undefined} onCancel={() => undefined} />
  const { user } = renderWithSession(form, { session: sessionWith([]) })
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: /Company/ })
  await user.click(field)
  await screen.findByRole('option', { name: 'Oak Holdings' })
  await user.type(field, 'elm')
  await waitFor(() => expect(server.requests.some((request) => request.includes('search=elm'))).toBe(true))
  await user.keyboard('{ArrowDown}{Enter}')
  await user.click(screen.getByRole('option', { name: 'Oak Holdings' }))
  expect(field.value).toBe('elm')
  answerElm()
  await user.click(await screen.findByRole('option', { name: 'Elm Partners' }))
  expect(field.value).toBe('Elm Partners')
})
