import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSession, recordSignIn } from '#server/features/session/session.commands.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { openPool } from '#server/db/client.ts'
import { runAtCommit } from '#server/db/kysely-pool.ts'
import { createAccount } from '#server/features/accounts/accounts.record.ts'
import type { WriteContext } from '../context.ts'
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
  const clear = vi.spyOn(app.system.sessionCache, 'clear')
  const { id, companyId } = await makeUser(app.system)
  // The notification of the new user's roles would clear the cache later.
  await vi.waitFor(() => expect(clear.mock.calls).toContainEqual([[id]]), { timeout: 10_000 })
  clear.mockRestore()
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
    const read = vi.spyOn(pg.Client.prototype, 'query')
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

describe('the session cache of the process that commits', () => {
  const save = (work: (tx: WriteContext) => Promise<unknown>) => transact(app.system, async (tx) => void (await work(tx)))
  /** Without the notification, which may arrive later. */
  const reads = async (status: () => Promise<number>) => {
    const read = vi.spyOn(pg.Client.prototype, 'query')
    await status()
    const texts = read.mock.calls.map(([statement]) => JSON.stringify(statement))
    read.mockRestore()
    return texts.filter((text) => text.includes('FROM sessions')).length
  }
  const frozen = async (work: () => Promise<void>) => {
    const stopped = performance.now()
    const time = vi.spyOn(performance, 'now').mockReturnValue(stopped)
    await work().finally(() => time.mockRestore())
  }

  it('is not cleared by a change that concerns no session and no right', async () => {
    const { companyId, status } = await signedInUser()
    await frozen(async () => {
      await status()
      await save((tx) => createAccount(tx, { name: 'New', type: 'managed', company_id: companyId }))
      expect(await reads(status)).toBe(0)
    })
  })

  it('is cleared of the changed user alone, before the commit returns', async () => {
    const [changed, other] = [await signedInUser(), await signedInUser()]
    await frozen(async () => {
      await Promise.all([changed.status(), other.status()])
      const clear = vi.spyOn(app.system.sessionCache, 'clear')
      await save((tx) => tx.db.updateTable('sessions').set({ revoked_at: new Date() }).where('user_id', '=', changed.id).execute())
      expect(clear.mock.calls).toContainEqual([[changed.id]])
      clear.mockRestore()
      expect(await changed.status()).toBe(401)
      expect(await reads(other.status)).toBe(0)
    })
  })

  it('is cleared of all users by a change of a role', async () => {
    const { status } = await signedInUser()
    await frozen(async () => {
      await status()
      await save((tx) => sql`UPDATE roles SET label = label || '.' WHERE name = 'broker'`.execute(tx.db))
      expect(await reads(status)).toBe(1)
    })
  })

  it('is cleared of a user who signs in again, because other accounts are new to them', async () => {
    const { id, status } = await signedInUser()
    await frozen(async () => {
      await status()
      await save((tx) => recordSignIn(tx, id))
      expect(await reads(status)).toBe(1)
    })
  })

  it('is cleared after a failed commit, which may have taken place', async () => {
    const clear = vi.spyOn(app.system.sessionCache, 'clear')
    await expect(save((tx) => runAtCommit(tx.db, sql`SELECT 1/0 AS rights_changed`.compile(tx.db)))).rejects.toThrow('division by zero')
    expect(clear.mock.calls).toContainEqual([undefined])
    clear.mockRestore()
  })
})
