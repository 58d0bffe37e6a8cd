import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSession } from '#server/features/session/open-session.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { openPool } from '#server/db/client.ts'
import { transact } from '../transaction/transact.ts'

let app: TestApp
/** Another process on the same database: nothing here hears of what it does but by the database itself. */
let elsewhere: ReturnType<typeof openPool>

beforeAll(async () => {
  app = await testApp()
  elsewhere = openPool(app.system.config.databaseUrl ?? '', { max: 1 })
})
afterAll(async () => {
  await elsewhere.close()
  await app.stop()
})

async function visitor() {
  const { id, companyId } = await makeUser(app.system)
  const { token } = await transact(app.system, (tx) => openSession(tx, { userId: id, kind: 'user', remember: false, address: '' }))
  const status = async () => (await app.bearing(`Bearer ${token}`).get('/api/v1/accounts')).status
  return { id, companyId, status }
}

describe('a session that was just read', () => {
  it('is not read again by the next calls', async () => {
    const { status } = await visitor()
    await status()
    const read = vi.spyOn(app.system.reader, 'query')
    await status()
    const texts = read.mock.calls.map(([statement]) => JSON.stringify(statement))
    read.mockRestore()
    expect(texts.length).toBeGreaterThan(0)
    expect(texts.filter((text) => text.includes('FROM sessions'))).toEqual([])
  })

  it.each([
    ['its session is revoked', "UPDATE sessions SET revoked_at = now() WHERE user_id = $1 AND $2 <> ''", 401],
    ['its person is thrown away', "UPDATE users SET deleted_at = now() WHERE id = $1 AND $2 <> ''", 401],
    ['its company is thrown away', "UPDATE companies SET deleted_at = now() WHERE id::text = $2 AND $1 <> ''", 401],
    ['its roles are taken', "DELETE FROM user_roles WHERE user_id = $1 AND $2 <> ''", 403],
    [
      'its role is changed',
      "UPDATE roles SET permissions = '{}' WHERE id IN (SELECT role_id FROM user_roles WHERE user_id = $1) AND $2 <> ''",
      403,
    ],
  ])('is told by the database when %s, even if its second never ended', async (_what, statement, refused) => {
    const { id, companyId, status } = await visitor()
    expect(await status()).toBe(200)
    const stopped = performance.now()
    const time = vi.spyOn(performance, 'now').mockReturnValue(stopped)
    await elsewhere.pool.query(statement, [id, companyId])
    await vi.waitFor(async () => expect(await status()).toBe(refused), { timeout: 10_000, interval: 5 })
    time.mockRestore()
  })
})
