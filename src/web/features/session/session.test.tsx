import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { initCalls } from '#contract/init.ts'
import { sessionCalls } from '#contract/session.ts'
import { isSignedIn, storeTokens, tokens } from '#web/data/tokens.ts'
import { fakeServer, errorAnswer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage, signInAs } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

let server: FakeServer

beforeEach(() => {
  server = fakeServer()
    .on(initCalls.init, () => ({ data: sessionWith([]) }))
    .on(sessionCalls.login, () => ({ data: null, token: 'access', refresh_token: 'refresh', two_factor: false }))
    .on(sessionCalls.logout, () => ({ data: null }))
})
afterEach(resetPage)

async function fillIn(user: ReturnType<typeof renderApp>['user'], email: string, password: string) {
  const emailField = await screen.findByLabelText('Email')
  if (email !== '') await user.type(emailField, email)
  if (password !== '') await user.type(screen.getByLabelText('Password'), password)
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
}

describe('sign-in', () => {
  test('says which field is blank and sends nothing', async () => {
    const { user } = renderApp('/login')
    await fillIn(user, '', '')
    expect(screen.getByText('Email cannot be blank')).toBeDefined()
    expect(screen.getByText('Password cannot be blank')).toBeDefined()
    expect(server.requests).toEqual([])
  })

  test.each([
    ['the email', '', 'Email'],
    ['the password', 'dana@harborpoint.example', 'Password'],
  ])('focuses %s when it is the first blank field', async (_field, email, label) => {
    const { user } = renderApp('/login')
    await fillIn(user, email, '')
    expect(document.activeElement).toBe(screen.getByLabelText(label))
  })

  test('sends the trimmed email and "Remember me", stores the tokens and opens the dashboard', async () => {
    const { user, path } = renderApp('/login')
    await user.click(await screen.findByLabelText('Remember me'))
    await fillIn(user, '  dana@harborpoint.example ', 'secret password')
    await waitFor(() => expect(isSignedIn()).toBe(true))
    expect(server.bodies(sessionCalls.login)).toEqual([
      { email: 'dana@harborpoint.example', password: 'secret password', remember: true, ip: null },
    ])
    expect(window.localStorage.getItem('plumbline.session')).toContain('access')
    expect(path()).not.toContain('/login')
  })

  test('stores the tokens only for this tab without "Remember me"', async () => {
    const { user } = renderApp('/login')
    await fillIn(user, 'dana@harborpoint.example', 'secret password')
    await waitFor(() => expect(window.sessionStorage.getItem('plumbline.session')).toContain('access'))
    expect(window.localStorage.getItem('plumbline.session')).toBeNull()
  })

  test('shows an error of the server in the notice, and clears and focuses the password', async () => {
    server.on(sessionCalls.login, () => errorAnswer('unauthenticated', 'The email or the password is not right.'))
    const { user } = renderApp('/login')
    await fillIn(user, 'dana@harborpoint.example', 'wrong')
    expect((await screen.findByRole('alert')).textContent).toBe('The email or the password is not right.')
    const password = screen.getByLabelText<HTMLInputElement>('Password')
    expect(password.value).toBe('')
    expect(document.activeElement).toBe(password)
    expect(screen.queryByText('You have been logged out, session expired.')).toBeNull()
  })

  test('is rejected by an answer that says so with the status of a success', async () => {
    const message = 'The email or the password is not right.'
    server.on(sessionCalls.login, () => ({ response: 'error', message }) as never)
    const { user, path } = renderApp('/login')
    await fillIn(user, 'dana@harborpoint.example', 'wrong')
    expect((await screen.findByRole('alert')).textContent).toBe(message)
    expect([tokens(), path()]).toEqual([undefined, '/login'])
  })

  test('shows an error of the server at its field until the field is edited', async () => {
    server.on(sessionCalls.login, () => errorAnswer('invalid', 'Please check the fields.', { email: ['This email is too long'] }))
    const { user } = renderApp('/login')
    await fillIn(user, 'dana@harborpoint.example', 'secret')
    await screen.findByText('This email is too long')
    await user.type(screen.getByLabelText('Email'), 'x')
    expect(screen.queryByText('This email is too long')).toBeNull()
  })

  test.each([
    ['/accounts?filter__invites=1', '/accounts?filter__invites=1'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example/accounts', '/'],
    ['javascript:alert(1)', '/'],
  ])('r=%s leads to %s after the sign-in', async (wanted, reached) => {
    const { user, router } = renderApp(`/login?r=${encodeURIComponent(wanted)}`)
    const visited: string[] = []
    router.history.subscribe(() => void visited.push(router.history.location.href))
    await fillIn(user, 'dana@harborpoint.example', 'secret password')
    await waitFor(() => expect(visited[0]).toBe(reached))
  })
})

describe('two-factor challenge', () => {
  beforeEach(() => {
    server.on(sessionCalls.login, () => ({ data: null, token: 'limited', refresh_token: null, two_factor: true }))
  })

  test('requires the code before the session begins', async () => {
    server.on(sessionCalls.challenge, ({ token }) =>
      token === 'limited' ? { data: null, token: 'access', refresh_token: 'refresh', two_factor: false } : errorAnswer('unauthenticated'),
    )
    const { user } = renderApp('/login')
    await fillIn(user, 'dana@harborpoint.example', 'secret password')
    const code = await screen.findByPlaceholderText('000000')
    expect(isSignedIn()).toBe(false)
    await user.type(code, ' 123456 ')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(isSignedIn()).toBe(true))
    expect(server.bodies(sessionCalls.challenge)).toEqual([{ code: '123456' }])
  })

  test('shows an error for a wrong code at the field and clears the field', async () => {
    server.on(sessionCalls.challenge, () => errorAnswer('invalid', 'Please check the fields.', { code: ['This code is not right.'] }))
    const { user } = renderApp('/login')
    await fillIn(user, 'dana@harborpoint.example', 'secret password')
    await user.type(await screen.findByPlaceholderText('000000'), '999999')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await screen.findByText('This code is not right.')
    expect(screen.getByPlaceholderText<HTMLInputElement>('000000').value).toBe('')
  })

  test('forgets the error of a code when it sends another', async () => {
    server
      .on(sessionCalls.challenge, () => errorAnswer('invalid', 'Please check the fields.', { code: ['This code is not right.'] }))
      .on(sessionCalls.resendChallenge, () => ({ data: null, message: 'A new code is on its way.' }))
    const { user } = renderApp('/login')
    await fillIn(user, 'dana@harborpoint.example', 'secret password')
    await user.type(await screen.findByPlaceholderText('000000'), '999999')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await screen.findByText('This code is not right.')
    await user.click(screen.getByRole('button', { name: 'Resend Code' }))
    await screen.findByText('A new code is on its way.')
    expect(screen.queryByText('This code is not right.')).toBeNull()
  })

  test('returns to the sign-in form', async () => {
    const { user } = renderApp('/login')
    await fillIn(user, 'dana@harborpoint.example', 'secret password')
    await user.click(await screen.findByRole('button', { name: 'Back to login' }))
    await screen.findByLabelText('Password')
    expect(tokens()).toBeUndefined()
  })
})

