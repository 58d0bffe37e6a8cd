import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accountCalls, type AccountRow } from '#contract/accounts.ts'
import { initCalls } from '#contract/init.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { ACCOUNT_ID, accountServer, accountWith } from '#web/testing/account-server.ts'
import { onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

const UPLOADS: PermissionName[] = ['view_account_details', 'upload_account_files']
const OTHER_ID = '0198c0de-0000-7000-8000-0000000000a2'

const cell = (text: string) => ({ value: text, text })
const assigned = (id: string, name: string, documents: number): AccountRow => ({
  id,
  deleted_at: null,
  is_new: false,
  favorite: false,
  name: cell(name),
  account_number: cell('HP-117'),
  company: cell('Cascadia Properties'),
  status: cell('Submitted'),
  type: cell('Standard'),
  properties: { value: 771, text: '771' },
  tiv: { value: 9_249_829_344, text: '$9,249,829,344' },
  currency: 'USD',
  documents: { value: documents, text: String(documents) },
  effective_date: cell(''),
  created_at: cell(''),
  updated_at: cell(''),
})

let server: FakeServer
beforeEach(() => {
  server = accountServer(accountWith())
})
afterEach(resetPage)

function enter(permissions: PermissionName[], accounts: AccountRow[], path = '/') {
  const session = sessionWith(permissions)
  server.on(initCalls.init, () => ({ data: session })).on(accountCalls.index, () => onePage(accounts))
  return renderApp(path, session)
}

describe('a user without a dashboard', () => {
  test('is redirected to the list of accounts with its permission', async () => {
    const { path } = enter(['view_accounts_component'], [])
    await waitFor(() => expect(path()).toBe('/accounts'))
  })

  test('is redirected to the only account assigned to them', async () => {
    const { path } = enter(UPLOADS, [assigned(ACCOUNT_ID, 'Cascadia Portfolio', 2)])
    await screen.findByRole('heading', { name: 'Cascadia Portfolio' })
    expect(path()).toBe(`/accounts/${ACCOUNT_ID}`)
  })

  test('chooses from several accounts, each with its name, company, number and documents', async () => {
    enter(UPLOADS, [assigned(ACCOUNT_ID, 'Cascadia Portfolio', 2), assigned(OTHER_ID, 'Willow Creek', 0)])
    await screen.findByRole('heading', { name: 'Your accounts' })
    const cards = await screen.findAllByRole('listitem')
    expect(cards.map(({ textContent }) => textContent)).toEqual([
      'Cascadia PortfolioCascadia Properties · HP-1172 documents',
      'Willow CreekCascadia Properties · HP-117No documents yet',
    ])
    expect(screen.getByRole('link', { name: 'Willow Creek' }).getAttribute('href')).toBe(`/accounts/${OTHER_ID}`)
  })

  test('gets the address of support when no accounts are assigned', async () => {
    enter(UPLOADS, [])
    await screen.findByText('No accounts are assigned to you yet.')
    expect(screen.getByRole('link', { name: 'support@plumbline.example' }).getAttribute('href')).toBe('mailto:support@plumbline.example')
  })

  test('gets the page for a missing page without any permission on accounts', async () => {
    const { path } = enter([], [])
    await waitFor(() => expect(path()).toBe('/404'))
  })
})

test('the assigned accounts redirect to the list of accounts with its permission', async () => {
  const { path } = enter(['view_account_details', 'view_accounts_component'], [], '/your-accounts')
  await waitFor(() => expect(path()).toBe('/accounts'))
})

test('a quick view without the dashboard does not exist', async () => {
  const { path } = enter(UPLOADS, [], `/quickview/accounts/${ACCOUNT_ID}`)
  await waitFor(() => expect(path()).toBe('/404'))
})
