import type { Server as HttpServer } from 'node:http'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { Server, type Socket } from 'socket.io'
import { rooms } from '#server/access/channels.ts'
import type { Reader, Viewer } from '#server/access/viewer.ts'
import type { Services } from '../context.ts'
import { authenticate } from '../session/authenticate.ts'
import type { ChangeNotice } from '../transaction/changes.ts'
import { listenForChanges } from './bus.ts'

export type AuthoriseChannel = (db: Reader, viewer: Viewer, channel: string) => Promise<string[] | undefined>

const RECHECK_MS = 10_000
const EVERYBODY = 'everybody'

/** HMAC over socket and channel: what broadcasting/auth answers and `subscribe` brings back, on whatever process. */
export const channelSignature = (secret: string, socketId: string, channel: string): string =>
  createHmac('sha256', secret).update(`channel ${socketId} ${channel}`).digest('base64url')

const same = (left: string, right: string) => left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))

interface Attached {
  /** The user and their company. */
  principals: readonly string[]
  channels: Map<string, string[]>
  token: string
}

/**
 * Serves realtime on the API's own port. A socket connects with the bearer token in its handshake, subscribes with the
 * signature from broadcasting/auth, and loses a channel as soon as the right to it ends.
 */
export async function startRealtime(
  http: HttpServer,
  services: Services,
  authorise: AuthoriseChannel,
  recheckMs = RECHECK_MS,
): Promise<{ close(): Promise<void> }> {
  const io = new Server(http, { serveClient: false, transports: ['websocket', 'polling'], pingInterval: 20_000, maxHttpBufferSize: 10_000 })
  const attached = new Map<string, Attached>()
  io.use((socket, next) => {
    const token: unknown = socket.handshake.auth['token']
    const header = typeof token === 'string' ? `Bearer ${token}` : undefined
    authenticate(services, header, services.clock.now(), 'look').then(
      (viewer) => {
        if (viewer.kind !== 'user') return next(new Error('unauthenticated'))
        socket.data.principals = [viewer.userId, viewer.companyId]
        next()
      },
      () => next(new Error('unauthenticated')),
    )
  })
  io.on('connection', (socket) => attach(socket, services, authorise, attached))
  const recheck = inTurn((who) => recheckRights(io, services, authorise, concerned(attached, who)))
  const bus = await listenForChanges(services, {
    onChange: (notice) => void publish(io, services, notice),
    onRights: (principal) => {
      services.sessionCache.clear()
      recheck(principal ?? EVERYBODY)
    },
    onGap: () => {
      services.sessionCache.clear()
      io.emit('resync')
    },
  })
  // Sessions also end by time alone, which nobody announces.
  const timer = setInterval(() => recheck(EVERYBODY), recheckMs)
  return {
    close: async () => {
      clearInterval(timer)
      await bus.close()
      io.disconnectSockets(true)
      await io.close()
    },
  }
}

/** One round at a time, however often it is asked for; whoever is named during a round is looked at in one more after it. */
function inTurn(round: (who: ReadonlySet<string>) => Promise<void>): (principal: string) => void {
  let running = false
  const waiting = new Set<string>()
  return function ask(principal) {
    waiting.add(principal)
    if (running) return
    running = true
    const who = new Set(waiting)
    waiting.clear()
    void round(who).finally(() => {
      running = false
      const [next] = waiting
      if (next !== undefined) ask(next)
    })
  }
}

/** The sockets of the users and companies named. */
const concerned = (attached: ReadonlyMap<string, Attached>, who: ReadonlySet<string>): [string, Attached][] =>
  [...attached].filter(([, { principals }]) => who.has(EVERYBODY) || principals.some((principal) => who.has(principal)))

