import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSession } from '#server/features/session/session.commands.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { openPool } from '#server/db/client.ts'
import { transact } from '../transaction/transact.ts'

let app: TestApp
/** Another process on the same database; its changes reach the app through database triggers only. */
let otherProcess: ReturnType<typeof openPool>

beforeAll(async () => {
  app = await testApp()
  otherProcess = openPool(app.system.config.databaseUrl ?? '', { max: 1 })
})
afterAll(async () => {
  await otherProcess.close()
  await app.stop()
})

async function signedInUser() {
  const { id, companyId } = await makeUser(app.system)
  const { token } = await transact(app.system, (tx) => openSession(tx, { userId: id, kind: 'user', remember: false, address: '' }))
  const status = async () => (await app.bearing(`Bearer ${token}`).get('/api/v1/accounts')).status
  return { id, companyId, status }
}

describe('a cached session', () => {
  it('is not read from the database again', async () => {
    const { status } = await signedInUser()
    // The cache expires by this clock, however slow the machine is.
    const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    await status()
    const read = vi.spyOn(app.system.reader, 'query')
    await status()
    const texts = read.mock.calls.map(([statement]) => JSON.stringify(statement))
    read.mockRestore()
    time.mockRestore()
    expect(texts.length).toBeGreaterThan(0)
    expect(texts.filter((text) => text.includes('FROM sessions'))).toEqual([])
  })

  it.each([
    ['is revoked', "UPDATE sessions SET revoked_at = now() WHERE user_id = $1 AND $2 <> ''", 401],
    ['loses its user', "UPDATE users SET deleted_at = now() WHERE id = $1 AND $2 <> ''", 401],
    ['loses its company', "UPDATE companies SET deleted_at = now() WHERE id::text = $2 AND $1 <> ''", 401],
    ['loses its roles', "DELETE FROM user_roles WHERE user_id = $1 AND $2 <> ''", 403],
    [
      'gets a role without permissions',
      "UPDATE roles SET permissions = '{}' WHERE id IN (SELECT role_id FROM user_roles WHERE user_id = $1) AND $2 <> ''",
      403,
    ],
  ])('is cleared before it expires when it %s', async (_change, statement, expected) => {
    const { id, companyId, status } = await signedInUser()
    expect(await status()).toBe(200)
    const stopped = performance.now()
    const time = vi.spyOn(performance, 'now').mockReturnValue(stopped)
    await otherProcess.pool.query(statement, [id, companyId])
    await vi.waitFor(async () => expect(await status()).toBe(expected), { timeout: 10_000, interval: 5 })
    time.mockRestore()
  })
})
