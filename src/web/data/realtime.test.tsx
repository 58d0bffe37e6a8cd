import '#web/testing/browser.ts'
import { focusManager, useQuery } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { TOO_MANY_SOCKETS, realtimeCalls } from '#contract/events.ts'
import { initCalls } from '#contract/init.ts'
import { SOCKET_RETRY_MAX_MS } from '#contract/limits.ts'
import { fakeServer, errorAnswer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { onPageEvent } from './page-events.ts'
import { pauseRealtime, resumeRealtime, useChannel } from './realtime.ts'
import { useSession } from './session.ts'

const listeners = new Map<string, (value?: unknown) => void>()
const connect = vi.hoisted(() => vi.fn<() => void>())
const emit = vi.hoisted(() => vi.fn<(event: string, message?: unknown) => void>())
/** What the server answers to the subscription of the page. */
const answer = vi.hoisted(() => vi.fn<() => Promise<unknown>>())
vi.mock('socket.io-client', () => ({
  io: () => ({
    on: (event: string, listener: (value?: unknown) => void) => listeners.set(event, listener),
    connect,
    disconnect: () => undefined,
    emit,
    timeout: () => ({
      emitWithAck: (event: string, message: unknown) => {
        emit(event, message)
        return answer()
      },
    }),
    id: 'socket-1',
    connected: true,
  }),
}))
beforeEach(() => {
  answer.mockReset().mockResolvedValue({ ok: true })
})
afterEach(() => {
  vi.useRealTimers()
  emit.mockClear()
  resetPage()
})

function Page() {
  useChannel('private-datatable.accounts')
  return <p>Permissions: {Object.values(useSession().accessible_features).flat().join(' ')}</p>
}

/** A page with one permission, and the server side of its socket. */
async function openPage() {
  const session = sessionWith(['view_subscriptions'])
  renderWithSession(<Page />, { session: { ...session, config: { ...session.config, realtime: true } } })
  await waitFor(() => expect(listeners.has('resync')).toBe(true))
}

it('a page whose user lost a permission refetches the permissions', async () => {
  fakeServer().on(initCalls.init, () => ({ data: sessionWith([]) }))
  await openPage()
  expect(screen.getByText('Permissions: view_subscriptions')).toBeTruthy()
  listeners.get('resync')?.()
  expect(await screen.findByText('Permissions:')).toBeTruthy()
})

it('a page whose session was ended by the server says so, without a click', async () => {
  fakeServer().on(initCalls.init, () => errorAnswer('unauthenticated'))
  await openPage()
  const ended: string[] = []
  const stop = onPageEvent('session-ended', ({ reason }) => ended.push(reason))
  listeners.get('connect_error')?.(new Error('unauthenticated'))
  await waitFor(() => expect(ended).toEqual(['expired']))
  stop()
})

it('a page of a user with too many pages connects again only when the user returns to it, and then refetches', async () => {
  const server = fakeServer().on(initCalls.init, () => ({ data: sessionWith([]) }))
  await openPage()
  listeners.get('connect_error')?.(new Error(TOO_MANY_SOCKETS))
  expect(connect).not.toHaveBeenCalled()
  act(() => {
    focusManager.setFocused(false)
    focusManager.setFocused(true)
  })
  expect(connect).toHaveBeenCalledTimes(1)
  const before = server.requests.length
  act(() => listeners.get('connect')?.())
  await waitFor(() => expect(server.requests.length).toBeGreaterThan(before))
  act(() => {
    focusManager.setFocused(false)
    focusManager.setFocused(true)
  })
  expect(connect).toHaveBeenCalledTimes(1)
})

it('a page whose subscription failed tries again, and then refetches what it may have missed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  let isDown = true
  const server = fakeServer()
    .on(initCalls.init, () => ({ data: sessionWith([]) }))
    .on(realtimeCalls.authorize, () => (isDown ? errorAnswer('unavailable') : { data: { auth: 'signed' } }))
  const asked = () => server.bodies(realtimeCalls.authorize).length
  await openPage()
  await waitFor(() => expect(asked()).toBeGreaterThan(0))
  expect(emit).not.toHaveBeenCalled()
  isDown = false
  await vi.advanceTimersByTimeAsync(SOCKET_RETRY_MAX_MS)
  await waitFor(() => expect(emit).toHaveBeenCalledWith('subscribe', { channel: 'private-datatable.accounts', auth: 'signed' }))
  await screen.findByText('Permissions:')
})

