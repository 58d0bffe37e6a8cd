import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fileCalls } from '#contract/account-files.ts'
import { accountCalls } from '#contract/accounts.ts'
import { metricCalls } from '#contract/metrics.ts'
import { sessionCalls } from '#contract/session.ts'
import { initCalls } from '#contract/init.ts'
import { fakeServer, errorAnswer, type FakeServer } from '#web/testing/fake-server.ts'
import { sessionWith } from '#web/testing/session.ts'
import { api } from './client.ts'
import { isApiError, type ApiError } from './errors.ts'
import { dropSession, extendSession } from './session.ts'
import { onPageEvent, type PageEvents } from './page-events.ts'
import { clearTokens, storeTokens, tokens } from './tokens.ts'

const META = { current_page: 1, from: null, to: null, per_page: 15, last_page: 1, total: 0 }
let server: FakeServer
let emitted: (keyof PageEvents)[] = []
let stops: (() => void)[] = []

beforeEach(() => {
  server = fakeServer()
  emitted = []
  const names = ['session-ended', 'throttled', 'maintenance', 'unreachable'] as const
  stops = names.map((name) => onPageEvent(name, () => emitted.push(name)))
  storeTokens({ token: 'first', refreshToken: 'refresh-1', remember: false, challenge: false })
})
afterEach(() => {
  for (const stop of stops) stop()
  server.close()
  clearTokens()
})

async function failure(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => new Error('The call did not fail'),
    (thrown: unknown) => thrown,
  )
  if (!isApiError(error)) throw error
  return error
}

