import fastify, { type FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { CONNECTIONS_MAX } from '#contract/limits.ts'
import { loadConfig } from '#server/kernel/config.ts'
import { createLog } from '#server/kernel/log.ts'
import { connectionsMax, limitConnections } from './connection-limits.ts'
import { createServer } from './server.ts'

let app: FastifyInstance
let dropped = 0
const lines: string[] = []
const log = createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } })
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  lines.length = 0
  await app.close()
})

async function serve(trusted: false | string | number, limits: { total: number; perNetwork: number }): Promise<void> {
  app = fastify({ logger: false })
  limitConnections(app, log, trusted, limits)
  dropped = 0
  app.server.on('drop', () => (dropped += 1))
  app.get('/', async () => 'here')
  await app.listen({ port: 0, host: '127.0.0.1' })
}

/** A keep-alive connection with one request: its answer, or nothing if it was closed. */
async function open(request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'): Promise<string> {
  const address = app.server.address()
  const socket = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1').setEncoding('latin1')
  sockets.push(socket)
  let text = ''
  socket.on('data', (data: string) => (text += data)).on('error', () => undefined)
  socket.write(request)
  await Promise.race([once(socket, 'close'), once(socket, 'data'), sleep(300)])
  return text
}
const openMany = async (count: number, request?: string) => {
  const answers = []
  for (let index = 0; index < count; index += 1) answers.push(await open(request))
  return answers.filter((answer) => answer.includes('here')).length
}

describe('connections', () => {
  it('above the limit of their network are closed, counted and logged once, until one ends', async () => {
    await serve(false, { total: 100, perNetwork: 5 })
    expect(await openMany(8)).toBe(5)
    expect(dropped).toBe(3)
    expect(lines).toHaveLength(1)
    sockets[0]?.destroy()
    await expect.poll(() => open()).toContain('here')
  })

  it.each([['127.0.0.0/8'], [1]])('of the trusted proxies %s have no limit of a network', async (trusted) => {
    await serve(trusted, { total: 100, perNetwork: 5 })
    expect(await openMany(8)).toBe(8)
  })

  it('that are idle give way to new ones near the total', async () => {
    await serve(false, { total: 10, perNetwork: 100 })
    expect(await openMany(15)).toBe(15)
  })

  it('above the total are closed and counted', async () => {
    await serve(false, { total: 10, perNetwork: 100 })
    // Incomplete headers, so that the connections are not idle.
    await openMany(10, 'GET / HTTP/1.1\r\n')
    expect(await openMany(3)).toBe(0)
    expect(dropped).toBe(3)
  })

  it.each([
    ['Max open files            1024                 524288               files', 512],
    ['Max open files            1048576              1048576              files', CONNECTIONS_MAX],
    ['Max open files            unlimited            unlimited            files', CONNECTIONS_MAX],
    ['', CONNECTIONS_MAX],
  ])('with the limits of the system %j are at most %i', async (limits, max) => {
    await serve(false, { total: 10, perNetwork: 10 })
    expect(connectionsMax(`Max cpu time              unlimited\n${limits}\n`)).toBe(max)
  })

  it('of the product have a total', async () => {
    app = await createServer(loadConfig({ NODE_ENV: 'test', DATA_DIR: '.cache/connections-test' }), log)
    expect(app.server.maxConnections).toBe(connectionsMax())
  })
})
