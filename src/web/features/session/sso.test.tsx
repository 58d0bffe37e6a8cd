import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { factorCalls } from '#contract/factors.ts'
import { initCalls } from '#contract/init.ts'
import { sessionCalls } from '#contract/session.ts'
import { ssoCalls } from '#contract/sso.ts'
import { findService } from '#web/data/single-sign-on.ts'
import { isSignedIn } from '#web/data/tokens.ts'
import { errorAnswer, fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

const ID = '01912f4c-0000-7000-8000-000000000001'
let server: FakeServer

beforeEach(() => {
  server = fakeServer()
    .on(initCalls.init, () => ({ data: sessionWith([]) }))
    .on(ssoCalls.lookup, () => ({ data: { provider: { id: ID, name: 'Harbor Point' }, password: true } }))
    .on(ssoCalls.finish, () => ({ data: { return_to: null }, token: 'access', refresh_token: 'refresh', two_factor: false }))
})
afterEach(() => {
  window.location.hash = ''
  resetPage()
})

describe('a user whose company allows only single sign-on', () => {
  const MESSAGE = 'Users of Harbor Point sign in with single sign-on.'
  const onlySso = () => errorAnswer('forbidden', MESSAGE, {}, { single_sign_on: true })
  const signIn = async (user: ReturnType<typeof renderApp>['user']) => {
    await user.type(await screen.findByLabelText('Email'), 'dana@harborpoint.example')
    await user.type(screen.getByLabelText('Password'), 'secret password')
    await user.click(screen.getByRole('button', { name: 'Sign in' }))
  }

  test('is led from the right password to single sign-on, with the email and the place to return to', async () => {
    server.on(sessionCalls.login, onlySso)
    const { user } = renderApp('/login?r=/accounts')
    await signIn(user)
    expect((await screen.findByRole('alert')).textContent).toContain(MESSAGE)
    await user.click(screen.getByRole('link', { name: 'Continue with single sign-on' }))
    expect(await screen.findByRole('heading', { name: 'Single sign-on' })).toBeDefined()
    expect(screen.getByLabelText('Email')).toHaveProperty('value', 'dana@harborpoint.example')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Continue with Harbor Point' })
    expect(new URL(link.href).searchParams.get('return_to')).toBe('/accounts')
  })

  test('is led from a passkey to single sign-on', async () => {
    vi.stubGlobal('PublicKeyCredential', class {})
    server.on(factorCalls.startPasskeySignIn, onlySso)
    const { user } = renderApp('/login')
    await user.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }))
    expect(await screen.findByText(MESSAGE)).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Single sign-on' }))
    expect(await screen.findByRole('heading', { name: 'Single sign-on' })).toBeDefined()
    vi.unstubAllGlobals()
  })

  test('is not led there by any other error', async () => {
    server.on(sessionCalls.login, () => errorAnswer('unauthenticated', 'The email or the password is not right.'))
    const { user } = renderApp('/login')
    await signIn(user)
    await screen.findByRole('alert')
    expect(screen.queryByRole('link', { name: 'Continue with single sign-on' })).toBeNull()
    await user.click(screen.getByRole('link', { name: 'Single sign-on' }))
    expect(await screen.findByRole('heading', { name: 'Single sign-on' })).toBeDefined()
    expect(screen.getByLabelText('Email')).toHaveProperty('value', 'dana@harborpoint.example')
  })
})

describe('the page of single sign-on', () => {
  test('leads to the service of the company, with a secret of this tab and the place to return to', async () => {
    const { user } = renderApp('/sso?r=/accounts')
    await user.type(await screen.findByLabelText('Email'), ' dana@harborpoint.example ')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Continue with Harbor Point' })
    const address = new URL(link.href)
    expect(address.pathname).toBe(`/api/v1/sso/${ID}/start`)
    expect(address.searchParams.get('browser')).toMatch(/^[\w-]{43}$/)
    expect(address.searchParams.get('return_to')).toBe('/accounts')
    expect(address.searchParams.get('login_hint')).toBe('dana@harborpoint.example')
  })

  test('says that there is no service for an email, and keeps the form', async () => {
    server.on(ssoCalls.lookup, () => ({ data: { provider: null, password: true } }))
    const { user } = renderApp('/sso')
    await user.type(await screen.findByLabelText('Email'), 'dana@elsewhere.example')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText('There is no single sign-on for this email. Please sign in with your password.')).toBeDefined()
    expect(screen.getByLabelText('Email')).toBeDefined()
  })

  test('exchanges the ticket once, begins a session that is not remembered and opens the dashboard', async () => {
    window.location.hash = 'ticket-of-the-service'
    const { path } = renderApp('/sso')
    await waitFor(() => expect(isSignedIn()).toBe(true))
    expect(server.bodies(ssoCalls.finish)).toEqual([{ ticket: 'ticket-of-the-service', browser: expect.stringMatching(/^[\w-]{43}$/) }])
    expect(window.localStorage.getItem('plumbline.session')).toBeNull()
    await waitFor(() => expect(path()).not.toContain('/sso'))
  })

  test('begins with the email in the address', async () => {
    renderApp('/sso?email=dana@harborpoint.example')
    expect(await screen.findByLabelText('Email')).toHaveProperty('value', 'dana@harborpoint.example')
  })

  test('is filled in again after there were too many sign-ins', async () => {
    await findService('dana@harborpoint.example', '/accounts')
    const { user } = renderApp('/sso?busy=1')
    expect(await screen.findByText(/^Too many people are signing in at this moment/)).toBeDefined()
    expect(screen.getByLabelText('Email')).toHaveProperty('value', 'dana@harborpoint.example')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Continue with Harbor Point' })
    expect(new URL(link.href).searchParams.get('return_to')).toBe('/accounts')
  })

  test('shows why the sign-in was not accepted, and begins again with the same email and place to return to', async () => {
    const message = "Harbor Point's sign-in service does not answer. Please try again."
    server.on(ssoCalls.finish, () => errorAnswer('unavailable', message))
    await findService('dana@harborpoint.example', '/accounts?search=mill')
    window.location.hash = 'ticket-of-the-service'
    const { path } = renderApp('/sso')
    expect(await screen.findByText(message)).toBeDefined()
    const again = new URL(screen.getByRole<HTMLAnchorElement>('link', { name: 'Start again' }).href)
    expect(again.pathname).toBe('/sso')
    expect(Object.fromEntries(again.searchParams)).toEqual({ r: '/accounts?search=mill', email: 'dana@harborpoint.example' })
    expect(screen.getByRole('link', { name: 'Back to Login' })).toBeDefined()
    expect(path()).toContain('/sso')
    expect(isSignedIn()).toBe(false)
  })
})