describe('a call', () => {
  test('goes to its path with its query', async () => {
    server.on(accountCalls.index, () => ({ data: [], meta: META }))
    await api(accountCalls.index, { query: { page: '2', filter__invites: '1' } })
    expect(server.requests).toEqual(['GET /accounts?page=2&filter__invites=1'])
  })

  test('carries the bearer token and returns data, message and the extra members of the envelope', async () => {
    let token: string | undefined
    server.on(accountCalls.index, (request) => {
      token = request.token
      return { data: [], meta: META, message: 'Here they are' }
    })
    expect(await api(accountCalls.index)).toMatchObject({ data: [], meta: META, message: 'Here they are' })
    expect(token).toBe('first')
  })

  test('that is rejected throws the kind, the message and the messages per field', async () => {
    server.on(accountCalls.create, () => errorAnswer('invalid', 'Please check the fields.', { name: ['Please enter an account name.'] }))
    const error = await failure(api(accountCalls.create, { body: { name: 'x', type: 'managed' } }))
    expect(error).toMatchObject({
      kind: 'invalid',
      status: 400,
      message: 'Please check the fields.',
      fields: { name: ['Please enter an account name.'] },
    })
    expect(emitted).toEqual([])
  })

  test.each([
    [
      { response: 'validationError', message: 'Please check the fields.', errors: { name: ['Please enter an account name.'] } },
      { kind: 'invalid', status: 400, message: 'Please check the fields.', fields: { name: ['Please enter an account name.'] } },
    ],
    [
      { response: 'validationError', errors: { name: ['Please enter an account name.'] } },
      { kind: 'invalid', status: 400, fields: { name: ['Please enter an account name.'] } },
    ],
    [
      { response: 'error', message: 'There are too many accounts.', data: { most: 3 } },
      { kind: 'invalid', status: 400, message: 'There are too many accounts.', fields: {}, data: { most: 3 } },
    ],
    [
      { response: 'error', kind: 'forbidden', message: 'You cannot add accounts.' },
      { kind: 'forbidden', status: 403, message: 'You cannot add accounts.' },
    ],
  ])('that is rejected with the status of a success throws like any other rejected call (%#)', async (body, expected) => {
    server.on(accountCalls.create, () => body as never)
    expect(await failure(api(accountCalls.create, { body: { name: 'x', type: 'managed' } }))).toMatchObject(expected)
    expect(emitted).toEqual([])
  })

  test('aborted by its caller throws the reason of the caller and emits nothing', async () => {
    server.on(accountCalls.index, () => new Promise(() => undefined))
    globalThis.fetch = (_input, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    const controller = new AbortController()
    const call = api(accountCalls.index, { signal: controller.signal })
    controller.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    expect(emitted).toEqual([])
  })

  test('whose answer breaks off fails like a call without an answer', async () => {
    server.on(initCalls.init, () => errorAnswer('broken-off'))
    expect(await failure(api(initCalls.init))).toMatchObject({ kind: 'network', status: 0 })
    expect(emitted).toEqual(['unreachable'])
  })
})

describe('page events', () => {
  test('401 of a signed-in call ends the session', async () => {
    server.on(initCalls.init, () => errorAnswer('unauthenticated', 'No session.'))
    await failure(api(initCalls.init))
    expect(emitted).toEqual(['session-ended'])
  })

  test('a rejection that says so with the status of a success ends the session, too', async () => {
    server.on(initCalls.init, () => ({ response: 'error', kind: 'unauthenticated', message: 'No session.' }) as never)
    expect(await failure(api(initCalls.init))).toMatchObject({ kind: 'unauthenticated', status: 401 })
    expect(emitted).toEqual(['session-ended'])
  })

  test('401 of a wrong password does not', async () => {
    server.on(sessionCalls.login, () => errorAnswer('unauthenticated', 'The email or the password is not right.'))
    await failure(api(sessionCalls.login, { body: { email: 'a@b.example', password: 'x' } }))
    expect(emitted).toEqual([])
  })

  test('without a session only public calls are sent', async () => {
    clearTokens()
    expect(await failure(api(initCalls.init))).toMatchObject({ kind: 'unauthenticated' })
    expect(server.requests).toEqual([])
    expect(emitted).toEqual([])
  })

  test('401 with a token that was exchanged meanwhile is tried once more with the new one', async () => {
    server.on(initCalls.init, ({ token }) => {
      if (token === 'second') return { data: sessionWith([]) }
      storeTokens({ token: 'second', refreshToken: 'refresh-2', remember: false, challenge: false })
      return errorAnswer('unauthenticated', 'No session.')
    })
    expect((await api(initCalls.init)).data.config.product).toBe('Plumbline')
    expect(emitted).toEqual([])
  })

  test.each([
    ['throttled', 'throttled'],
    ['maintenance', 'maintenance'],
    ['no-answer', 'unreachable'],
  ] as const)('%s emits %s', async (kind, signal) => {
    server.on(initCalls.init, () => errorAnswer(kind, 'Please wait.'))
    await failure(api(initCalls.init))
    expect(emitted).toEqual([signal])
  })

  test('503 leads to the maintenance page, also when the product itself cannot reach a part', async () => {
    server.on(initCalls.init, () => errorAnswer('unavailable', 'The service cannot reach its database.'))
    await failure(api(initCalls.init))
    expect(emitted).toEqual(['maintenance'])
  })

  test('503 of an upload is left to the upload queue, which repeats it', async () => {
    server.on(fileCalls.register, () => errorAnswer('unavailable', 'The disk is full.'))
    const body = { file: { name: 'a.pdf', size: 1 }, s3ObjectLocation: 'a', account_id: 'a' }
    expect((await failure(api(fileCalls.register, { body }))).message).toBe('The disk is full.')
    expect(emitted).toEqual([])
  })
})

describe('a newer call replaces an earlier one', () => {
  const answers = async (first: Promise<unknown>, second: Promise<unknown>) => {
    const [one, two] = await Promise.allSettled([first, second])
    return [one.status === 'rejected' && isApiError(one.reason) ? one.reason.kind : one.status, two.status]
  }
  beforeEach(() => {
    const real = globalThis.fetch
    globalThis.fetch = (input, init) =>
      new Promise((resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        setTimeout(() => void real(input, init).then(resolve, reject), 20)
      })
    server.on(accountCalls.index, () => ({ data: [], meta: META }))
    server.on(accountCalls.search, () => ({ data: [] }))
    server.on(metricCalls.systemTotals, () => errorAnswer('not_found', 'None.'))
  })

  test('for a list with another search text', async () => {
    expect(
      await answers(api(accountCalls.index, { query: { search: 'h' } }), api(accountCalls.index, { query: { search: 'ha' } })),
    ).toEqual(['superseded', 'fulfilled'])
  })

  test('for a search', async () => {
    expect(
      await answers(api(accountCalls.search, { query: { search: 'h' } }), api(accountCalls.search, { query: { search: 'ha' } })),
    ).toEqual(['superseded', 'fulfilled'])
  })

  test('but not for two lists with different filters, which one page may show together', async () => {
    const favorites = api(accountCalls.index, { query: { filter__favorites: '1' } })
    const invited = api(accountCalls.index, { query: { filter__invites: '1' } })
    expect(await answers(favorites, invited)).toEqual(['fulfilled', 'fulfilled'])
  })
})

describe('extending the session', () => {
  test('exchanges the pair once for several simultaneous calls', async () => {
    server.on(sessionCalls.keep, ({ body }) => ({
      data: null,
      token: `after ${body.refresh_token}`,
      refresh_token: 'refresh-2',
      two_factor: false,
    }))
    await Promise.all([extendSession(), extendSession()])
    expect(server.bodies(sessionCalls.keep)).toEqual([{ refresh_token: 'refresh-1' }])
    expect(tokens()).toMatchObject({ token: 'after refresh-1', refreshToken: 'refresh-2' })
  })

  test('another tab of the session takes over the new pair', async () => {
    const otherTab = new BroadcastChannel('plumbline.session')
    const next = { token: 'from the other tab', refreshToken: 'refresh-9', remember: false, challenge: false }
    otherTab.postMessage({ type: 'replaced', previous: 'first', tokens: next })
    await expect.poll(() => tokens()?.token).toBe('from the other tab')
    otherTab.close()
  })
})

describe('the end of a session', () => {
  test('does not sign out a session that begins while the call of the old one is under way', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const signedOut: (string | undefined)[] = []
    server.on(sessionCalls.logout, async ({ token }) => {
      signedOut.push(token)
      await promise
      return { data: null }
    })
    const ending = dropSession()
    await expect.poll(() => signedOut).toEqual(['first'])
    const next = { token: 'second', refreshToken: null, remember: false, challenge: false }
    storeTokens(next)
    resolve()
    await ending
    expect([signedOut, tokens()]).toEqual([['first'], next])
  })

  test('does not sign out a session that begins before the call is sent', async () => {
    server.on(sessionCalls.logout, () => ({ data: null }))
    const ending = dropSession()
    storeTokens({ token: 'second', refreshToken: null, remember: false, challenge: false })
    await ending
    expect([server.requests, tokens()?.token]).toEqual([[], 'second'])
  })
})
