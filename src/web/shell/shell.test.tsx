import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { IDLE_LOGOUT_MS, IDLE_WARNING_MS, MINUTE_MS, OFFLINE_PROBE_MS } from '#contract/limits.ts'
import { accountCalls } from '#contract/accounts.ts'
import { companyCalls } from '#contract/companies.ts'
import { CHANNELS, realtimeCalls } from '#contract/events.ts'
import { initCalls } from '#contract/init.ts'
import { sessionCalls } from '#contract/session.ts'
import { emitPageEvent } from '#web/data/page-events.ts'
import { queryClient } from '#web/data/query-client.ts'
import { tokens } from '#web/data/tokens.ts'
import { fakeServer, errorAnswer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage, signInAs } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { shellModels } from '../signed-in.tsx'
import { dueAfter, inactivityMessage, InactivityWatch } from './inactivity.tsx'
import { NotFound } from './not-found.tsx'
import { ConnectionWatch, SessionWatch } from './root.tsx'
import { Shell } from './shell.tsx'

const socket = vi.hoisted(() => ({
  id: 'socket',
  connected: true,
  on: vi.fn<(event: string, listener: () => void) => void>(),
  emit: vi.fn<(...message: unknown[]) => void>(),
  connect: vi.fn<() => void>(),
  disconnect: vi.fn<() => void>(),
  timeout: () => socket,
  emitWithAck: vi.fn<(...message: unknown[]) => Promise<object>>(() => Promise.resolve({ ok: true })),
}))
vi.mock('socket.io-client', () => ({ io: () => socket }))

let server: FakeServer
beforeEach(() => {
  server = fakeServer().on(sessionCalls.logout, () => ({ data: null }))
})
afterEach(() => {
  vi.useRealTimers()
  resetPage()
})

describe('sidebar', () => {
  test('shows an item only with its permission', async () => {
    renderWithSession(<Shell models={shellModels}>page</Shell>, { session: sessionWith(['view_accounts_component', 'view_global_search']) })
    const nav = await screen.findByRole('navigation', { name: 'Main' })
    const names = [...nav.querySelectorAll('a, button')].map((item) => item.getAttribute('aria-label'))
    expect(names).toEqual(['Global Search', 'Accounts'])
  })

  test('links to the assigned accounts for a user without the list of accounts', async () => {
    renderWithSession(<Shell models={shellModels}>page</Shell>, { session: sessionWith(['view_account_details']) })
    expect((await screen.findByRole('link', { name: 'Your accounts' })).getAttribute('href')).toBe('/your-accounts')
  })

  test('remembers that it was collapsed', async () => {
    const { user } = renderWithSession(<Shell models={shellModels}>page</Shell>, { session: sessionWith([]) })
    await user.click(await screen.findByRole('button', { name: 'Collapse sidebar' }))
    expect(window.localStorage.getItem('plumbline.sidebar')).toContain('closed')
    expect(screen.getByRole('button', { name: 'Expand sidebar' })).toBeDefined()
  })

  test('Logout ends the session on the server and here', async () => {
    const { user } = renderWithSession(<Shell models={shellModels}>page</Shell>, { session: sessionWith([]) })
    await user.click(await screen.findByRole('button', { name: 'Logout' }))
    await waitFor(() => expect(tokens()).toBeUndefined())
    expect(server.requests).toContain('GET /logout')
  })
})

describe('rights', () => {
  test('of every page are followed over the channel of its user, also without a list', async () => {
    const session = sessionWith(['view_accounts_component'])
    server.on(initCalls.init, () => ({ data: sessionWith([]) })).on(realtimeCalls.authorize, () => ({ data: { auth: 'signature' } }))
    renderWithSession(<Shell models={shellModels}>page</Shell>, { session: { ...session, config: { ...session.config, realtime: true } } })
    await screen.findByRole('link', { name: 'Accounts' })
    const channel = CHANNELS.user(session.auth_user.id)
    await waitFor(() => expect(socket.emitWithAck).toHaveBeenCalledWith('subscribe', { channel, auth: 'signature' }))
    const resync = socket.on.mock.calls.find(([event]) => event === 'resync')?.[1]
    act(() => resync?.())
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Accounts' })).toBeNull())
  })
})

