import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { io, type Socket } from 'socket.io-client'
import { TOO_MANY_SOCKETS } from '#contract/events.ts'
import { SOCKETS_PER_USER_MAX } from '#contract/limits.ts'
import { openSession } from '#server/features/session/session.commands.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { transact } from '../transaction/transact.ts'
import { startRealtime } from './realtime.ts'

const PER_NETWORK = SOCKETS_PER_USER_MAX + 10
const ANONYMOUS = 50
const SOON = { timeout: 10_000 }
let app: TestApp
let http: Server
let realtime: { close(): Promise<void> }
let url: string
const sockets: Socket[] = []

beforeAll(async () => {
  app = await testApp({ env: { TRUST_PROXY: '1' } })
  http = createServer().listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  url = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`
  realtime = await startRealtime(http, app.system, {
    socketLimits: { perNetwork: PER_NETWORK, anonymousPerNetwork: ANONYMOUS, anonymousTotal: ANONYMOUS + 5 },
  })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})
afterAll(async () => {
  await realtime.close()
  http.close()
  await app.stop()
})

async function tokenOf(userId: string): Promise<string> {
  return (await transact(app.system, (tx) => openSession(tx, { userId, kind: 'user', remember: false, address: '' }))).token
}

/** Resolves with the socket, or the reason why there is none. */
const open = (token: unknown, address = '203.0.113.7') =>
  new Promise<Socket | string>((resolve) => {
    const extraHeaders = { 'x-forwarded-for': `192.0.2.1, ${address}` }
    const socket = io(url, { auth: { token }, transports: ['websocket'], reconnection: false, forceNew: true, extraHeaders })
    sockets.push(socket)
    socket.once('connect', () => resolve(socket)).once('connect_error', ({ message }) => resolve(message))
  })
const openMany = (count: number, token: unknown, address?: string) => Promise.all(Array.from({ length: count }, () => open(token, address)))
const reasons = (results: readonly (Socket | string)[]) => results.filter((result) => typeof result === 'string')

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
}

describe('sockets', () => {
  it('above the limit of a user are rejected with a reason after which clients do not reconnect, until one closes', async () => {
    const [user, colleague] = [await makeUser(app.system), await makeUser(app.system)]
    const token = await tokenOf(user.id)
    const opened = await openMany(SOCKETS_PER_USER_MAX + 5, token)
    expect(reasons(opened)).toEqual(Array.from({ length: 5 }, () => TOO_MANY_SOCKETS))
    expect(sockets.filter(({ active }) => active)).toHaveLength(SOCKETS_PER_USER_MAX)
    expect(await open(await tokenOf(user.id))).toBe(TOO_MANY_SOCKETS)
    expect(typeof (await open(await tokenOf(colleague.id)))).toBe('object')
    for (const socket of opened) if (typeof socket !== 'string') socket.close()
    await vi.waitFor(async () => expect(typeof (await open(token))).toBe('object'), SOON)
  })

  it('above the limit of a network get 503 with a time to try again, which other networks do not', async () => {
    const [user, colleague, other] = [await makeUser(app.system), await makeUser(app.system), await makeUser(app.system)]
    await openMany(SOCKETS_PER_USER_MAX, await tokenOf(user.id), '203.0.113.20')
    const last = await openMany(PER_NETWORK - SOCKETS_PER_USER_MAX, await tokenOf(colleague.id), '203.0.113.20')
    expect(reasons(last)).toEqual([])
    const headers = { 'x-forwarded-for': '203.0.113.20' }
    const polled = await fetch(`${url}/socket.io/?EIO=4&transport=polling`, { headers })
    expect([polled.status, polled.headers.get('retry-after')]).toEqual([503, '30'])
    const upgraded = get(`${url}/socket.io/?EIO=4&transport=websocket`, { headers: { ...headers, ...UPGRADE } })
    const [{ statusCode, headers: answered }] = (await once(upgraded, 'response')) as [IncomingMessage]
    expect([statusCode, answered['retry-after']]).toEqual([503, '30'])
    expect(typeof (await open(await tokenOf(other.id), '198.51.100.4'))).toBe('object')
  })

  it.each([
    ['their network', () => '203.0.113.30', ANONYMOUS],
    ['all networks', (index: number) => `198.51.100.${index % 200}`, ANONYMOUS + 5],
  ])(
    'that do not sign in close the oldest above the limit of %s, while users of their networks connect',
    async (_which, addressOf, max) => {
      let closed = 0
      const raw: Duplex[] = []
      for (let index = 0; index < max * 2; index += 1) {
        const headers = { ...UPGRADE, 'x-forwarded-for': addressOf(index) }
        const request = get(`${url}/socket.io/?EIO=4&transport=websocket`, { headers })
        request.on('upgrade', (_response, socket: Duplex) => {
          // The server may reset the connection that it closes.
          raw.push(socket.on('error', () => undefined).once('close', () => (closed += 1)))
          socket.resume()
        })
      }
      await vi.waitFor(() => expect(closed).toBe(max), SOON)
      const user = await makeUser(app.system)
      expect(typeof (await open(await tokenOf(user.id), addressOf(0)))).toBe('object')
      for (const socket of raw) socket.destroy()
      await vi.waitFor(() => expect(closed).toBe(max * 2), SOON)
    },
  )
})
