import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { guestCalls, type Inviting } from '#contract/guests.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { GuestHeadingBar } from './guest-heading-bar.tsx'

afterEach(resetPage)

const SENDER: Inviting = {
  full_name: 'Jordan Blake',
  email: 'jordan@harbor.example',
  phone: null,
  company: 'Harbor & Vine Brokerage',
  date: '2026-11-01T12:00:00.000Z',
  logo_url: null,
}
const ofVisitor = () => {
  const session = sessionWith([], { via_share_link: true })
  return { ...session, config: { ...session.config, support_email: '' } }
}

test('without a chat and a support address, the live chat of visitors is a mail to the sender', async () => {
  fakeServer().on(guestCalls.inviting, () => ({ data: SENDER }))
  renderWithSession(<GuestHeadingBar onMenu={undefined} />, { session: ofVisitor() })
  const link = await screen.findByRole('link', { name: 'Live Chat' })
  expect([link.getAttribute('href'), link.title]).toEqual(['mailto:jordan@harbor.example', 'Email to Jordan Blake'])
})

test('without a sender, there is none', async () => {
  const server = fakeServer().on(guestCalls.inviting, () => ({ data: null }))
  renderWithSession(<GuestHeadingBar onMenu={undefined} />, { session: ofVisitor() })
  await waitFor(() => expect(server.requests).toHaveLength(1))
  expect(screen.queryByRole('link', { name: 'Live Chat' })).toBeNull()
})
