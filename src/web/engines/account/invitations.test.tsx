import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { inviteCalls } from '#contract/account-invites.ts'
import { ACCOUNT_ID } from '#web/testing/account-server.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { InvitedAccounts } from './invitations.tsx'

afterEach(resetPage)

test('a user opens the accounts that they are invited to', async () => {
  const end = { date: null, human: 'Does not end' }
  const invite = {
    id: ACCOUNT_ID,
    account_id: ACCOUNT_ID,
    account_name: 'Pier Nine',
    invited_by: 'Bea Stone',
    role_label: 'Invited viewer',
    company: 'Harbor Point',
    expires_at: end,
  }
  fakeServer().on(inviteCalls.mine, () => ({ data: [invite] }))
  renderWithSession(<InvitedAccounts />, { session: sessionWith([]) })
  await screen.findByRole('region', { name: 'Invited Accounts' })
  expect(screen.getByRole('button', { name: 'Open Pier Nine as invited' })).toBeDefined()
})
