import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openPool } from '#server/db/client.ts'
import { createCaches } from '#server/engines/caches.ts'
import { readMaintenance } from '#server/engines/http/maintenance.ts'
import { hashPassword } from '#server/engines/secrets/passwords.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { postFrom } from '#server/testing/clients.fixture.ts'
import { makeUser } from '#server/testing/factories/people.ts'

const MESSAGE = 'We move to a larger server.\nBack at 14:00 UTC.'
const PASSWORD = 'correct horse battery'
let app: TestApp
/** Another process on the same database. */
let otherProcess: ReturnType<typeof openPool>
let admin: { id: string; email: string; fullName: string }
let broker: { id: string; email: string }

beforeAll(async () => {
  app = await testApp()
  otherProcess = openPool(app.system.config.databaseUrl ?? '', { max: 1 })
  const passwordHash = await hashPassword(PASSWORD, app.system.config.secretKey)
  admin = await makeUser(app.system, { role: 'admin', passwordHash })
  broker = await makeUser(app.system, { role: 'broker', passwordHash })
})
afterAll(async () => {
  await otherProcess.close()
  await app.stop()
})
afterEach(() => app.as(admin.id).delete('/api/v1/maintenance'))

const start = (message = MESSAGE) => app.as(admin.id).put('/api/v1/maintenance', { message })
const statusOf = async (userId: string) => (await app.as(userId).get('/api/v1/accounts')).status
const signIn = (email: string) => postFrom(app, '10.0.0.1', '/login', { email, password: PASSWORD })

describe('during maintenance', () => {
  it('the status and all calls of other users answer 503 with the message and when to try again', async () => {
    expect((await start()).status).toBe(200)
    const answers = await Promise.all([
      app.anonymous.get('/api/v1/status'),
      app.anonymous.post('/api/v1/password/create', { email: broker.email }),
      app.as(broker.id).get('/api/v1/init'),
      app.as(broker.id).get('/api/v1/accounts'),
    ])
    for (const { status, headers, body } of answers)
      expect({ status, retryAfter: headers['retry-after'], body }).toEqual({
        status: 503,
        retryAfter: '60',
        body: { response: 'error', message: MESSAGE, kind: 'maintenance' },
      })
  })

  it('administrators work, see who started it and change its message', async () => {
    await start('Soon back.')
    expect((await start()).status).toBe(200)
    expect(await statusOf(admin.id)).toBe(200)
    const { data } = (await app.as(admin.id).get('/api/v1/maintenance')).body
    expect(data).toEqual({ message: MESSAGE, started_at: expect.any(String), started_by: admin.fullName })
    expect((await app.anonymous.get('/api/v1/status')).body.message).toBe(MESSAGE)
  })

  it('administrators can sign in and then end it, and everyone can sign out', async () => {
    await start()
    const [mine, other] = await Promise.all([signIn(admin.email), signIn(broker.email)])
    const signedIn = app.bearing(`Bearer ${mine.body.token}`)
    expect((await app.bearing(`Bearer ${other.body.token}`).get('/api/v1/accounts')).status).toBe(503)
    expect((await app.bearing(`Bearer ${other.body.token}`).post('/api/v1/logout')).status).toBe(200)
    expect((await signedIn.get('/api/v1/init')).status).toBe(200)
    expect((await signedIn.delete('/api/v1/maintenance')).status).toBe(200)
    expect(await statusOf(broker.id)).toBe(200)
    expect((await app.anonymous.get('/api/v1/status')).body.data).toEqual({ status: 'up' })
    expect((await app.as(admin.id).get('/api/v1/maintenance')).body.data).toBeNull()
  })

  it('a process that starts obeys, because the state is stored', async () => {
    await start()
    const started = { ...app.system, ...createCaches() }
    await readMaintenance(started)
    expect(started.maintenance.message()).toBe(MESSAGE)
  })
})

describe('maintenance that another process starts and ends', () => {
  it('is obeyed within a second of its commit', async () => {
    const soon = { timeout: 1_000, interval: 20 }
    await otherProcess.pool.query("INSERT INTO maintenance_periods (message) VALUES ('Elsewhere.')")
    await vi.waitFor(async () => expect(await statusOf(broker.id)).toBe(503), soon)
    await otherProcess.pool.query('UPDATE maintenance_periods SET ended_at = now() WHERE ended_at IS NULL')
    await vi.waitFor(async () => expect(await statusOf(broker.id)).toBe(200), soon)
  })
})

describe('the switch', () => {
  it('needs its permission, and a message', async () => {
    for (const call of ['get', 'put', 'delete'] as const)
      expect((await app.as(broker.id)[call]('/api/v1/maintenance', call === 'get' ? {} : { message: 'Now.' })).status).toBe(403)
    expect((await start('  ')).body.errors).toEqual({ message: ['Please enter what other users are shown.'] })
    expect(await statusOf(broker.id)).toBe(200)
  })
})

describe('a late answer to an earlier read', () => {
  it('does not replace that of a later one', async () => {
    const { maintenance } = createCaches()
    let answerFirst = (_message: string | undefined) => {}
    const first = maintenance.update(() => new Promise((resolve) => (answerFirst = resolve)))
    await maintenance.update(async () => 'Later.')
    answerFirst(undefined)
    await first
    expect(maintenance.message()).toBe('Later.')
  })
  it('is used while a later read is not answered, so that a change is in force when its call returns', async () => {
    const { maintenance } = createCaches()
    const first = maintenance.update(async () => 'Now.')
    void maintenance.update(() => new Promise(() => {}))
    await first
    expect(maintenance.message()).toBe('Now.')
  })
})
