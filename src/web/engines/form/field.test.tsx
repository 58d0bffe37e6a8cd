import { screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import type { FormField } from '#contract/form.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { Field } from './field.tsx'

const options = ['Admin', 'Broker', 'Broker assistant', 'Carrier', 'Engineer', 'Guest', 'Owner', 'Underwriter', 'Viewer']
const field: FormField = {
  name: 'roles',
  label: 'Roles',
  type: 'multiselect',
  value: [],
  required: false,
  options: options.map((label) => ({ value: label, label })),
}

function RolesField() {
  const [value, setValue] = useState<unknown>([])
  return <Field field={field} value={value} error={null} onChange={setValue} />
}

afterEach(resetPage)

test('a select of several options retains the typed filter after each choice', async () => {
  const { user } = renderWithSession(<RolesField />, { session: sessionWith([]) })
  const input = await screen.findByRole('combobox', { name: 'Roles' })
  await user.type(input, 'bro')
  await user.click(await screen.findByRole('option', { name: 'Broker' }))
  expect(input).toHaveProperty('value', 'bro')
  await user.click(screen.getByRole('option', { name: 'Broker assistant' }))
  expect(screen.queryByRole('option', { name: 'Admin' })).toBeNull()
})

const PERMISSIONS = [
  { value: 'create_accounts', label: 'Create accounts', group: 'Accounts' },
  { value: 'update_accounts', label: 'Update accounts', group: 'Accounts' },
  { value: 'create_users', label: 'Create users', group: 'Users' },
]

function GroupedField() {
  const [value, setValue] = useState<unknown>(['create_accounts', 'a_former_permission'])
  return (
    <>
      <Field field={{ ...field, label: 'Permissions', options: PERMISSIONS }} value={value} error={null} onChange={setValue} />
      <output>{JSON.stringify(value)}</output>
    </>
  )
}
const saved = () => JSON.parse(document.querySelector('output')?.textContent ?? '') as unknown

test('choices in groups are check boxes below the name of the group, with the number of chosen ones', async () => {
  const { user } = renderWithSession(<GroupedField />, { session: sessionWith([]) })
  await user.click(await screen.findByRole('button', { name: 'Accounts 1 of 2' }))
  expect(screen.getByRole('checkbox', { name: 'Create accounts' })).toHaveProperty('checked', true)
  await user.click(screen.getByRole('checkbox', { name: 'Update accounts' }))
  expect(saved()).toEqual(['create_accounts', 'a_former_permission', 'update_accounts'])
  expect(screen.getByRole('button', { name: 'Accounts 2 of 2' })).toBeDefined()
  expect(screen.getByText('2 of 3')).toBeDefined()
})

test('choices in groups are chosen and cleared by group, without changing others', async () => {
  const { user } = renderWithSession(<GroupedField />, { session: sessionWith([]) })
  const all = await screen.findByRole('checkbox', { name: 'All of Accounts' })
  expect(all).toHaveProperty('indeterminate', true)
  await user.click(all)
  expect(saved()).toEqual(['a_former_permission', 'create_accounts', 'update_accounts'])
  await user.click(all)
  expect(saved()).toEqual(['a_former_permission'])
})

test('choices in groups are found by typing, in opened groups', async () => {
  const { user } = renderWithSession(<GroupedField />, { session: sessionWith([]) })
  await user.type(await screen.findByRole('searchbox', { name: 'Search permissions' }), 'users')
  expect(screen.getByRole('checkbox', { name: 'Create users' })).toBeDefined()
  expect(screen.queryByRole('button', { name: /Accounts/ })).toBeNull()
})

test('choices that a search hides are not chosen with their group', async () => {
  const { user } = renderWithSession(<GroupedField />, { session: sessionWith([]) })
  await user.type(await screen.findByRole('searchbox', { name: 'Search permissions' }), 'update')
  await user.click(screen.getByRole('checkbox', { name: 'All found of Accounts' }))
  expect(saved()).toEqual(['create_accounts', 'a_former_permission', 'update_accounts'])
  await user.click(screen.getByRole('checkbox', { name: 'All found of Accounts' }))
  expect(saved()).toEqual(['create_accounts', 'a_former_permission'])
})

test('an error of grouped choices is above the groups and marks the search field, where the focus goes', async () => {
  const props = { field: { ...field, label: 'Permissions', options: PERMISSIONS }, value: [], onChange: () => undefined }
  renderWithSession(<Field {...props} error="Choose at least one permission." />, { session: sessionWith([]) })
  const error = await screen.findByText('Choose at least one permission.')
  const search = screen.getByRole('searchbox', { name: 'Search permissions' })
  expect(search.getAttribute('aria-invalid')).toBe('true')
  expect(error.compareDocumentPosition(search) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
})
