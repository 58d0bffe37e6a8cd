import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REFRESH_REUSE_GRACE_MS } from '#contract/limits.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { movingClock } from '#server/testing/moving-clock.fixture.ts'
import { openSession, type Pair } from './session.commands.ts'

const clock = movingClock()
let app: TestApp
let userId: string
let accountId: string
let fileId: string

beforeAll(async () => {
  app = await testApp({ clock })
  const user = await makeUser(app.system)
  userId = user.id
  accountId = (await makeAccount(app.system, { companyId: user.companyId })).id
  fileId = (await makeFile({ ...app.system, viewer: await app.viewer(userId) }, accountId, { name: 'roof.txt' })).id
})
afterAll(() => app.stop())

const open = (): Promise<Pair> =>
  transact(app.system, (tx) => openSession(tx, { userId, kind: 'user', remember: false, address: '127.0.0.1' }))
const as = ({ token }: Pair) => app.bearing(`Bearer ${token}`)
const exchange = async (pair: Pair): Promise<Pair> =>
  (await as(pair).post('/api/v1/token/keep', { refresh_token: pair.refresh_token })).body
const isSignedIn = async (pair: Pair) => (await as(pair).get('/api/v1/init')).status === 200
const signOut = (pair: Pair) => as(pair).post('/api/v1/logout')
const files = (path = '') => `/api/v1/accounts/${accountId}/files${path}`
const statusOf = async (url: string) => (await app.api.server.inject({ method: 'GET', url })).statusCode

const LINKS = {
  download: async (pair: Pair): Promise<string> => (await as(pair).get(files(`/${fileId}`))).body.data.url,
  preview: async (pair: Pair): Promise<string> => (await as(pair).get(files(`/${fileId}/preview`))).body.data.url,
  archive: async (pair: Pair): Promise<string> => (await as(pair).post(files('/action'), { action: 'archive' })).body.data.url,
}

describe.each(['download', 'preview', 'archive'] as const)('a %s link', (kind) => {
  it('is valid for 60 seconds', async () => {
    const link = await LINKS[kind](await open())
    clock.pass(60_000)
    expect(await statusOf(link)).toBe(200)
    clock.pass(1_000)
    expect(await statusOf(link)).toBe(403)
  })

  it('ends at once when the session that made it is signed out, and not with another session', async () => {
    const [mine, other] = [await open(), await open()]
    const [link, otherLink] = [await LINKS[kind](mine), await LINKS[kind](other)]
    expect([await statusOf(link), await statusOf(otherLink)]).toEqual([200, 200])
    await signOut(mine)
    expect([await statusOf(link), await statusOf(otherLink)]).toEqual([403, 200])
  })

  it('is valid after its session was exchanged for a new one, and ends with that', async () => {
    const pair = await open()
    const link = await LINKS[kind](pair)
    const next = await exchange(pair)
    expect(await statusOf(link)).toBe(200)
    await signOut(next)
    expect(await statusOf(link)).toBe(403)
  })

  it('ends with a password change and with the user', async () => {
    const pair = await open()
    const link = await LINKS[kind](pair)
    await transact(app.system, (tx) =>
      tx.db.updateTable('sessions').set({ revoked_at: clock.now() }).where('user_id', '=', userId).execute(),
    )
    expect(await statusOf(link)).toBe(403)
  })

  it('cannot be changed to another session', async () => {
    const [mine, other] = [await open(), await open()]
    const [link, otherLink] = [new URL(await LINKS[kind](mine), 'http://x'), new URL(await LINKS[kind](other), 'http://x')]
    await signOut(mine)
    link.searchParams.set('family', otherLink.searchParams.get('family') ?? '')
    expect(await statusOf(`${link.pathname}${link.search}`)).toBe(403)
  })
})

describe('signing out', () => {
  it('with the previous token ends the new one', async () => {
    const pair = await open()
    const next = await exchange(pair)
    await signOut(pair)
    expect([await isSignedIn(pair), await isSignedIn(next)]).toEqual([false, false])
  })

  it('with the new token ends the previous one', async () => {
    const pair = await open()
    const next = await exchange(pair)
    await signOut(next)
    expect([await isSignedIn(pair), await isSignedIn(next)]).toEqual([false, false])
    clock.pass(REFRESH_REUSE_GRACE_MS - 1)
    expect((await exchange(pair)).token).toBeUndefined()
  })

  it('while tokens are exchanged leaves no session', async () => {
    for (let round = 0; round < 10; round += 1) {
      const pair = await open()
      const [next] = await Promise.all([exchange(pair), signOut(pair)])
      expect([await isSignedIn(pair), next.token !== undefined && (await isSignedIn(next))]).toEqual([false, false])
    }
  })
})
