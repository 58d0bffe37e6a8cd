import '#web/testing/browser.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { accountCalls } from '#contract/accounts.ts'
import { companyCalls, type Company } from '#contract/companies.ts'
import type { Form } from '#contract/form.ts'
import { queries } from '#web/data/queries.ts'
import { queryClient } from '#web/data/query-client.ts'
import { fakeServer, errorAnswer, type FakeServer } from '#web/testing/fake-server.ts'
import { resetPage, signInAs } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { useRecordForm } from './use-record-form.ts'

const ID = '0198c0de-0000-7000-8000-0000000000aa'
const CHICAGO = 'America/Chicago'
const DENVER = 'America/Denver'
const NEW_YORK = 'America/New_York'
const company = { id: ID, name: 'Harbor Point' } as Company // the form reads the id only
const form = (name: string, timezone: string, version: number | null): Form => ({
  model: 'companies',
  id: version === null ? null : ID,
  title: 'Company',
  version,
  sections: [
    {
      title: 'Company',
      fields: [
        { name: 'name', label: 'Company name', type: 'text', value: name, required: true },
        { name: 'timezone', label: 'Time zone', type: 'select', value: timezone, required: false },
      ],
    },
  ],
})

let server: FakeServer
beforeEach(() => {
  signInAs(sessionWith([]))
  server = fakeServer().on(companyCalls.update, () => ({ data: company }))
})
afterEach(resetPage)

function open(given: Form = form('Oak', CHICAGO, 4), presets = {}, model: 'companies' | 'accounts' = 'companies') {
  const onSaved = vi.fn<() => void>()
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  const { result } = renderHook(() => useRecordForm({ model, form: given, presets, onSaved }), { wrapper })
  return {
    state: () => result.current,
    set: (name: string, value: unknown) => act(() => result.current.set(name, value)),
    save: async () => {
      act(() => result.current.submit())
      await waitFor(() => expect(result.current.saving).toBe(false))
    },
    onSaved,
  }
}

/** My name "Elm" was rejected as stale; the form was saved meanwhile as given. */
async function openStale(saved: Form) {
  const opened = open()
  opened.set('name', 'Elm')
  server
    .on(companyCalls.update, () => errorAnswer('conflict', 'Please compare.', {}, { changed_by: 'Mira Chen' }))
    .on(companyCalls.editForm, () => ({ data: saved }))
  await opened.save()
  server.on(companyCalls.update, () => ({ data: company }))
  return opened
}
const lastBody = () => server.bodies(companyCalls.update).at(-1)

test('a form is dirty while a value differs from the saved one', () => {
  const { state, set } = open()
  expect(state().dirty).toBe(false)
  set('name', 'Elm')
  expect(state().dirty).toBe(true)
  set('name', 'Oak')
  expect(state().dirty).toBe(false)
})

test('a new record is saved with its presets', async () => {
  server.on(accountCalls.create, () => errorAnswer('not_found', 'Gone.'))
  const { save } = open(
    { ...form('Oak', '', null), sections: [{ title: '', fields: form('Oak', '', null).sections[0]?.fields.slice(0, 1) ?? [] }] },
    { type: 'managed' },
    'accounts',
  )
  await save()
  expect(server.bodies(accountCalls.create)).toEqual([{ name: 'Oak', type: 'managed' }])
})

const withRoles = (...labels: string[]): Form => ({
  ...form('Oak', CHICAGO, null),
  sections: [
    {
      title: '',
      fields: [
        { name: 'name', label: 'Company', type: 'search', value: 'oak', required: true, narrows: true },
        {
          name: 'roles',
          label: 'Roles',
          type: 'multiselect',
          value: [],
          required: true,
          options: labels.map((value) => ({ value, label: value })),
        },
      ],
    },
  ],
})

test('a field that narrows others requests their choices and drops chosen values that are no longer among them', async () => {
  server.on(companyCalls.form, () => ({ data: withRoles('broker', 'surveyor') }))
  const { state, set } = open(withRoles('broker', 'of-oak'))
  set('roles', ['broker', 'of-oak'])
  set('name', 'elm')
  const choices = () => state().form.sections[0]?.fields[1]?.options?.map(({ value }) => value)
  await waitFor(() => expect(choices()).toEqual(['broker', 'surveyor']))
  expect(server.requests).toEqual(['GET /forms/companies?name=elm'])
  expect(state().values).toEqual({ name: 'elm', roles: ['broker'] })
  expect(state().dirty).toBe(true)
})

test('errors of the server show until their own field is edited', async () => {
  const { state, set, save } = open()
  server.on(companyCalls.update, () =>
    errorAnswer('invalid', 'Please check.', { name: ['Taken.'], timezone: ['Unknown.'], owner: ['No owner.'] }),
  )
  set('name', 'Elm')
  await save()
  expect(state().errors).toEqual({ name: 'Taken.', timezone: 'Unknown.' })
  expect(state().notice).toBe('No owner.')
  set('name', 'Ash')
  expect(state().errors).toEqual({ timezone: 'Unknown.' })
})

