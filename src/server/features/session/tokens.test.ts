import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ACCESS_TOKEN_IDLE_MS,
  HOUR_MS,
  MINUTE_MS,
  REFRESH_REUSE_GRACE_MS,
  SECOND_MS,
  SESSION_ABSOLUTE_MS,
  SESSION_REMEMBERED_MS,
} from '#contract/limits.ts'
import { IDLE_HEADER } from '#contract/session.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { movingClock } from '#server/testing/moving-clock.fixture.ts'
import { openSession, type Pair } from './session.commands.ts'

const clock = movingClock()
let app: TestApp
let userId: string

beforeAll(async () => {
  app = await testApp({ clock })
  userId = (await makeUser(app.system)).id
})
afterAll(() => app.stop())

const open = (remember = false): Promise<Pair> =>
  transact(app.system, (tx) => openSession(tx, { userId, kind: 'user', remember, address: '127.0.0.1' }))
const status = async ({ token }: Pair) => (await app.bearing(`Bearer ${token}`).get('/api/v1/init')).status
const exchange = (bearer: Pair, refresh: Pair = bearer) =>
  app.bearing(`Bearer ${bearer.token}`).post('/api/v1/token/keep', { refresh_token: refresh.refresh_token })

describe('an access token', () => {
  it('expires 65 minutes after the last call', async () => {
    const pair = await open()
    for (let call = 0; call < 3; call += 1) {
      clock.pass(ACCESS_TOKEN_IDLE_MS - 2 * MINUTE_MS)
      expect(await status(pair)).toBe(200)
    }
    clock.pass(ACCESS_TOKEN_IDLE_MS)
    expect(await status(pair)).toBe(401)
    expect((await exchange(pair)).status).toBe(401)
  })

  it('is not extended by calls of a page whose user is away', async () => {
    const pair = await open()
    const poll = (awayMs: number) =>
      app.api.server.inject({
        url: '/api/v1/init',
        headers: { authorization: `Bearer ${pair.token}`, [IDLE_HEADER]: String(awayMs / SECOND_MS) },
      })
    const statuses: number[] = []
    for (let away = 10 * MINUTE_MS; away <= ACCESS_TOKEN_IDLE_MS; away += 5 * MINUTE_MS) {
      clock.pass(away === 10 * MINUTE_MS ? away : 5 * MINUTE_MS)
      statuses.push((await poll(away)).statusCode)
    }
    expect(statuses.slice(0, -1).every((one) => one === 200)).toBe(true)
    expect(statuses.at(-1)).toBe(401)
  })

  it('is extended to the last activity, which a later call reports', async () => {
    const pair = await open()
    clock.pass(60 * MINUTE_MS)
    const headers = { authorization: `Bearer ${pair.token}`, [IDLE_HEADER]: '1200' }
    expect((await app.api.server.inject({ url: '/api/v1/init', headers })).statusCode).toBe(200)
    clock.pass(44 * MINUTE_MS)
    expect(await status(pair)).toBe(200)
    const other = await open()
    clock.pass(60 * MINUTE_MS)
    await app.api.server.inject({ url: '/api/v1/init', headers: { ...headers, authorization: `Bearer ${other.token}` } })
    clock.pass(45 * MINUTE_MS)
    expect(await status(other)).toBe(401)
  })

  it('that is exchanged by a page whose user is away has their last activity', async () => {
    const pair = await open()
    clock.pass(30 * MINUTE_MS)
    const answer = await app.api.server.inject({
      method: 'POST',
      url: '/api/v1/token/keep',
      headers: { authorization: `Bearer ${pair.token}`, [IDLE_HEADER]: '1200' },
      payload: { refresh_token: pair.refresh_token },
    })
    clock.pass(45 * MINUTE_MS)
    expect(await status(answer.json<Pair>())).toBe(401)
  })

  it.each(['-60', 'soon', '1e9', ''])('is extended by a call with the idle time %j, which means nothing', async (idle) => {
    const pair = await open()
    clock.pass(60 * MINUTE_MS)
    const headers = { authorization: `Bearer ${pair.token}`, [IDLE_HEADER]: idle }
    expect((await app.api.server.inject({ url: '/api/v1/init', headers })).statusCode).toBe(200)
    clock.pass(60 * MINUTE_MS)
    expect(await status(pair)).toBe(200)
  })

  it.each([
    ['12 hours', false, SESSION_ABSOLUTE_MS],
    ['30 days when remembered', true, SESSION_REMEMBERED_MS],
  ])('expires %s after the sign-in, even in use', async (_words, remember, life) => {
    const pair = await open(remember)
    const step = remember ? 20 * HOUR_MS : HOUR_MS
    await transact(app.system, (tx) =>
      tx.db
        .updateTable('sessions')
        .set({ last_used_at: new Date(clock.now().getTime() + life) })
        .where('user_id', '=', userId)
        .execute(),
    )
    for (let passed = step; passed < life; passed += step) {
      clock.pass(step)
      expect(await status(pair)).toBe(200)
    }
    clock.pass(step)
    expect(await status(pair)).toBe(401)
  })

  it.each(['user', 'company'])('is invalid after its %s was deleted', async (what) => {
    const { id, companyId } = await makeUser(app.system)
    const pair = await transact(app.system, (tx) => openSession(tx, { userId: id, kind: 'user', remember: false, address: '' }))
    expect(await status(pair)).toBe(200)
    await transact(app.system, (tx) =>
      tx.db
        .updateTable(what === 'user' ? 'users' : 'companies')
        .set({ deleted_at: new Date() })
        .where('id', '=', what === 'user' ? id : companyId)
        .execute(),
    )
    expect(await status(pair)).toBe(401)
  })

  it('grants the current permissions, not those at sign-in', async () => {
    const { id } = await makeUser(app.system)
    expect((await app.as(id).get('/api/v1/accounts')).status).toBe(200)
    await transact(app.system, (tx) => tx.db.deleteFrom('user_roles').where('user_id', '=', id).execute())
    expect((await app.as(id).get('/api/v1/accounts')).status).toBe(403)
  })
})