describe('heading bar', () => {
  test('live chat writes to support when no chat is configured', async () => {
    renderWithSession(<Shell models={shellModels}>page</Shell>, { session: sessionWith([]) })
    expect((await screen.findByRole('link', { name: 'Live Chat' })).getAttribute('href')).toBe('mailto:support@plumbline.example')
  })

  test('live chat reaches an administrator when neither a chat nor a support address is configured', async () => {
    const session = sessionWith(['view_help_request'])
    const config = { ...session.config, chat_url: '', support_email: '' }
    const { user } = renderWithSession(<Shell models={shellModels}>page</Shell>, { session: { ...session, config } })
    await user.click(await screen.findByRole('button', { name: 'Live Chat' }))
    expect(await screen.findByText('There is no live chat here. An administrator gets your message by email.')).toBeDefined()
    expect(await screen.findByRole('textbox', { name: 'Report a problem' })).toBeDefined()
  })

  test('help needs its permission', async () => {
    renderWithSession(<Shell models={shellModels}>page</Shell>, { session: sessionWith([]) })
    await screen.findByRole('link', { name: 'Live Chat' })
    expect(screen.queryByRole('button', { name: 'Help' })).toBeNull()
  })
})

describe('global search', () => {
  const session = sessionWith(['view_global_search', 'view_accounts_component', 'view_companies_component'])

  test('opens with / and shows a hint; Escape closes it', async () => {
    const { user } = renderWithSession(<Shell models={shellModels}>page</Shell>, { session })
    await screen.findByText('page')
    await user.keyboard('/')
    await screen.findByText('Enter a search term above to begin searching')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByText('Enter a search term above to begin searching')).toBeNull())
  })

  test('closes when its permission is taken away', async () => {
    const { user } = renderWithSession(<Shell models={shellModels}>page</Shell>, { session })
    await screen.findByText('page')
    await user.keyboard('/')
    await screen.findByRole('textbox', { name: 'Search' })
    act(() => signInAs(sessionWith(['view_accounts_component'])))
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Search' })).toBeNull())
  })

  test('has the focus as soon as the key is handled, so that no typed letter is lost', async () => {
    const { user } = renderWithSession(<Shell models={shellModels}>page</Shell>, { session })
    await screen.findByText('page')
    document.documentElement.dispatchEvent(new KeyboardEvent('keydown', { key: '/', code: 'Slash', bubbles: true, cancelable: true }))
    expect(document.activeElement?.getAttribute('placeholder')).toBe('Search')
    await user.keyboard('harbor')
    expect(screen.getByRole('textbox', { name: 'Search' })).toHaveProperty('value', 'harbor')
  })

  test('groups the results; a group whose call answers 404 is empty', async () => {
    const id = '0198c0de-0000-7000-8000-00000000000a'
    server.on(accountCalls.search, () => ({ data: [{ id, name: 'Harbor Portfolio', detail: 'Active', account_id: id }] }))
    server.on(companyCalls.search, () => errorAnswer('not_found', 'Nothing was found.'))
    const { user } = renderWithSession(<Shell models={shellModels}>page</Shell>, { session })
    await screen.findByText('page')
    await user.keyboard('/')
    await user.type(await screen.findByRole('textbox', { name: 'Search' }), 'har')
    const accounts = await screen.findByRole('region', { name: 'Accounts found' })
    expect((await within(accounts).findByRole('link', { name: /Harbor Portfolio/ })).getAttribute('href')).toBe(`/accounts/${id}`)
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement?.textContent).toContain('Harbor Portfolio')
    await within(screen.getByRole('region', { name: 'Companies found' })).findByText('No results found.')
    expect(screen.queryByRole('region', { name: 'Users found' })).toBeNull()
    expect(server.requests.filter((request) => request.startsWith('GET /accounts/search'))).toEqual(['GET /accounts/search?search=har'])
  })
})

