import fastify, { type FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SLOW_BODY_WINDOW_MS } from '#contract/limits.ts'
import { loadConfig } from '#server/kernel/config.ts'
import { createLog } from '#server/kernel/log.ts'
import { createDrain, cutSlowBodies } from './connections.ts'
import { createServer } from './server.ts'

const log = createLog({ level: 'silent' })
let app: FastifyInstance
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await app.close()
})

/** A raw connection and what it has received. */
async function open() {
  const address = app.server.address()
  const socket = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1').setEncoding('latin1')
  sockets.push(socket)
  const got = { text: '', closed: false }
  socket.on('data', (text: string) => (got.text += text))
  socket.on('close', () => (got.closed = true))
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return { socket, got }
}

describe('a request body', () => {
  const WINDOW_MS = 200
  beforeEach(async () => {
    app = fastify({ logger: false, bodyLimit: 10_000_000 })
    cutSlowBodies(app, WINDOW_MS, 1_000)
    app.post('/', async () => 'received')
    await app.listen({ port: 0, host: '127.0.0.1' })
  })
  const head = (length: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n`

  test.each([
    ['no byte', 0],
    ['a byte at a time', 1],
  ])('of which %s arrives is cut', async (_what, bytes) => {
    const { socket, got } = await open()
    socket.write(head(100_000))
    const timer = setInterval(() => bytes > 0 && socket.writable && socket.write('x'.repeat(bytes)), 20)
    await expect.poll(() => got.closed, { timeout: 3_000 }).toBe(true)
    clearInterval(timer)
    expect(got.text).toContain('408 Request Timeout')
  })

  test('that makes progress is received, however long it takes', async () => {
    const { socket, got } = await open()
    socket.write(head(60_000))
    for (let sent = 0; sent < 60; sent += 1) {
      socket.write('x'.repeat(1_000))
      await sleep(20)
    }
    await expect.poll(() => got.text, { timeout: 3_000 }).toContain('received')
  })
})

describe('a server that stops', () => {
  let finish: () => void
  let drain: ReturnType<typeof createDrain>
  beforeEach(async () => {
    app = await createServer(loadConfig({ NODE_ENV: 'test', DATA_DIR: '.cache/connections-test' }), log)
    drain = createDrain(app)
    app.get('/quick', async () => 'quick')
    app.get('/slow', async () => {
      await new Promise<void>((resolve) => (finish = resolve))
      return 'finished'
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
  })
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

  test('finishes the running request, answers 503 to new ones and accepts no connection', async () => {
    const [running, idle] = [await open(), await open()]
    idle.socket.write(get('/quick'))
    await expect.poll(() => idle.got.text).toContain('quick')
    running.socket.write(get('/slow'))
    await expect.poll(() => typeof finish).toBe('function')

    drain.begin()
    idle.socket.write(get('/quick'))
    await expect
      .poll(() => idle.got.text + String(idle.got.closed))
      .toMatch(/HTTP\/1.1 503[^]*retry-after: \d+[^]*connection: close|true$/i)
    await expect(open()).rejects.toThrow('ECONNREFUSED')

    const finished = drain.finish(log)
    finish()
    await finished
    await expect.poll(() => running.got.text).toMatch(/HTTP\/1.1 200[^]*connection: close[^]*finished/i)
  })
})

test('the server of the product cuts a slow body', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    app = await createServer(loadConfig({ NODE_ENV: 'test', DATA_DIR: '.cache/connections-test' }), log)
    app.post('/', async () => 'received')
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { socket, got } = await open()
    const arrived = once(app.server, 'request')
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{')
    await arrived
    await sleep(50)
    vi.advanceTimersByTime(SLOW_BODY_WINDOW_MS)
    vi.useRealTimers()
    await expect.poll(() => got.closed, { timeout: 3_000 }).toBe(true)
    expect(got.text).toContain('408 Request Timeout')
  } finally {
    vi.useRealTimers()
  }
})

test.each([
  ['a length', 'Content-Length: 1000\r\n\r\n{'],
  ['chunks', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n'],
])('a client that disconnects while it sends a body with %s is not logged as a failure of the server', async (_what, rest) => {
  const lines: string[] = []
  const logged = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  app = await createServer(loadConfig({ NODE_ENV: 'test', DATA_DIR: '.cache/connections-test' }), logged)
  app.post('/', async () => 'received')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { socket } = await open()
  const arrived = once(app.server, 'request')
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${rest}`)
  await arrived
  await sleep(50)
  socket.destroy()
  await expect.poll(() => lines.join('')).toContain('closed before the request had arrived completely')
  await sleep(50)
  expect(lines.filter((line) => !line.includes('"level":"info"'))).toEqual([])
})

test('a request that is not HTTP gets an error as any other', async () => {
  app = await createServer(loadConfig({ NODE_ENV: 'test', DATA_DIR: '.cache/connections-test' }), log)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { socket, got } = await open()
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \u0001\r\n\r\n')
  await expect.poll(() => got.closed, { timeout: 3_000 }).toBe(true)
  expect(got.text).toMatch(/^HTTP\/1.1 400 [^]*"response":"error","message":"This request cannot be read as HTTP\."/)
})

test('every response denies browser features that the page does not use', async () => {
  app = await createServer(loadConfig({ NODE_ENV: 'test', DATA_DIR: '.cache/connections-test' }), log)
  const policy = String((await app.inject('/nothing')).headers['permissions-policy'])
  for (const feature of ['camera', 'microphone', 'geolocation', 'payment', 'usb']) expect(policy).toContain(`${feature}=()`)
})

test('every response allows the page itself to make and use passkeys', async () => {
  app = await createServer(loadConfig({ NODE_ENV: 'test', DATA_DIR: '.cache/connections-test' }), log)
  const policy = String((await app.inject('/nothing')).headers['permissions-policy']).split(', ')
  for (const feature of ['create', 'get']) expect(policy).toContain(`publickey-credentials-${feature}=(self)`)
})
