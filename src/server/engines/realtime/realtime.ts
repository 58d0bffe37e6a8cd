import type { Server as HttpServer } from 'node:http'
import pLimit from 'p-limit'
import type { Server, Socket } from 'socket.io'
import { z } from 'zod'
import { ACCOUNT_MODEL, declarationOf } from '#contract/models.ts'
import { principalsOf } from '#server/access/accounts.ts'
import { authorizeChannel, rooms } from '#server/access/channels.ts'
import { unauthenticated } from '#server/kernel/errors.ts'
import type { Services } from '../context.ts'
import { readMaintenance } from '../http/maintenance.ts'
import { isSigned, sign } from '../secrets/tokens.ts'
import type { ChangeNotice } from '../transaction/changes.ts'
import { listenForChanges } from './change-bus.ts'
import { isExpected, openSocketServer, viewerOf, type SocketLimits } from './socket-server.ts'

const RECHECK_MS = 10_000
const ALL = 'all'
const GOING_AWAY = 1001

/** Authorizes one socket to subscribe to one channel, on any process. */
export const signChannel = (secret: string, socketId: string, channel: string): string => sign(secret, 'channel', socketId, channel)

interface Connection {
  socket: Socket
  /** The user and their company. */
  principals: readonly string[]
  /** Rooms by subscribed channel. */
  channels: Map<string, string[]>
  /** The `rightsKey` of the viewer when the page last fetched its data. */
  rights: string
}

const Subscription = z.object({ channel: z.string(), auth: z.string() })

/**
 * Serves realtime events on the port of the API. A socket connects with the bearer token in its handshake, subscribes with a
 * signature from broadcasting/auth, and loses a channel as soon as the access ends.
 */
export async function startRealtime(
  http: HttpServer,
  services: Services,
  { recheckMs = RECHECK_MS, socketLimits }: { recheckMs?: number; socketLimits?: SocketLimits } = {},
): Promise<{ close(): Promise<void> }> {
  const io = openSocketServer(http, services, socketLimits)
  const connections = new Map<string, Connection>()
  io.on('connection', (socket) => attach(socket, services, connections))
  const recheck = rechecker(services, connections)
  const stopListening = await listenForChanges(services, {
    onChange: (notice) => {
      publish(io, services, notice).catch((error: unknown) => {
        services.log.warn({ err: error }, 'A change could not be published; all pages refetch.')
        io.emit('resync')
      })
    },
    onOpened: ({ openedBy, model }) =>
      void io.to(rooms.user(openedBy)).emit('record-opened', { channel: `private-user.${openedBy}`, data: { model } }),
    onNotification: ({ userId, ...data }) =>
      void io.to(rooms.user(userId)).emit('notification', { channel: `private-user.${userId}`, data }),
    onRights: (principal) => {
      services.sessionCache.clear(principal === undefined ? undefined : [principal])
      recheck(principal ?? ALL)
    },
    onMaintenance: () => void readMaintenance(services),
    onGap: () => {
      services.sessionCache.clear()
      void readMaintenance(services)
      io.emit('resync')
    },
  })
  // After the subscription, so that no change is missed.
  await readMaintenance(services)
  // The database does not notify when a session expires, and what a notification announced may not have been readable.
  const timer = setInterval(() => {
    recheck(ALL)
    void readMaintenance(services)
  }, recheckMs)
  return {
    close: async () => {
      clearInterval(timer)
      await stopListening()
      for (const { socket } of connections.values()) closeWithReason(socket)
      io.engine.close()
    },
  }
}

/**
 * Clients reconnect by themselves after this code (RFC 6455: going away), but not after a disconnect by socket.io. The public interface
 * closes a transport without code and reason.
 */
function closeWithReason({ conn }: Socket): void {
  const { socket } = conn.transport as unknown as { socket?: { close?(code: number, reason: string): void } } // private, absent for polling
  socket?.close?.(GOING_AWAY, 'The server is stopping')
}