it('a page without access to its channel does not try again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  const server = fakeServer().on(realtimeCalls.authorize, () => errorAnswer('forbidden'))
  const asked = () => server.bodies(realtimeCalls.authorize).length
  await openPage()
  await waitFor(() => expect(asked()).toBeGreaterThan(0))
  const before = asked()
  await vi.advanceTimersByTimeAsync(2 * SOCKET_RETRY_MAX_MS)
  expect(asked()).toBe(before)
})

/** How often another user has changed an account, and what the list on screen shows of it. */
let changes = 0
function List() {
  useChannel('private-datatable.accounts')
  const { data } = useQuery({ queryKey: ['index', 'accounts'], queryFn: () => changes })
  return <p>Changes: {data}</p>
}

/** A page with a list, whose subscription is sent and not answered. */
async function openList() {
  fakeServer()
    .on(initCalls.init, () => ({ data: sessionWith([]) }))
    .on(realtimeCalls.authorize, () => ({ data: { auth: 'signed' } }))
  const joined = Promise.withResolvers<unknown>()
  answer.mockReturnValue(joined.promise)
  const session = sessionWith(['view_subscriptions'])
  renderWithSession(<List />, { session: { ...session, config: { ...session.config, realtime: true } } })
  await subscribed()
  return joined
}
const subscribed = () => waitFor(() => expect(emit).toHaveBeenCalledWith('subscribe', expect.anything()))

it('a page shows a change that was made between its first fetch and its subscription', async () => {
  const joined = await openList()
  const before = changes
  expect(await screen.findByText(`Changes: ${before}`)).toBeTruthy()
  changes += 1
  joined.resolve({ ok: true })
  expect(await screen.findByText(`Changes: ${before + 1}`)).toBeTruthy()
})

it('a page that lost its connection shows a change that was made after it refetched and before it was subscribed again', async () => {
  const joined = await openList()
  joined.resolve({ ok: true })
  expect(await screen.findByText(`Changes: ${changes}`)).toBeTruthy()
  emit.mockClear()
  const again = Promise.withResolvers<unknown>()
  answer.mockReturnValue(again.promise)
  act(() => {
    listeners.get('disconnect')?.('transport close')
    listeners.get('connect')?.()
  })
  await subscribed()
  changes += 1
  again.resolve({ ok: true })
  expect(await screen.findByText(`Changes: ${changes}`)).toBeTruthy()
})

it('a page whose user continued after the warning shows a change that was made before it was subscribed again', async () => {
  const joined = await openList()
  joined.resolve({ ok: true })
  expect(await screen.findByText(`Changes: ${changes}`)).toBeTruthy()
  act(() => pauseRealtime())
  emit.mockClear()
  const again = Promise.withResolvers<unknown>()
  answer.mockReturnValue(again.promise)
  act(() => resumeRealtime())
  await waitFor(() => expect(listeners.has('connect')).toBe(true))
  await subscribed()
  changes += 1
  again.resolve({ ok: true })
  expect(await screen.findByText(`Changes: ${changes}`)).toBeTruthy()
})

it.each([
  ['rejects', () => Promise.resolve({ ok: false })],
  ['does not answer', () => Promise.reject(new Error('operation has timed out'))],
])('a page tries again when the server %s its subscription', async (_what, answered) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  await openList()
  answer.mockImplementation(answered)
  act(() => listeners.get('connect')?.())
  await waitFor(() => expect(answer).toHaveBeenCalledTimes(2))
  answer.mockResolvedValue({ ok: true })
  const before = changes
  changes += 1
  await vi.advanceTimersByTimeAsync(SOCKET_RETRY_MAX_MS)
  expect(await screen.findByText(`Changes: ${before + 1}`)).toBeTruthy()
})