describe('an authenticator app', () => {
  beforeEach(() => {
    const challenge = {
      token: 'limited',
      refresh_token: null,
      two_factor: true,
      method: 'totp',
      alternatives: ['recovery_code', 'email'],
    } as const
    server
      .on(sessionCalls.login, () => ({ data: null, ...challenge, alternatives: [...challenge.alternatives] }))
      .on(sessionCalls.resendChallenge, () => ({ data: null, message: 'A new code is on its way.' }))
      .on(sessionCalls.challenge, () => errorAnswer('invalid', 'Check.', { code: ['This code is not right.'] }))
  })
  const enter = async (user: ReturnType<typeof renderApp>['user'], label: string, code: string) => {
    await user.type(await screen.findByLabelText(label), code)
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await screen.findByText('This code is not right.')
  }

  test('is requested in place of the email, also after a reload of the page', async () => {
    const { user } = renderApp('/login')
    await fillIn(user, 'dana@harborpoint.example', 'secret password')
    await screen.findByRole('heading', { name: 'Enter your code' })
    expect(screen.queryByRole('button', { name: 'Resend Code' })).toBeNull()
    expect(window.sessionStorage.getItem('plumbline.session')).toContain('"method":"totp"')
    await enter(user, 'Code', '123456')
    expect(server.bodies(sessionCalls.challenge)).toEqual([{ code: '123456', method: 'totp' }])
  })

  test('can be replaced by a recovery code or a code by email, and chosen again', async () => {
    const { user } = renderApp('/login')
    await fillIn(user, 'dana@harborpoint.example', 'secret password')
    await user.click(await screen.findByRole('button', { name: 'Use a recovery code' }))
    await enter(user, 'Recovery code', 'abcd-1234')
    await user.click(screen.getByRole('button', { name: 'Send a code by email' }))
    await screen.findByText('A new code is on its way.')
    await screen.findByRole('heading', { name: 'Check your email' })
    await enter(user, 'Code', '654321')
    await user.click(screen.getByRole('button', { name: 'Use the authenticator app' }))
    await screen.findByRole('heading', { name: 'Enter your code' })
    expect(server.bodies(sessionCalls.challenge)).toEqual([{ code: 'abcd-1234', method: 'recovery_code' }, { code: '654321' }])
  })
})