describe('a result of global search', () => {
  test('cannot be opened by click or Enter while a newer text is searched', async () => {
    const id = '0198c0de-0000-7000-8000-00000000000a'
    server.on(accountCalls.search, () => ({ data: [{ id, name: 'Harbor Portfolio', detail: 'Active', account_id: id }] }))
    const session = sessionWith(['view_global_search', 'view_accounts_component'])
    const { user, router } = renderWithSession(<Shell models={shellModels}>page</Shell>, { session })
    await screen.findByText('page')
    await user.keyboard('/')
    const input = await screen.findByRole('textbox', { name: 'Search' })
    await user.type(input, 'har')
    const result = await screen.findByRole('link', { name: /Harbor Portfolio/ })
    await user.type(input, 'x')
    await user.click(result)
    await user.type(input, 'y{ArrowDown}{Enter}')
    expect(router.state.location.pathname).toBe('/')
    expect(screen.getByRole('dialog')).toBeDefined()
  })
})

describe('a page that does not exist', () => {
  const without = (support: object) => {
    const session = sessionWith(['view_dashboard_component'])
    return { ...session, config: { ...session.config, support_email: '', chat_url: '', support_phone: '', ...support } }
  }

  test('leads back to the dashboard and to support, by phone if there is neither mail nor chat', async () => {
    renderWithSession(<NotFound />, { session: without({ support_phone: '+1 555 0100' }) })
    expect((await screen.findByRole('link', { name: 'Back to the dashboard' })).getAttribute('href')).toBe('/')
    expect(screen.getByRole('link', { name: 'contact us' }).getAttribute('href')).toBe('tel:+15550100')
  })

  test('mentions no support that is not configured', async () => {
    renderWithSession(<NotFound />, { session: without({}) })
    const text =
      'The page you are looking for does not exist or you may not have permission to view this. If you believe this is an error please contact us.'
    expect((await screen.findByText(/does not exist/)).textContent).toBe(text)
    expect(screen.queryByRole('link', { name: 'contact us' })).toBeNull()
  })
})

describe('inactivity', () => {
  test('warns at 58 minutes and signs out at 60', () => {
    expect([dueAfter(IDLE_WARNING_MS - 1), dueAfter(IDLE_WARNING_MS), dueAfter(IDLE_LOGOUT_MS - 1), dueAfter(IDLE_LOGOUT_MS)]).toEqual([
      'nothing',
      'warning',
      'warning',
      'logout',
    ])
  })

  test('names the provider with a capital letter', () => {
    expect(inactivityMessage('the provider')).toBe('The provider has logged you out due to inactivity.')
  })

  test('signs out after the sleep of the device, although the user moves the pointer before the next check', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const page = (
      <>
        <SessionWatch />
        <InactivityWatch />
        <p>page</p>
      </>
    )
    const { router } = renderWithSession(page, { session: sessionWith([]), path: '/profile' })
    await act(() => vi.advanceTimersByTimeAsync(50))
    vi.setSystemTime(Date.now() + IDLE_LOGOUT_MS)
    act(() => void window.dispatchEvent(new Event('pointermove')))
    await screen.findByText('The provider has logged you out due to inactivity.')
    expect(router.state.location.href).toBe('/login?r=%2Fprofile')
  })

  test('warns again when the clock is set back, and a movement does not close the warning', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    renderWithSession(<InactivityWatch />, { session: sessionWith([]) })
    await act(() => vi.advanceTimersByTimeAsync(MINUTE_MS))
    vi.setSystemTime(Date.now() - 3 * IDLE_LOGOUT_MS)
    await act(() => vi.advanceTimersByTimeAsync(IDLE_WARNING_MS))
    await screen.findByRole('button', { name: 'Continue' })
    act(() => void window.dispatchEvent(new Event('pointermove')))
    expect(screen.getByRole('button', { name: 'Continue' })).toBeDefined()
  })

  test('Continue extends the session and closes the dialog; without an answer the session ends', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    server.on(sessionCalls.keep, () => ({ data: null, token: 'kept', refresh_token: 'again', two_factor: false }))
    const page = (
      <>
        <SessionWatch />
        <InactivityWatch />
      </>
    )
    renderWithSession(page, { session: sessionWith([]) })
    await act(() => vi.advanceTimersByTimeAsync(IDLE_WARNING_MS + MINUTE_MS / 2))
    const stay = await screen.findByRole('button', { name: 'Continue' })
    expect(screen.getByRole('timer').textContent).toMatch(/^1:\d\d$/)
    act(() => stay.click())
    await waitFor(() => expect(tokens()?.token).toBe('kept'))
    expect(screen.queryByRole('timer')).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(IDLE_LOGOUT_MS + MINUTE_MS))
    await screen.findByText('The provider has logged you out due to inactivity.')
    expect(tokens()).toBeUndefined()
  })
})