test('a value that the contract rejects is not sent', async () => {
  const { state, set, save, onSaved } = open()
  set('name', '')
  await save()
  expect(state().errors).toEqual({ name: 'Please enter a company name.' })
  expect(state().notice).toBe('Please check the marked fields.')
  expect(server.requests).toEqual([])
  expect(onSaved).not.toHaveBeenCalled()
})

test('after a stale save in other fields the form has both changes and saves mine with the new version', async () => {
  const { state, save, onSaved } = await openStale(form('Oak', DENVER, 5))
  expect(state().values).toEqual({ name: 'Elm', timezone: DENVER })
  expect(state().disputed).toEqual({})
  expect(state().savedBy).toBe('Mira Chen')
  expect(state().dirty).toBe(true)
  await save()
  expect(lastBody()).toEqual({ name: 'Elm', version: 5 })
  expect(onSaved).toHaveBeenCalledOnce()
})

test('after a stale save in the same field "Keep mine" saves my value', async () => {
  const { state, save } = await openStale(form('Ash', CHICAGO, 5))
  expect(state().disputed).toEqual({ name: 'Ash' })
  expect(state().values['name']).toBe('Elm')
  expect(state().savedBy).toBe('Mira Chen')
  act(() => state().keepMine('name'))
  expect(state().disputed).toEqual({})
  expect(state().values['name']).toBe('Elm')
  await save()
  expect(lastBody()).toEqual({ name: 'Elm', version: 5 })
})

test('after a stale save in the same field "Take theirs" leaves nothing of mine to save', async () => {
  const { state, save } = await openStale(form('Ash', CHICAGO, 5))
  act(() => state().takeTheirs('name'))
  expect(state().disputed).toEqual({})
  expect(state().values['name']).toBe('Ash')
  expect(state().dirty).toBe(false)
  await save()
  expect(lastBody()).toEqual({ version: 5 })
})

test('two disputed fields are settled one by one', async () => {
  const opened = open()
  opened.set('name', 'Elm')
  opened.set('timezone', NEW_YORK)
  server
    .on(companyCalls.update, () => errorAnswer('conflict', 'Please compare.'))
    .on(companyCalls.editForm, () => ({ data: form('Ash', DENVER, 5) }))
  await opened.save()
  act(() => opened.state().keepMine('name'))
  expect(opened.state().disputed).toEqual({ timezone: DENVER })
  act(() => opened.state().takeTheirs('timezone'))
  expect(opened.state().disputed).toEqual({})
  expect(opened.state().values).toEqual({ name: 'Elm', timezone: DENVER })
})

test('entering a third value settles a disputed field', async () => {
  const { state, set, save } = await openStale(form('Ash', CHICAGO, 5))
  set('name', 'Fir')
  expect(state().disputed).toEqual({})
  await save()
  expect(lastBody()).toEqual({ name: 'Fir', version: 5 })
})

test('what the user enters while a save is rejected as stale stays in the form', async () => {
  const { state, set, save } = open()
  server
    .on(companyCalls.update, () => errorAnswer('conflict', 'Please compare.'))
    .on(companyCalls.editForm, () => {
      act(() => state().set('timezone', NEW_YORK))
      return { data: form('Oak', CHICAGO, 5) }
    })
  set('name', 'Elm')
  await save()
  expect(state().values).toEqual({ name: 'Elm', timezone: NEW_YORK })
})

test('a save continues from the version that the page has read since, with what was changed elsewhere', async () => {
  const opened = open()
  opened.set('name', 'Elm')
  queryClient.setQueryData(queries.form('companies', ID).queryKey, form('Oak', DENVER, 5))
  await opened.save()
  expect(server.bodies(companyCalls.update)).toEqual([{ name: 'Elm', version: 5 }])
  expect(opened.state().values['timezone']).toBe(DENVER)
  expect(opened.state().savedBy).toBeNull()
})

test('a save waits for a choice when that version has another value in a changed field', async () => {
  const opened = open()
  opened.set('name', 'Elm')
  queryClient.setQueryData(queries.form('companies', ID).queryKey, form('Ash', CHICAGO, 5))
  await opened.save()
  expect(server.bodies(companyCalls.update)).toEqual([])
  expect([opened.state().disputed, opened.state().savedBy]).toEqual([{ name: 'Ash' }, 'Another user'])
})

test('an error of a field that the form does not show is in the notice with its text', async () => {
  const { state, save } = open(form('Oak', CHICAGO, 4), { timezone: CHICAGO })
  server.on(companyCalls.update, () => errorAnswer('invalid', 'Check.', { timezone: ['This time zone is not known.'] }))
  await save()
  expect([state().notice, state().errors]).toEqual(['This time zone is not known.', {}])
})