test('a code that cannot be sent again yet shows why once', async () => {
  const message = 'A code was sent a moment ago. Please wait before requesting another.'
  server
    .on(sessionCalls.login, () => ({ data: null, token: 'access', refresh_token: null, two_factor: true, method: 'email' as const }))
    .on(sessionCalls.resendChallenge, () => errorAnswer('throttled', message))
  const { user } = renderApp('/login')
  await fillIn(user, 'dana@harborpoint.example', 'secret password')
  await user.click(await screen.findByRole('button', { name: 'Resend Code' }))
  expect(await screen.findAllByText(message)).toHaveLength(1)
})

describe('guards', () => {
  test('a signed-out user is redirected to the sign-in page with the path to return to', async () => {
    const { path } = renderApp('/companies?search=harbor')
    await screen.findByLabelText('Email')
    expect(path()).toBe('/login?r=%2Fcompanies%3Fsearch%3Dharbor')
  })

  test('the sign-in address names no path to return to for the dashboard', async () => {
    const { path } = renderApp('/')
    await screen.findByLabelText('Email')
    expect(path()).toBe('/login')
  })

  test('a page is not found without its permission', async () => {
    signInAs(sessionWith(['view_accounts_component']))
    const { path } = renderApp('/users')
    await screen.findByText(/The page you are looking for does not exist/)
    expect(path()).toBe('/404')
  })

  async function openSignedIn() {
    signInAs(sessionWith([]))
    const { queryClient } = await import('#web/data/query-client.ts')
    queryClient.clear()
    return renderApp('/companies')
  }

  test.each(['broken-off', 'no-answer', 'throttled'] as const)(
    'a user stays signed in when the answer with the session is %s, as when the page is left',
    async (kind) => {
      server.on(initCalls.init, () => errorAnswer(kind)).on(sessionCalls.status, () => ({ data: { status: 'up' as const } }))
      await openSignedIn()
      await screen.findByRole('button', { name: 'Retry' }, { timeout: 5_000 })
      expect(isSignedIn()).toBe(true)
      expect(server.bodies(sessionCalls.logout)).toEqual([])
    },
  )

  test('a user stays signed in when loading the session is canceled', async () => {
    server.on(initCalls.init, () => new Promise(() => undefined))
    await openSignedIn()
    const { queryClient } = await import('#web/data/query-client.ts')
    await waitFor(() => expect(server.requests).toContain('GET /init'))
    await act(() => queryClient.cancelQueries())
    await screen.findByRole('button', { name: 'Retry' })
    expect(isSignedIn()).toBe(true)
    expect(server.bodies(sessionCalls.logout)).toEqual([])
  })

  test('a user is signed out when the server rejects the session', async () => {
    server.on(initCalls.init, () => errorAnswer('internal', 'It broke.'))
    const { path } = await openSignedIn()
    await screen.findByLabelText('Email')
    expect(path()).toBe('/login?r=%2Fcompanies')
    expect(tokens()).toBeUndefined()
  })

  test('an unknown path shows a signed-out user the page for a missing page', async () => {
    renderApp('/nowhere')
    expect(await screen.findByText('404 Not Found')).toBeDefined()
    expect(server.requests).toEqual([])
  })
})

test('a session that ended on the server leads to the sign-in page with a message', async () => {
  signInAs(sessionWith(['view_companies_component']))
  const { path } = renderApp('/404?x=1')
  await screen.findByText(/The page you are looking for/)
  server.on(initCalls.refresh, () => errorAnswer('unauthenticated', 'No session.'))
  const { api } = await import('#web/data/client.ts')
  await act(() => api(initCalls.refresh).catch(() => undefined))
  await screen.findByText('You have been logged out, session expired.')
  await screen.findByLabelText('Password')
  expect(path()).toBe('/login?r=%2F404%3Fx%3D1')
})