function attach(socket: Socket, services: Services, authorise: AuthoriseChannel, attached: Map<string, Attached>): void {
  const principals = socket.data.principals as string[] // set by the handshake above, without which nothing connects
  const state: Attached = { principals, channels: new Map(), token: String(socket.handshake.auth['token']) }
  attached.set(socket.id, state)
  socket.on('disconnect', () => attached.delete(socket.id))
  socket.on('subscribe', (message: unknown, reply: unknown) => {
    subscribe(socket, services, authorise, state, message).then(
      (ok) => typeof reply === 'function' && reply({ ok }),
      (error: unknown) => {
        services.log.warn({ err: error }, 'A subscription failed')
        if (typeof reply === 'function') reply({ ok: false })
      },
    )
  })
  socket.on('unsubscribe', (channel: unknown) => {
    if (typeof channel === 'string') leave(socket, state, channel)
  })
}

async function subscribe(
  socket: Socket,
  services: Services,
  authorise: AuthoriseChannel,
  state: Attached,
  message: unknown,
): Promise<boolean> {
  if (message === null || typeof message !== 'object' || !('channel' in message) || !('auth' in message)) return false
  const { channel, auth } = message
  if (typeof channel !== 'string' || typeof auth !== 'string') return false
  if (!same(auth, channelSignature(services.config.secretKey, socket.id, channel))) return false
  const viewer = await authenticate(services, `Bearer ${state.token}`, services.clock.now(), 'look')
  const allowed = await authorise(services.db, viewer, channel)
  if (allowed === undefined) return false
  await join(socket, state, channel, allowed)
  return true
}

async function join(socket: Socket, state: Attached, channel: string, allowed: string[]): Promise<void> {
  state.channels.set(channel, allowed)
  await socket.join(allowed)
}

function leave(socket: Socket, state: Attached, channel: string): void {
  const left = state.channels.get(channel) ?? []
  state.channels.delete(channel)
  const kept = new Set([...state.channels.values()].flat())
  for (const room of left) if (!kept.has(room)) void socket.leave(room)
}

/** A session that ended loses its socket; a channel whose right ended is left, one that means other rooms now is joined anew. */
async function recheckRights(io: Server, services: Services, authorise: AuthoriseChannel, looked: [string, Attached][]): Promise<void> {
  for (const [id, state] of looked) {
    const socket = io.sockets.sockets.get(id)
    if (socket === undefined) continue
    try {
      const viewer = await authenticate(services, `Bearer ${state.token}`, services.clock.now(), 'look')
      for (const [channel, held] of new Map(state.channels)) {
        const allowed = await authorise(services.db, viewer, channel)
        if (allowed?.join() === held.join()) continue
        leave(socket, state, channel)
        if (allowed !== undefined) await join(socket, state, channel, allowed)
      }
    } catch {
      socket.disconnect(true)
    }
  }
}

/** Ids and times to whoever may know of them; readers of a list hear of it through the account's principals. */
async function publish(io: Server, services: Services, notice: ChangeNotice): Promise<void> {
  if (io.engine.clientsCount === 0) return
  const { model, id, accountId, updatedAt, scope } = notice
  // A document may be private: which one it was is for those only who fetch the list and see it there.
  const shown = model === 'account_files' ? null : id
  const row = { model, id: shown, account_id: accountId, updatedAt }
  if (accountId !== null)
    io.to(rooms.account(accountId)).emit('model-updated', {
      channel: `private-account.${accountId}`,
      data: { id: accountId, updatedAt, scope },
    })
  const readers = accountId === null ? notice.principals : await principalsOf(services, accountId)
  for (const listed of new Set([model, ...(accountId === null ? [] : ['accounts' as const])])) {
    const targets = notice.everywhere
      ? rooms.everyone(listed)
      : [rooms.everything(listed), ...readers.map((principal) => rooms.list(listed, principal))]
    io.to(targets).emit('model-updated', {
      channel: `private-datatable.${listed}`,
      data: { ...row, model: listed, id: listed === model ? shown : accountId },
    })
  }
}

async function principalsOf(services: Services, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ principal_id: string }>`SELECT principal_id FROM account_access WHERE account_id = ${accountId}`.execute(
    services.db,
  )
  return rows.map((row) => row.principal_id)
}
