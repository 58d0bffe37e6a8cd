import { createServer, connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp, type TestAnswer, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { transact } from '../transaction/transact.ts'

/** The app reaches the database through a proxy that the tests interrupt. */
let app: TestApp
let userId: string
let proxy: Awaited<ReturnType<typeof openProxy>>

async function openProxy() {
  const sockets = new Set<Socket>()
  let target = { host: '', port: 0 }
  let interrupted = false
  const server = createServer((socket) => {
    if (interrupted) {
      socket.destroy()
      return
    }
    const upstream = connect(target)
    for (const end of [socket, upstream]) {
      sockets.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        sockets.delete(end)
        socket.destroy()
        upstream.destroy()
      })
    }
    socket.pipe(upstream).pipe(socket)
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
    interrupt: (value: boolean) => {
      interrupted = value
      if (value) for (const socket of sockets) socket.destroy()
    },
    close: () => server.close(),
  }
}

beforeAll(async () => {
  proxy = await openProxy()
  app = await testApp({ reach: proxy.through, env: { LOG_LEVEL: 'silent' } })
  userId = (await makeUser(app.system)).id
  await app.as(userId).get('/api/v1/init')
})
afterAll(async () => {
  proxy.interrupt(false)
  await app.stop()
  proxy.close()
})

const callAll = (): Promise<TestAnswer[]> =>
  Promise.all([
    app.as(userId).get('/api/v1/accounts'),
    app.as(userId).get('/api/v1/init'),
    app.as(userId).post('/api/v1/accounts', { name: 'A', type: 'managed' }),
    app.anonymous.post('/api/v1/login', { email: 'a@example.test', password: 'wrong' }),
    app.anonymous.get('/api/v1/password/find/nothing'),
  ])

describe('while the database cannot be reached', () => {
  it('answers 503 with the time to wait, and recovers with the database', async () => {
    for (let outage = 0; outage < 2; outage += 1) {
      proxy.interrupt(true)
      for (const answer of [...(await callAll()), ...(await callAll())]) {
        expect(answer.status).toBe(503)
        expect(answer.body).toEqual({ response: 'error', message: expect.stringContaining('database'), kind: 'unavailable' })
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      }
      expect((await app.anonymous.get('/healthz')).status).toBe(200)
      expect(await app.anonymous.get('/readyz')).toMatchObject({ status: 503, body: { status: 'not ready', checks: { storage: 'ok' } } })
      proxy.interrupt(false)
      expect((await app.as(userId).get('/api/v1/init')).status).toBe(200)
      expect((await app.anonymous.get('/readyz')).status).toBe(200)
    }
  })

  it('rolls back an interrupted transaction', async () => {
    const lost = transact(app.system, async (tx) => {
      await tx.db.insertInto('companies').values({ name: 'Incomplete company' }).execute()
      proxy.interrupt(true)
    })
    await expect(lost).rejects.toThrow()
    proxy.interrupt(false)
    expect(await app.system.db.selectFrom('companies').select('id').where('name', '=', 'Incomplete company').execute()).toEqual([])
  })
})
