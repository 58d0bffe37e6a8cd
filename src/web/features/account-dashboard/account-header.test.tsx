import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { accountCalls, type Account } from '#contract/accounts.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { ACCOUNT_ID, accountServer, accountWith } from '#web/testing/account-server.ts'
import { errorAnswer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage, signInAs } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

const VIEW: PermissionName[] = ['view_account_details']
/** All that visitors read of the account above its tabs: neither number nor dates of the product. */
/** What the letterhead says, with these facts about the account first. */
const letterhead = (facts = '') =>
  `Harbor Point BrokerageSent from Harbor Point Brokerage${facts}Effective Dec 1, 2026 · Line: Property` +
  'This information is confidential. Do not copy it or share the link.'

afterEach(resetPage)

function open(permissions: PermissionName[], account: Account = accountWith()) {
  const session = sessionWith(permissions)
  accountServer(account, session)
  return renderApp(`/accounts/${ACCOUNT_ID}`, session)
}

const header = () => screen.findByRole('region', { name: 'Account' })
const termsIn = (element: HTMLElement) => [...element.querySelectorAll('dt')].map(({ textContent }) => textContent)
const terms = async () => termsIn(await header())

describe('the header of a standard account', () => {
  test('shows the first four facts, and the others with every further detail on request', async () => {
    const meta = [
      { label: 'Program', value: 'All risk' },
      { label: 'Expiring limit', value: '$250,000,000' },
    ]
    const account = accountWith({ meta, expiration_date: '2027-12-01' })
    const { user } = open([...VIEW, 'view_account_broker', 'view_account_carrier'], account)
    expect(await terms()).toEqual(['Account #', 'Broker', 'Carrier', 'Effective Date'])
    await user.click(within(await header()).getByRole('button', { name: 'Details' }))
    const details = await screen.findByRole('dialog', { name: 'Details' })
    expect(termsIn(details)).toEqual(['Expiration Date', 'Program', 'Expiring limit', 'Created At'])
    expect(within(details).getByText('$250,000,000')).toBeDefined()
    expect(within(details).getByText('Dec 1, 2027')).toBeDefined()
  })

  test.each([
    ['view_account_broker', 'Broker'],
    ['view_account_carrier', 'Carrier'],
  ] as const)('needs %s for the fact %s', async (permission, term) => {
    open([...VIEW, permission])
    expect((await terms()).filter((one) => one === 'Broker' || one === 'Carrier')).toEqual([term])
  })

  test('keeps the number and the creation from visitors by share link', async () => {
    const session = sessionWith(VIEW, { via_share_link: true })
    accountServer(accountWith(), session)
    signInAs(session)
    renderApp(`/accounts/${ACCOUNT_ID}`)
    expect((await screen.findByRole('region', { name: 'Sender' })).textContent).toBe(letterhead())
    expect(termsIn(document.body)).toEqual([])
    expect(screen.queryByRole('button', { name: 'Details' })).toBeNull()
  })
})

describe('the header of a managed account', () => {
  test('shows the number, or the last change when there is none', async () => {
    open(VIEW, accountWith({ type: 'managed', account_number: null }))
    expect(await terms()).toEqual(['Managed By', 'Company', 'Last Updated On', 'Created On'])
    resetPage()
    open(VIEW, accountWith({ type: 'managed' }))
    expect(await terms()).toEqual(['Managed By', 'Company', 'Account #', 'Created On'])
  })

  test('keeps number and dates from visitors by share link', async () => {
    const session = sessionWith(VIEW, { via_share_link: true })
    accountServer(accountWith({ type: 'managed' }), session)
    signInAs(session)
    renderApp(`/accounts/${ACCOUNT_ID}`)
    expect((await screen.findByRole('region', { name: 'Sender' })).textContent).toBe(
      letterhead('Managed By: Harbor Point Brokerage · Company: Cascadia Properties · '),
    )
    expect(termsIn(document.body)).toEqual([])
  })
})

test('the menu of the status closes after a choice and returns the focus to its button', async () => {
  const session = sessionWith([...VIEW, 'view_account_status', 'update_account_status'])
  accountServer(accountWith(), session).on(accountCalls.setStatus, () => errorAnswer('conflict', 'The account was bound meanwhile.'))
  const { user } = renderApp(`/accounts/${ACCOUNT_ID}`, session)
  await user.click(await screen.findByRole('button', { name: 'Status: Submitted' }))
  await user.click(await screen.findByRole('menuitemradio', { name: 'Bound' }))
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Status: Submitted' })))
})