describe('connection', () => {
  const TEXT = 'Connection Error - Please check your internet connection. Attempting to reconnect...'

  test('covers the page while the service is unreachable, probes every 30 s and reloads when it is back', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let up = false
    const reload = vi.fn<() => void>()
    server.on(sessionCalls.status, () => (up ? { data: { status: 'up' as const } } : errorAnswer('no-answer')))
    renderWithSession(<ConnectionWatch reload={reload} />, { session: sessionWith([]) })
    await act(() => vi.advanceTimersByTimeAsync(50))
    act(() => emitPageEvent('unreachable', null))
    const cover = (await screen.findByText(TEXT)).closest('[role="alertdialog"]')
    // Panels and dialogs have their own portals, which it covers and whose Escape key it keeps.
    expect(cover?.closest('[data-portal]')).not.toBeNull()
    expect(cover).toBe(document.activeElement)
    expect(cover?.getAttribute('data-mantine-stop-propagation')).toBe('true')
    up = true
    await act(() => vi.advanceTimersByTimeAsync(OFFLINE_PROBE_MS - 5_000))
    expect(reload).not.toHaveBeenCalled()
    await act(() => vi.advanceTimersByTimeAsync(6_000))
    expect(reload).toHaveBeenCalled()
  })

  test('reloads only the data of the page when the service is back and a reload would lose what the user entered', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const reload = vi.fn<() => void>()
    const loaded = vi.spyOn(queryClient, 'invalidateQueries')
    const prevent = (event: Event) => event.preventDefault()
    window.addEventListener('beforeunload', prevent)
    onTestFinished(() => window.removeEventListener('beforeunload', prevent))
    let up = false
    server.on(sessionCalls.status, () => (up ? { data: { status: 'up' as const } } : errorAnswer('no-answer')))
    const unsaved = (
      <>
        <ConnectionWatch reload={reload} />
        <input aria-label="Unsaved" autoFocus />
      </>
    )
    renderWithSession(unsaved, { session: sessionWith([]) })
    await act(() => vi.advanceTimersByTimeAsync(50))
    act(() => emitPageEvent('unreachable', null))
    await screen.findByText(TEXT)
    up = true
    await act(() => vi.advanceTimersByTimeAsync(OFFLINE_PROBE_MS + 1_000))
    await waitFor(() => expect(screen.queryByText(TEXT)).toBeNull())
    expect(reload).not.toHaveBeenCalled()
    expect(loaded).toHaveBeenCalled()
    expect(screen.getByRole('textbox', { name: 'Unsaved' })).toBe(document.activeElement)
  })

  test('the page stays usable when only one call had no answer', async () => {
    server.on(sessionCalls.status, () => ({ data: { status: 'up' as const } }))
    renderWithSession(<ConnectionWatch />, { session: sessionWith([]) })
    await act(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      emitPageEvent('unreachable', null)
    })
    await waitFor(() => expect(server.requests).toEqual(['GET /status']))
    expect(screen.queryByText(TEXT)).toBeNull()
  })
})
