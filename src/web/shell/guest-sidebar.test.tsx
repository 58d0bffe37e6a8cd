import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '#web/testing/fake-server.ts'
import { guestCalls } from '#contract/guests.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { GuestSidebar } from './guest-sidebar.tsx'

afterEach(resetPage)

test('visitors choose the appearance from the same menu as members', async () => {
  fakeServer().on(guestCalls.inviting, () => ({ data: null }))
  const { user } = renderWithSession(<GuestSidebar open />, { session: sessionWith([], { via_share_link: true }) })
  await user.click(await screen.findByRole('button', { name: 'Appearance' }))
  const choices = await screen.findAllByRole('menuitemradio')
  expect(choices.map(({ textContent }) => textContent)).toEqual(['Light', 'Dark', 'System'])
  await user.click(screen.getByRole('menuitemradio', { name: 'Dark' }))
  await waitFor(() => expect(document.documentElement.dataset['mantineColorScheme']).toBe('dark'))
  await waitFor(() => expect(screen.getByRole('menuitemradio', { name: 'Dark' }).getAttribute('aria-checked')).toBe('true'))
})

test.each([
  ['that is configured', 'https://example.com/about', 'https://example.com/about'],
  ['of the product without one', '', '/about'],
])('Learn More opens the page %s', async (_which, learn_more_url, address) => {
  fakeServer().on(guestCalls.inviting, () => ({ data: null }))
  const session = sessionWith([], { via_share_link: true })
  renderWithSession(<GuestSidebar open />, { session: { ...session, config: { ...session.config, learn_more_url } } })
  expect((await screen.findByRole('link', { name: 'Learn More' })).getAttribute('href')).toBe(address)
})
