import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { inviteCalls } from '#contract/account-invites.ts'
import { sharingCalls } from '#contract/sharing.ts'
import { ACCOUNT_ID } from '#web/testing/account-server.ts'
import { errorAnswer, fakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'

afterEach(resetPage)

/** Much sooner than a message of the shell closes by itself. */
const SOON = { timeout: 1_000 }
const TOO_MANY = 'Too many attempts. Please try again in 9 minutes.'

describe('after many wrong links, one message says when to try again,', () => {
  test.each([
    ['a link', `/account/${ACCOUNT_ID}/share/wrong`],
    ['an invitation', '/invite/wrong'],
  ])('on the page of %s', async (_what, path) => {
    fakeServer()
      .on(sharingCalls.redeem, () => errorAnswer('throttled', TOO_MANY))
      .on(inviteCalls.look, () => errorAnswer('throttled', TOO_MANY))
    renderApp(path)
    await screen.findByRole('heading', { name: 'Invitation Error' })
    await waitFor(() => expect(screen.getAllByText(TOO_MANY)).toHaveLength(1), SOON)
  })

  test('in the form of a link with a password', async () => {
    fakeServer().on(sharingCalls.redeem, ({ body }) =>
      'password' in body
        ? errorAnswer('throttled', TOO_MANY)
        : { data: { needs: 'password' as const, account_id: ACCOUNT_ID }, token: null, refresh_token: null },
    )
    const { user } = renderApp(`/account/${ACCOUNT_ID}/share/right`)
    await user.type(await screen.findByLabelText(/^Password/), 'wrong password')
    await user.click(screen.getByRole('button', { name: 'Open the account' }))
    await screen.findAllByText(TOO_MANY)
    await waitFor(() => expect(screen.getAllByText(TOO_MANY)).toHaveLength(1), SOON)
  })
})

test('a share link with a malformed account gets the answer for a wrong link', async () => {
  const server = fakeServer().on(sharingCalls.redeem, () => errorAnswer('not_found', 'This link is not right.'))
  renderApp('/account/not-an-id/share/some-token')
  await screen.findByRole('heading', { name: 'Invitation Error' })
  await screen.findByText('This link is not right.')
  expect(server.requests).toContain('POST /accounts/00000000-0000-0000-0000-000000000000/share')
})
