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

test('a select lists its options below the names of their groups', async () => {
  const grouped = ['Accounts', 'Users'].map((group) => ({ value: group, label: `Create ${group.toLowerCase()}`, group }))
  const select = <Field field={{ ...field, options: grouped }} value={[]} error={null} onChange={() => undefined} />
  const { user } = renderWithSession(select, { session: sessionWith([]) })
  await user.click(await screen.findByRole('combobox', { name: 'Roles' }))
  const lists = await screen.findAllByRole('group')
  expect(lists.map(({ textContent }) => textContent)).toEqual(expect.arrayContaining(['AccountsCreate accounts', 'UsersCreate users']))
})