describe('password recovery', () => {
  test('requires an email', async () => {
    const { user } = renderApp('/forgot-password')
    await user.click(await screen.findByRole('button', { name: 'Recover Password' }))
    expect(screen.getByText('Email cannot be blank')).toBeDefined()
  })

  test('an invalid link leads to the sign-in page with the message of the server', async () => {
    server.on(sessionCalls.checkReset, () => errorAnswer('conflict', 'This link is no longer valid.'))
    const { path } = renderApp('/reset-password/old')
    await screen.findByText('This link is no longer valid.')
    await waitFor(() => expect(path()).toBe('/login'))
  })

  test.each([
    ['cannot be decoded', '%E0%A4%A'],
    ['is too long for an address', 'x'.repeat(400)],
  ])('a link whose token %s is no longer valid', async (_what, token) => {
    server.on(sessionCalls.checkReset, () => errorAnswer('not_found', 'There is nothing at this address.'))
    const { path } = renderApp(`/reset-password/${token}`)
    await screen.findByText('This password reset link is no longer valid. Please request a new one.')
    await waitFor(() => expect(path()).toBe('/login'))
  })

  test('both passwords must match before anything is sent', async () => {
    server.on(sessionCalls.checkReset, () => ({ data: { email: 'dana@harborpoint.example' } }))
    const { user } = renderApp('/reset-password/good')
    await user.type(await screen.findByLabelText('New password'), 'long enough 1')
    await user.type(screen.getByLabelText('Confirm new password'), 'long enough 2')
    await user.click(screen.getByRole('button', { name: 'Set password' }))
    expect(screen.getByText('The passwords you entered do not match')).toBeDefined()
    expect(server.bodies(sessionCalls.reset)).toEqual([])
  })
})

test.each([
  ['/login', 'Sign in', ['Email', 'Password']],
  ['/forgot-password', 'Recover Password', ['Email']],
  ['/reset-password/good', 'Set password', ['New password', 'Confirm new password']],
])('marks each blank field of %s as invalid for assistive technology until it is edited', async (address, button, labels) => {
  server.on(sessionCalls.checkReset, () => ({ data: { email: 'dana@harborpoint.example' } }))
  const { user } = renderApp(address)
  await user.click(await screen.findByRole('button', { name: button }))
  for (const label of labels) {
    expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true')
    await user.type(screen.getByLabelText(label), 'x')
    expect(screen.getByLabelText(label).getAttribute('aria-invalid')).not.toBe('true')
  }
})

test('the maintenance page signs out at once and returns when the service is up', async () => {
  signInAs(sessionWith([]))
  server.on(sessionCalls.status, () => ({ data: { status: 'up' as const } }))
  renderApp('/maintenance')
  await waitFor(() => expect(tokens()).toBeUndefined())
  await screen.findByLabelText('Password')
  expect(server.requests).toContain('GET /status')
})

test.each([
  ['a visit', `/maintenance`, '/visit-ended'],
  ['a link', `/maintenance?r=${encodeURIComponent('/account/1/share/secret')}`, '/account/1/share/secret'],
])('after the maintenance, %s leads from %s to %s', async (what, from, to) => {
  server.on(sessionCalls.status, () => ({ data: { status: 'up' as const } }))
  if (what === 'a visit') storeTokens({ token: 'first', refreshToken: null, remember: false, challenge: false, guest: 'visit' })
  const { path } = renderApp(from)
  await waitFor(() => expect(path()).toBe(to))
})

test('the maintenance page shows the message of the administrator, and administrators the way to sign in', async () => {
  server.on(sessionCalls.status, () => errorAnswer('maintenance', 'Back at 14:00 UTC.'))
  const { user, path } = renderApp('/maintenance')
  expect(await screen.findByText('Back at 14:00 UTC.')).toBeDefined()
  await user.click(screen.getByRole('link', { name: 'Sign in' }))
  await screen.findByLabelText('Password')
  expect(path()).toBe('/login')
})

test('a page that is opened during maintenance leads to the maintenance page and signs out', async () => {
  const maintenance = () => errorAnswer('maintenance', 'Back at 14:00 UTC.')
  server.on(initCalls.init, maintenance).on(sessionCalls.status, maintenance)
  storeTokens({ token: 'first', refreshToken: null, remember: false, challenge: false })
  const { path } = renderApp('/settings')
  expect(await screen.findByText('Back at 14:00 UTC.')).toBeDefined()
  expect(path()).toBe('/maintenance')
  await waitFor(() => expect(tokens()).toBeUndefined())
})

test('a sign-in that the busy server rejects with 503 leads to the maintenance page, and back with the message of the server', async () => {
  const busy = 'Too many people are signing in at this moment. Please try again in a few seconds.'
  server.on(sessionCalls.login, () => errorAnswer('unavailable', busy)).on(sessionCalls.status, () => ({ data: { status: 'up' as const } }))
  const { user, path } = renderApp('/login')
  await fillIn(user, 'dana@harborpoint.example', 'secret password')
  await waitFor(() => expect(server.requests).toContain('GET /status'))
  await waitFor(() => expect(path()).toContain('/login'))
  expect(within(await screen.findByRole('alert')).getByText(busy)).toBeDefined()
})
