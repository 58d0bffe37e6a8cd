import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { initCalls } from '#contract/init.ts'
import { sessionCalls } from '#contract/session.ts'
import { fakeServer, errorAnswer, type FakeServer } from '#web/testing/fake-server.ts'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'
import { initQuery, signIn, signOut } from './session.ts'
import { onPageEvent } from './page-events.ts'
import { adoptSession, clearTokens, storeTokens, tokens, type StoredTokens } from './tokens.ts'

const KEY = 'plumbline.session'
const session = (token: string, more: Partial<StoredTokens> = {}): StoredTokens => ({
  token,
  refreshToken: `refresh of ${token}`,
  remember: false,
  challenge: false,
  ...more,
})

let server: FakeServer
let otherTab: BroadcastChannel
let received: unknown[] = []
beforeEach(() => {
  server = fakeServer()
  otherTab = new BroadcastChannel(KEY)
  received = []
  otherTab.addEventListener('message', ({ data }) => received.push(data))
})
afterEach(() => {
  server.close()
  otherTab.close()
  clearTokens()
  window.localStorage.clear()
  queryClient.clear()
})

/** Messages that were posted before have arrived when this resolves. */
async function whenReceived(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 30))
}

describe('signing in', () => {
  test('carries no token of an earlier session, whose end would be taken for a wrong password', async () => {
    storeTokens(session('an abandoned second factor', { challenge: true }))
    server.on(sessionCalls.login, ({ token }) => {
      if (token !== undefined) return errorAnswer('unauthenticated', 'Please sign in to continue.')
      return { data: null, token: 'new', refresh_token: 'r', two_factor: false }
    })
    expect(await signIn('a@b.example', 'secret', false)).toBe('signed-in')
    expect(tokens()?.token).toBe('new')
  })

  test('sends nothing to the tabs of the user who was signed in before', async () => {
    storeTokens(session('first person'))
    server.on(sessionCalls.login, () => ({ data: null, token: 'second person', refresh_token: 'r', two_factor: false }))
    await signIn('a@b.example', 'secret', false)
    await whenReceived()
    expect(received).toEqual([])
  })
})

describe('a page in a new tab', () => {
  test('takes over the session of another tab', async () => {
    window.localStorage.setItem('plumbline.signed-in', '1')
    otherTab.addEventListener('message', () => otherTab.postMessage({ type: 'have', tokens: session('of the other tab') }))
    await adoptSession()
    expect(tokens()?.token).toBe('of the other tab')
  })

  test('waits for the answer of a tab that is busy', async () => {
    onTestFinished(() => void vi.unstubAllGlobals())
    const held = [{ name: 'plumbline.signed-in-tabs' }]
    vi.stubGlobal('navigator', { ...navigator, locks: { query: () => Promise.resolve({ held }), request: () => Promise.resolve() } })
    window.localStorage.setItem('plumbline.signed-in', '1')
    setTimeout(() => otherTab.postMessage({ type: 'have', tokens: session('of a busy tab') }), 600)
    await adoptSession()
    expect(tokens()?.token).toBe('of a busy tab')
  })

  test('takes over nothing that comes after it has shown the sign-in page', async () => {
    window.localStorage.setItem('plumbline.signed-in', '1')
    await adoptSession()
    otherTab.postMessage({ type: 'have', tokens: session('too late') })
    await whenReceived()
    expect(tokens()).toBeUndefined()
  })
})

describe('the end of a session', () => {
  test('leaves alone what another tab remembered meanwhile', () => {
    storeTokens(session('old', { remember: true }))
    const newer = JSON.stringify(session('newer', { remember: true }))
    window.localStorage.setItem(KEY, newer)
    clearTokens()
    expect(tokens()).toBeUndefined()
    expect(window.localStorage.getItem(KEY)).toBe(newer)
  })

  test('forgets what was remembered', () => {
    storeTokens(session('old', { remember: true }))
    clearTokens()
    expect(window.localStorage.getItem(KEY)).toBeNull()
  })

  test('in another tab ends it here, too, and only there when it was another session', async () => {
    storeTokens(session('shared'))
    const reasons: string[] = []
    const stop = onPageEvent('session-ended', ({ reason }) => reasons.push(reason))
    otherTab.postMessage({ type: 'ended', token: 'of another session' })
    await whenReceived()
    expect(tokens()?.token).toBe('shared')
    otherTab.postMessage({ type: 'ended', token: 'shared' })
    await whenReceived()
    expect(tokens()).toBeUndefined()
    expect(reasons).toEqual(['signed-out'])
    stop()
  })

  test.each(['inactive', 'expired'] as const)('in another tab has the same reason and message here: %s', async (reason) => {
    storeTokens(session('shared'))
    const ends: unknown[] = []
    const stop = onPageEvent('session-ended', (end) => ends.push(end))
    otherTab.postMessage({ type: 'ended', token: 'shared', reason, message: 'Why it ended.' })
    await whenReceived()
    expect(ends).toEqual([{ reason, message: 'Why it ended.' }])
    stop()
  })

  test('tells the other tabs its reason and message', async () => {
    storeTokens(session('shared'))
    server.on(sessionCalls.logout, () => ({ data: null }))
    await signOut('You were away.', 'inactive')
    await whenReceived()
    expect(received).toEqual([{ type: 'ended', token: 'shared', reason: 'inactive', message: 'You were away.' }])
  })

  test.each([
    ['queries', () => queryClient.query(initQuery)],
    ['calls that cannot be taken back', () => api(initCalls.init)],
  ])('by signing out is no expired session, even with pending %s', async (_, begin) => {
    storeTokens(session('leaving'))
    const reasons: string[] = []
    const stop = onPageEvent('session-ended', ({ reason }) => reasons.push(reason))
    let signedOut = false
    server.on(initCalls.init, async () => {
      await expect.poll(() => signedOut).toBe(true)
      return errorAnswer('unauthenticated', 'Please sign in to continue.')
    })
    server.on(sessionCalls.logout, async () => {
      signedOut = true
      await whenReceived()
      return { data: null }
    })
    void begin().catch(() => undefined)
    await signOut()
    await whenReceived()
    expect(reasons).toEqual(['signed-out'])
    stop()
  })
})
