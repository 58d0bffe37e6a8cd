import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { propertyCalls } from '#contract/account-properties.ts'
import { fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { PropertyPicker, type PickedProperties } from './property-picker.tsx'

const ACCOUNT = '0198c0de-0000-7000-8000-0000000000a1'
const oak = { id: '0198c0de-0000-7000-8000-0000000000b1', name: '12 · Oak Tower', detail: '1 Main St, Salem, OR', account_id: ACCOUNT }
const elm = { id: '0198c0de-0000-7000-8000-0000000000b2', name: '13 · Elm Depot', detail: '9 Dock Rd, Boise, ID', account_id: ACCOUNT }

let server: FakeServer
let answer: () => void
beforeEach(() => {
  server = fakeServer().on(propertyCalls.search, ({ query }) =>
    query['search'] === 'elm' ? new Promise((resolve) => (answer = () => resolve({ data: [elm] }))) : { data: [oak] },
  )
})
afterEach(resetPage)

async function typeElm() {
  const picked: PickedProperties[] = []
  function Form() {
    const [value, setValue] = useState<PickedProperties>({})
    const change = (next: PickedProperties) => {
      picked.push(next)
      setValue(next)
    }
    return <PropertyPicker accountId={ACCOUNT} label="Properties" value={value} onChange={change} />
  }
  const { user } = renderWithSession(<Form />, { session: sessionWith([]) })
  const input = await screen.findByRole('combobox', { name: 'Properties' })
  await user.click(input)
  await screen.findByRole('option', { name: /Oak Tower/ })
  await user.type(input, 'elm')
  return { user, input, picked }
}

test('a property of an older search cannot be picked by click or Enter while the new results load', async () => {
  const { user, picked } = await typeElm()
  await user.keyboard('{ArrowDown}{Enter}')
  await user.click(screen.getByRole('option', { name: /Oak Tower/ }))
  await waitFor(() => expect(server.requests.some((request) => request.includes('search=elm'))).toBe(true))
  await user.keyboard('{ArrowDown}{Enter}')
  await user.click(screen.getByRole('option', { name: /Oak Tower/ }))
  expect(picked).toEqual([])
})

test('a property can be picked once the results of the typed text are there', async () => {
  const { user, picked } = await typeElm()
  await waitFor(() => expect(server.requests.some((request) => request.includes('search=elm'))).toBe(true))
  answer()
  await user.click(await screen.findByRole('option', { name: /Elm Depot/ }))
  expect(picked).toEqual([{ [elm.id]: elm.name }])
})

test('an option shows the number, name and place of its property', async () => {
  await typeElm()
  expect(screen.getByRole('option', { name: /Oak Tower/ }).textContent).toBe('12 · Oak Tower1 Main St, Salem, OR')
})