describe('signing out', () => {
  it.each(['get', 'post'] as const)('by %s ends this session at once and no other', async (method) => {
    const [mine, other] = [await open(), await open()]
    expect((await app.bearing(`Bearer ${mine.token}`)[method]('/api/v1/logout')).body).toMatchObject({ response: 'success', data: null })
    expect(await status(mine)).toBe(401)
    expect(await status(other)).toBe(200)
    expect((await exchange(other, mine)).status).toBe(401)
  })
})

describe('exchanging tokens', () => {
  it('answers a new pair with the same expiry', async () => {
    const pair = await open()
    clock.pass(SESSION_ABSOLUTE_MS - HOUR_MS)
    await transact(app.system, (tx) =>
      tx.db.updateTable('sessions').set({ last_used_at: clock.now() }).where('user_id', '=', userId).execute(),
    )
    const next = await exchange(pair)
    expect(next.body).toMatchObject({ response: 'success', two_factor: false })
    expect(next.body.token).not.toBe(pair.token)
    expect(await status(next.body)).toBe(200)
    clock.pass(HOUR_MS)
    expect(await status(next.body)).toBe(401)
  })

  it('leaves the old access token valid until the new one is used, and for a minute more', async () => {
    const pair = await open()
    const next: Pair = (await exchange(pair)).body
    clock.pass(30 * MINUTE_MS)
    expect(await status(pair)).toBe(200)
    expect(await status(next)).toBe(200)
    clock.pass(MINUTE_MS - 1)
    expect(await status(pair)).toBe(200)
    clock.pass(1)
    await expect.poll(() => status(pair)).toBe(401)
  })

  it('answers the same pair to concurrent requests', async () => {
    const pair = await open()
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(pair)))
    expect(new Set(answers.map(({ body }) => body.token)).size).toBe(1)
    clock.pass(REFRESH_REUSE_GRACE_MS)
    expect((await exchange(pair)).body.token).toBe(answers[0]?.body.token)
  })

  it('revokes the whole family when a used refresh token is used again later', async () => {
    const pair = await open()
    const next: Pair = (await exchange(pair)).body
    const last: Pair = (await exchange(next)).body
    clock.pass(REFRESH_REUSE_GRACE_MS + 1)
    expect((await exchange(last, pair)).status).toBe(401)
    for (const member of [pair, next, last]) expect(await status(member)).toBe(401)
  })

  it('answers another pair when the answer with the first one was lost', async () => {
    const pair = await open()
    const lost: Pair = (await exchange(pair)).body
    clock.pass(REFRESH_REUSE_GRACE_MS + 1)
    const next: Pair = (await exchange(pair)).body
    expect([await status(lost), await status(next), await status(pair)]).toEqual([401, 200, 200])
    const last: Pair = (await exchange(next)).body
    expect(await status(last)).toBe(200)
  })

  it('revokes the family when the first of two new pairs is the one that was used', async () => {
    const pair = await open()
    const stolen: Pair = (await exchange(pair)).body
    expect(await status(stolen)).toBe(200)
    clock.pass(REFRESH_REUSE_GRACE_MS + 1)
    expect((await exchange(pair)).status).toBe(401)
    for (const member of [pair, stolen]) expect(await status(member)).toBe(401)
  })

  it('revokes the family even an hour later', async () => {
    const pair = await open()
    const next: Pair = (await exchange(pair)).body
    clock.pass(HOUR_MS)
    expect(await status(next)).toBe(200)
    expect((await exchange(next, pair)).status).toBe(401)
    expect(await status(next)).toBe(401)
  })

  it.each([
    ['its own access token, which has expired since', (pair: Pair) => pair.token],
    ['an access token that never was one', () => 'x'.repeat(43)],
  ])('revokes the family when a used refresh token comes with %s', async (_words, bearerOf) => {
    const pair = await open()
    const next: Pair = (await exchange(pair)).body
    expect(await status(next)).toBe(200)
    clock.pass(HOUR_MS)
    await expect.poll(() => status(pair)).toBe(401)
    expect(await status(next)).toBe(200)
    expect((await exchange({ ...pair, token: bearerOf(pair) }, pair)).status).toBe(401)
    expect(await status(next)).toBe(401)
  })

  it('does not exchange an unused refresh token, or one that was just used, without a valid access token', async () => {
    const pair = await open()
    const foreign = { ...pair, token: 'x'.repeat(43) }
    expect((await exchange(foreign, pair)).body).toMatchObject({ kind: 'unauthenticated' })
    const next: Pair = (await exchange(pair)).body
    expect((await exchange(foreign, pair)).status).toBe(401)
    expect((await exchange(next)).status).toBe(200)
  })

  it('answers 401 to a body that is not valid when the access token is not', async () => {
    expect((await app.bearing(`Bearer ${'x'.repeat(43)}`).post('/api/v1/token/keep', {})).status).toBe(401)
    expect((await app.anonymous.post('/api/v1/token/keep', { refresh_token: 'x' })).status).toBe(401)
  })

  it('leaves sessions of the user’s other devices valid', async () => {
    const [mine, other] = [await open(), await open()]
    const next: Pair = (await exchange(mine)).body
    clock.pass(REFRESH_REUSE_GRACE_MS + 1)
    await exchange(next, mine)
    expect(await status(next)).toBe(401)
    expect(await status(other)).toBe(200)
  })

  it.each([{}, { refresh_token: 7 }, { refresh_token: 'x'.repeat(201) }])(
    'rejects %j with an error on the refresh_token field',
    async (body) => {
      const { token } = await open()
      const answer = await app.bearing(`Bearer ${token}`).post('/api/v1/token/keep', body)
      expect(answer.status).toBe(400)
      expect(Object.keys(answer.body.errors)).toEqual(['refresh_token'])
    },
  )

  it('rejects the refresh token of another user', async () => {
    const stranger = await makeUser(app.system)
    const pair = await open()
    const theirs = await transact(app.system, (tx) => openSession(tx, { userId: stranger.id, kind: 'user', remember: false, address: '' }))
    expect((await exchange(pair, theirs)).status).toBe(401)
    expect(await status(theirs)).toBe(200)
    expect((await exchange(theirs)).status).toBe(200)
  })
})

describe('a public call', () => {
  const PUBLIC_CALLS = [
    [
      'POST /login',
      (as: As) => as.post('/api/v1/login', { email: 'unknown@example.test', password: 'wrong' }),
      'The email or the password',
    ],
    ['GET /status', (as: As) => as.get('/api/v1/status'), ''],
    ['POST /password/create', (as: As) => as.post('/api/v1/password/create', { email: 'unknown@example.test' }), 'If an account uses'],
    ['GET /password/find', (as: As) => as.get(`/api/v1/password/find/${'x'.repeat(43)}`), 'This password reset link'],
  ] as const

  it.each(PUBLIC_CALLS)('%s ignores a token that is not valid', async (_call, send, message) => {
    const [without, malformed, unknown] = await Promise.all(
      [undefined, 'Bearer nonsense', `Bearer ${'x'.repeat(43)}`].map((header) => send(app.bearing(header))),
    )
    expect(without?.body.message).toContain(message)
    expect([malformed?.body, unknown?.body]).toEqual([without?.body, without?.body])
  })
})
