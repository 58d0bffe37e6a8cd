import { createServer, connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp, type TestAnswer, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { transact } from '../transaction/transact.ts'

/** The database is reached through a door that the test can shut. */
let app: TestApp
let userId: string
let door: Awaited<ReturnType<typeof openDoor>>

async function openDoor() {
  const sockets = new Set<Socket>()
  let target = { host: '', port: 0 }
  let shut = false
  const server = createServer((socket) => {
    if (shut) {
      socket.destroy()
      return
    }
    const beyond = connect(target)
    for (const end of [socket, beyond]) {
      sockets.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        sockets.delete(end)
        socket.destroy()
        beyond.destroy()
      })
    }
    socket.pipe(beyond).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    through: (url: string) => {
      const inner = new URL(url)
      target = { host: inner.hostname, port: Number(inner.port) }
      inner.hostname = '127.0.0.1'
      inner.port = String(address !== null && typeof address === 'object' ? address.port : 0)
      return inner.href
    },
    shut: (value: boolean) => {
      shut = value
      if (value) for (const socket of sockets) socket.destroy()
    },
    close: () => server.close(),
  }
}

beforeAll(async () => {
  door = await openDoor()
  app = await testApp({ reach: door.through, env: { LOG_LEVEL: 'silent' } })
  userId = (await makeUser(app.system)).id
  await app.as(userId).get('/api/v1/init')
})
afterAll(async () => {
  door.shut(false)
  await app.stop()
  door.close()
})

const ask = (): Promise<TestAnswer[]> =>
  Promise.all([
    app.as(userId).get('/api/v1/accounts'),
    app.as(userId).get('/api/v1/init'),
    app.as(userId).post('/api/v1/accounts', { name: 'A', type: 'managed' }),
    app.anonymous.post('/api/v1/login', { email: 'a@example.test', password: 'wrong' }),
    app.anonymous.get('/api/v1/password/find/nothing'),
  ])

describe('while the database cannot be reached', () => {
  it('every call says so with the time to wait, and comes back with it', async () => {
    for (let outage = 0; outage < 2; outage += 1) {
      door.shut(true)
      for (const answer of [...(await ask()), ...(await ask())]) {
        expect(answer.status).toBe(503)
        expect(answer.body).toEqual({ response: 'error', message: expect.stringContaining('database'), kind: 'unavailable' })
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      }
      expect((await app.anonymous.get('/healthz')).status).toBe(200)
      expect(await app.anonymous.get('/readyz')).toMatchObject({ status: 503, body: { status: 'not ready', checks: { storage: 'ok' } } })
      door.shut(false)
      expect((await app.as(userId).get('/api/v1/init')).status).toBe(200)
      expect((await app.anonymous.get('/readyz')).status).toBe(200)
    }
  })

  it('a transaction that lost it half way left nothing behind', async () => {
    const lost = transact(app.system, async (tx) => {
      await tx.db.insertInto('companies').values({ name: 'Half a company' }).execute()
      door.shut(true)
    })
    await expect(lost).rejects.toThrow()
    door.shut(false)
    expect(await app.system.db.selectFrom('companies').select('id').where('name', '=', 'Half a company').execute()).toEqual([])
  })
})