/** Rechecks one group of sockets at a time and disconnects those whose session ended. Principals named during a round are merged into the next one. */
function rechecker(services: Services, connections: ReadonlyMap<string, Connection>): (principal: string) => void {
  const limit = pLimit(1)
  const named = new Set<string>()
  const recheckNamed = async () => {
    const principals = new Set(named)
    named.clear()
    const failures: unknown[] = []
    for (const connection of connections.values()) {
      const isNamed = connection.principals.some((principal) => principals.has(principal))
      if (!(isNamed || principals.has(ALL)) || !connection.socket.connected) continue
      await recheckConnection(services, connection).catch((error: unknown) => {
        connection.socket.disconnect(true)
        if (!isExpected(error)) failures.push(error)
      })
    }
    // Once for all sockets, because an outage of the database disconnects every one of them.
    if (failures.length > 0)
      services.log.warn({ err: failures[0], sockets: failures.length }, 'The sessions of sockets could not be checked')
  }
  return (principal) => {
    if (named.size === 0) void limit(recheckNamed)
    named.add(principal)
  }
}

/**
 * Leaves channels without access and rejoins those whose rooms changed. After this or a change of the viewer's rights the page refetches, so that
 * it no longer shows what its user cannot see or do. Throws if the session ended or cannot be checked.
 */
async function recheckConnection(services: Services, connection: Connection): Promise<void> {
  const viewer = await viewerOf(services, connection.socket)
  if (viewer.kind !== 'user') throw unauthenticated()
  let changed = viewer.rightsKey !== connection.rights
  connection.rights = viewer.rightsKey
  for (const [channel, joined] of new Map(connection.channels)) {
    const allowed = await authorizeChannel(services.db, viewer, channel)
    if (allowed?.join() === joined.join()) continue
    changed = true
    leave(connection, channel)
    if (allowed !== undefined) await join(connection, channel, allowed)
  }
  if (changed) connection.socket.emit('resync')
}

function attach(socket: Socket, services: Services, connections: Map<string, Connection>): void {
  const principals = socket.data.principals as string[] // set during the handshake
  const rights = socket.data.rights as string // likewise
  const connection = { socket, principals, rights, channels: new Map<string, string[]>() }
  connections.set(socket.id, connection)
  socket.on('disconnect', () => connections.delete(socket.id))
  socket.on('subscribe', (message: unknown, reply: unknown) => {
    const failed = (error: unknown) => {
      services.log.warn({ err: error }, 'A subscription failed')
      return false
    }
    void subscribe(services, connection, message)
      .catch(failed)
      .then((ok) => typeof reply === 'function' && reply({ ok }))
  })
  socket.on('unsubscribe', (channel: unknown) => {
    if (typeof channel === 'string') leave(connection, channel)
  })
}

async function subscribe(services: Services, connection: Connection, message: unknown): Promise<boolean> {
  const { data: { channel, auth } = {} } = Subscription.safeParse(message)
  if (channel === undefined || auth === undefined) return false
  if (!isSigned(auth, services.config.secretKey, 'channel', connection.socket.id, channel)) return false
  const allowed = await authorizeChannel(services.db, await viewerOf(services, connection.socket), channel)
  if (allowed === undefined) return false
  await join(connection, channel, allowed)
  return true
}

async function join({ socket, channels }: Connection, channel: string, allowed: string[]): Promise<void> {
  channels.set(channel, allowed)
  await socket.join(allowed)
}

function leave({ socket, channels }: Connection, channel: string): void {
  const left = channels.get(channel) ?? []
  channels.delete(channel)
  const remaining = new Set([...channels.values()].flat())
  for (const room of left) if (!remaining.has(room)) void socket.leave(room)
}

/** Sends ids and times to the rooms that may see the record; lists of an account are notified through its principals. */
async function publish(io: Server, services: Services, notice: ChangeNotice): Promise<void> {
  if (io.engine.clientsCount === 0) return
  const { model, id, accountId, updatedAt, scope } = notice
  const shownId = declarationOf(model).hidesIds === true ? null : id
  // The account itself shows nothing of the texts of its documents.
  const isOfAccount = accountId !== null && scope !== 'texts'
  if (isOfAccount)
    io.to(rooms.account(accountId)).emit('model-updated', {
      channel: `private-account.${accountId}`,
      data: { id: accountId, updatedAt, scope },
    })
  const readers = accountId === null ? notice.principals : await principalsOf(services.db, accountId)
  for (const listed of new Set([model, ...(isOfAccount ? [ACCOUNT_MODEL] : [])])) {
    const targets = notice.everywhere
      ? rooms.everyone(listed)
      : [rooms.everything(listed), ...readers.map((principal) => rooms.list(listed, principal))]
    io.to(targets).emit('model-updated', {
      channel: `private-datatable.${listed}`,
      data: { model: listed, id: listed === model ? shownId : accountId, account_id: accountId, updatedAt, scope },
    })
  }
}
