import { act, screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { propertyCalls } from '#contract/account-properties.ts'
import type { RowAction } from '#contract/datatable.ts'
import { accountServer, accountWith } from '#web/testing/account-server.ts'
import { onePage } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage, signInAs } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { COLUMNS, row } from './properties.fixture.ts'
import { PropertiesTab } from './properties.tab.tsx'

afterEach(resetPage)

const DIVEST: RowAction = {
  action: 'divest',
  label: 'Mark as divested',
  handle: 'json',
  fileName: null,
  supportsPrefix: false,
  prompt: { message: 'When did these properties leave the program?', type: 'date', name: 'divested_on', placeholder: 'YYYY-MM-DD' },
}
const OTHER = {
  ...row,
  id: row.id.replace(/1$/, '2'),
  address: { value: '2 Elm St', text: '2 Elm St' },
  tiv: { value: 100_000, text: '100,000' },
}

const choose = async (rows: readonly string[]) => {
  accountServer(accountWith())
    .on(propertyCalls.columns, () => ({ data: COLUMNS }))
    .on(propertyCalls.actions, () => ({ data: [DIVEST] }))
    .on(propertyCalls.index, () => onePage([row, OTHER]))
  const session = sessionWith(['view_account_properties', 'view_account_properties_datatable_actions', 'delete_account_properties'])
  const { user } = renderWithSession(<PropertiesTab account={accountWith()} />, { session, path: '/?tab=properties' })
  for (const name of rows) await user.click(await screen.findByRole('checkbox', { name: `Select ${name}` }))
  return async (command: string) => {
    await user.click(within(screen.getByRole('group', { name: 'Actions for the selection' })).getByRole('button', { name: command }))
    return (await screen.findByRole('dialog')).textContent
  }
}

it.each(['Mark as divested', 'Delete'])('"%s" of several properties names their count and total insured value', async (command) => {
  const ask = await choose(['1 Main St', '2 Elm St'])
  expect(await ask(command)).toContain('2 properties, $1,000,000 total insured value')
})

it.each(['Mark as divested', 'Delete'])('"%s" of one property names it and its total insured value', async (command) => {
  const ask = await choose(['2 Elm St'])
  expect(await ask(command)).toContain('“2 Elm St”, $100,000 total insured value')
})

it('an edited cell of a user who loses the right to edit closes and says so', async () => {
  accountServer(accountWith())
    .on(propertyCalls.columns, () => ({ data: COLUMNS }))
    .on(propertyCalls.index, () => onePage([row]))
  const session = sessionWith(['view_account_properties', 'update_account_properties'])
  const { user } = renderWithSession(<PropertiesTab account={accountWith()} />, { session, path: '/?tab=properties' })
  await user.click(await screen.findByRole('button', { name: /^Building value: .* Edit$/ }))
  expect(screen.getByRole('textbox', { name: 'Building value' })).toBeTruthy()
  act(() => signInAs(sessionWith(['view_account_properties'])))
  expect(await screen.findByText('You can no longer change this.')).toBeTruthy()
  expect(screen.queryByRole('textbox', { name: 'Building value' })).toBeNull()
})

it('after all properties are divested, the list of active ones says so', async () => {
  accountServer(accountWith())
    .on(propertyCalls.columns, () => ({ data: COLUMNS }))
    .on(propertyCalls.index, () => onePage([]))
  const account = accountWith({ properties: 0, divested_properties: 600 })
  renderWithSession(<PropertiesTab account={account} />, { session: sessionWith(['view_account_properties']), path: '/?tab=properties' })
  expect(await screen.findByText('No active properties: 600 divested.')).toBeTruthy()
  expect(screen.queryByText(/Oops/)).toBeNull()
})
