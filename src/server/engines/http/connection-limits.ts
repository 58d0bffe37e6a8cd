import type { FastifyInstance } from 'fastify'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { CONNECTIONS_MAX, CONNECTIONS_PER_NETWORK_MAX, MINUTE_MS, SECOND_MS } from '#contract/limits.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import { networkOf } from '../secrets/limiter.ts'
import { proxyCheck } from './client-address.ts'
import { createSlots } from './connection-slots.ts'

/** A request can need a second file: a document, or a connection to the database or the store. */
const FILES_PER_CONNECTION = 2
const NEARLY_FULL = 0.9

/** How many connections leave enough of the open files that the system allows this process. */
export function connectionsMax(limits = readIfExists('/proc/self/limits')): number {
  const files = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity)
  return Math.max(1, Math.min(CONNECTIONS_MAX, Math.floor(files / FILES_PER_CONNECTION)))
}

/** Only Linux has this folder. */
function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Closes new connections above a total and above a limit of their network, which does not apply to trusted proxies. Near the total, idle
 * connections are closed instead. Dropped connections emit `drop` at the server, as Node does for those above `maxConnections`.
 */
export function limitConnections(
  { server }: FastifyInstance,
  log: Log,
  trusted: Config['trustProxy'],
  { total = connectionsMax(), perNetwork = CONNECTIONS_PER_NETWORK_MAX } = {},
): void {
  server.maxConnections = total
  const isProxy = proxyCheck(trusted)
  const networks = createSlots<Socket>(perNetwork)
  let open = 0
  let sweptAt = 0
  let loggedAt = 0
  server.on('connection', (socket) => {
    open += 1
    socket.once('close', () => (open -= 1))
    const address = socket.remoteAddress ?? ''
    if (!isProxy(address, 0) && !networks.take(networkOf(address), socket)) {
      server.emit('drop', { remoteAddress: address })
      return void socket.destroy()
    }
    if (open < total * NEARLY_FULL || Date.now() - sweptAt < SECOND_MS) return
    sweptAt = Date.now()
    server.closeIdleConnections()
  })
  server.on('drop', () => {
    if (Date.now() - loggedAt < MINUTE_MS) return
    loggedAt = Date.now()
    log.warn({ open, total, perNetwork }, 'Dropping connections, because there are too many')
  })
}
