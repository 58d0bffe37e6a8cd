import { screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { inviteCalls, type OwnInvite } from '#contract/account-invites.ts'
import { accountCalls } from '#contract/accounts.ts'
import { fakeServer, onePage } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { tableColumn } from '#web/testing/table-column.ts'

afterEach(resetPage)

const column = (src: string, label: string) => tableColumn(src, label, { primary: src === 'name' })
const open = (path: string, invitations: OwnInvite[] = []) => {
  const server = fakeServer()
    .on(accountCalls.columns, () => ({ data: [column('name', 'Account'), column('updated_at', 'Updated')] }))
    .on(accountCalls.index, () => onePage([]))
    .on(inviteCalls.mine, () => ({ data: invitations }))
  renderApp(path, sessionWith(['view_accounts_component']))
  return server
}
const sortOf = async (label: string) => {
  const heading = (await screen.findByText(label)).closest('th')
  return { order: heading?.getAttribute('aria-sort') ?? null, arrow: heading?.querySelector('svg') !== null }
}

it('starts with the accounts that changed last, and the arrow in the heading says so', async () => {
  const server = open('/accounts')
  expect(await sortOf('Updated')).toEqual({ order: 'descending', arrow: true })
  expect(await sortOf('Account')).toEqual({ order: null, arrow: false })
  expect(server.requests.find((request) => request.startsWith('GET /accounts?'))).toContain('sort=updated_at&order=desc')
})

it('shows another order in its heading once the user has sorted', async () => {
  open('/accounts?sort=name&order=asc')
  expect(await sortOf('Account')).toEqual({ order: 'ascending', arrow: true })
  expect(await sortOf('Updated')).toEqual({ order: null, arrow: false })
})

describe('the invited accounts', () => {
  const ID = '0198c0de-0000-7000-8000-0000000000a1'
  const PIER_NINE: OwnInvite = {
    id: ID,
    account_id: ID,
    account_name: 'Pier Nine',
    company: 'Harbor Point',
    invited_by: 'Bea Stone',
    role_label: 'Invited viewer',
    expires_at: { date: null, human: 'Never' },
  }
  const entry = { name: 'Open Pier Nine as invited' }

  it('include those of invitations, which the dashboard counts, too', async () => {
    open('/accounts?filter__invites=1', [PIER_NINE])
    await screen.findByRole('button', entry)
    await screen.findByText('You are invited to no other accounts than those above.')
    expect(screen.queryByText(/^Oops/)).toBeNull()
  })

  it.each([
    ['a search', '/accounts?filter__invites=1&search=x', [PIER_NINE]],
    ['no invitations', '/accounts?filter__invites=1', []],
  ])('are not said to be above with %s', async (_what, path, invitations) => {
    open(path, invitations)
    await screen.findByText(/^Oops/)
    expect(screen.queryByText(/no other accounts/)).toBeNull()
  })

  it('are not part of the list of all accounts', async () => {
    open('/accounts', [PIER_NINE])
    await screen.findByText(/^Oops/)
    expect(screen.queryByRole('button', entry)).toBeNull()
  })
})
