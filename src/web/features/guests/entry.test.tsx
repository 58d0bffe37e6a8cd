import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { inviteCalls } from '#contract/account-invites.ts'
import { initCalls } from '#contract/init.ts'
import { sharingCalls } from '#contract/sharing.ts'
import { queryClient } from '#web/data/query-client.ts'
import { initQuery } from '#web/data/session.ts'
import { storeTokens, tokens } from '#web/data/tokens.ts'
import { ACCOUNT_ID } from '#web/testing/account-server.ts'
import { errorAnswer, fakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

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

test('a share link waits for the answer of a user who is signed in, whose session the visit would replace in the tab', async () => {
  const server = fakeServer().on(sharingCalls.redeem, () => errorAnswer('not_found', 'This link is not right.'))
  const { user } = renderApp(`/account/${ACCOUNT_ID}/share/some-token`, sessionWith([]))
  await screen.findByRole('heading', { name: 'You are signed in' })
  expect(server.requests.filter((request) => request.endsWith('/share'))).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Open the shared account' }))
  await screen.findByText('This link is not right.')
})

/** What a link with a code by email needs next. */
const needs = (body: object) => ('email' in body ? ('code' as const) : ('email' as const))

test('a code for a link can be sent again', async () => {
  const server = fakeServer().on(sharingCalls.redeem, ({ body }) => ({
    data: { needs: needs(body), account_id: ACCOUNT_ID },
    token: null,
    refresh_token: null,
  }))
  const { user } = renderApp(`/account/${ACCOUNT_ID}/share/right`)
  await user.type(await screen.findByLabelText(/^Email/), 'una@insurer.example')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await user.click(await screen.findByRole('button', { name: 'Send a new code' }))
  await screen.findByText('If this email may open the link, a new code is on its way.')
  const sent = { share_token: 'right', email: 'una@insurer.example' }
  expect(server.bodies(sharingCalls.redeem)).toEqual([{ share_token: 'right' }, sent, sent])
})

test('a wrong code for a link is emptied, and a new code ends its error', async () => {
  fakeServer().on(sharingCalls.redeem, ({ body }) =>
    'code' in body
      ? errorAnswer('invalid', 'Please check.', { code: ['The code is not right, or it has expired.'] })
      : { data: { needs: needs(body), account_id: ACCOUNT_ID }, token: null, refresh_token: null },
  )
  const { user } = renderApp(`/account/${ACCOUNT_ID}/share/right`)
  await user.type(await screen.findByLabelText(/^Email/), 'una@insurer.example')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  const field = await screen.findByLabelText(/^Code/)
  await waitFor(() => expect(document.activeElement).toBe(field))
  await user.keyboard('000001{Enter}')
  await screen.findByText('The code is not right, or it has expired.')
  expect(field).toHaveProperty('value', '')
  await user.click(screen.getByRole('button', { name: 'Send a new code' }))
  await screen.findByText('If this email may open the link, a new code is on its way.')
  expect(screen.queryByText('The code is not right, or it has expired.')).toBeNull()
})

describe('a link opens in a tab with an earlier visit that the server has ended', () => {
  const INVITATION = {
    email: 'una@insurer.example',
    account_name: 'Cascadia Portfolio',
    invited_by: 'Dana Whitfield',
    company: 'Harbor Point Brokerage',
    logo_url: null,
    expires_at: { date: null, human: 'Never' },
    signed_in_as: null,
  }
  const LOCKED = { data: { needs: 'password' as const, account_id: ACCOUNT_ID }, token: null, refresh_token: null }
  const invite = '/invite/secret'
  const share = `/account/${ACCOUNT_ID}/share/secret`
  const calls = { [invite]: 'POST /account_invites/look', [share]: `POST /accounts/${ACCOUNT_ID}/share` }

  /** The calls of the page are under way when the server rejects the visit, and are answered after that. */
  async function open(path: keyof typeof calls, isRevoked = false) {
    const rejected = Promise.withResolvers<void>()
    const onPage = async <T,>(answer: T) => {
      await rejected.promise
      await new Promise((resolve) => setTimeout(resolve, 50))
      return isRevoked ? errorAnswer('not_found', 'This invitation is no longer valid.') : answer
    }
    const server = fakeServer()
      .on(inviteCalls.look, () => onPage({ data: INVITATION }))
      .on(sharingCalls.redeem, () => onPage(LOCKED))
      .on(initCalls.init, async () => {
        await waitFor(() => expect(server.requests).toContain(calls[path]))
        rejected.resolve()
        return errorAnswer('unauthenticated', 'Please sign in to continue.')
      })
    storeTokens({ token: 'ended', refreshToken: null, remember: false, challenge: false, guest: 'visit' })
    queryClient.query(initQuery).catch(() => undefined) // as the page does before it renders
    return { ...renderApp(path), requests: () => server.requests.filter((request) => request === calls[path]) }
  }

  test.each([
    ['an invitation', invite, 'You are invited to Cascadia Portfolio'],
    ['a share link', share, 'This link is protected'],
  ] as const)('as %s', async (_what, address, title) => {
    const { path, requests } = await open(address)
    await screen.findByRole('heading', { name: title })
    expect([path(), requests().length]).toEqual([address, 1])
    expect([tokens(), window.sessionStorage.getItem('plumbline.session')]).toEqual([undefined, null])
  })

  test.each([invite, share] as const)('and %s says that it was revoked', async (address) => {
    const { path } = await open(address, true)
    await screen.findByText('This invitation is no longer valid.')
    expect([path(), tokens()]).toEqual([address, undefined])
  })

  test('and stays open when another tab of the visit ends it', async () => {
    storeTokens({ token: 'visit', refreshToken: null, remember: false, challenge: false, guest: 'visit' })
    fakeServer()
      .on(initCalls.init, () => new Promise(() => undefined))
      .on(inviteCalls.look, async () => {
        const otherTab = new BroadcastChannel('plumbline.session')
        otherTab.postMessage({ type: 'ended', token: 'visit', reason: 'expired' })
        await waitFor(() => expect(tokens()).toBeUndefined())
        otherTab.close()
        return { data: INVITATION }
      })
    const { path } = renderApp(invite)
    await screen.findByRole('heading', { name: 'You are invited to Cascadia Portfolio' })
    expect(path()).toBe(invite)
  })
})
