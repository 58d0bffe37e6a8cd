import type { IncomingMessage, Server as HttpServer } from 'node:http'
import { Server, type Socket } from 'socket.io'
import { TOO_MANY_SOCKETS } from '#contract/events.ts'
import {
  ANONYMOUS_SOCKETS_MAX,
  ANONYMOUS_SOCKETS_PER_NETWORK_MAX,
  SECOND_MS,
  SOCKETS_PER_NETWORK_MAX,
  SOCKETS_PER_USER_MAX,
  SOCKET_RETRY_MAX_MS,
} from '#contract/limits.ts'
import type { Viewer } from '#server/access/viewer.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Services } from '../context.ts'
import { addressReader } from '../http/client-address.ts'
import { createSlots } from '../http/connection-slots.ts'
import { networkOf } from '../secrets/limiter.ts'
import { authenticate } from '../session/authenticate.ts'
import { createAnonymousSlots } from './socket-limits.ts'

/** A connection without a session is closed after this time. */
const HANDSHAKE_MS = 10_000

export interface SocketLimits {
  perNetwork?: number
  anonymousPerNetwork?: number
  anonymousTotal?: number
}

/** Reading the session does not extend it. */
export async function viewerOf(services: Services, socket: Socket): Promise<Viewer> {
  const token: unknown = socket.handshake.auth['token']
  return authenticate(services, typeof token === 'string' ? `Bearer ${token}` : undefined, services.clock.now())
}

/** A session that ended is expected; any other error, such as a lost database, is logged. */
export const isExpected = (error: unknown) => error instanceof AppError && error.kind === 'unauthenticated'

/**
 * A server whose sockets are those of signed-in users, within the limits of a user and of a network. Connections that have not signed in
 * have limits of their own, so that they take nothing from the users of their network.
 */
export function openSocketServer(http: HttpServer, services: Services, limits: SocketLimits = {}): Server {
  const users = createSlots<Socket['conn']>(SOCKETS_PER_USER_MAX)
  const networks = createSlots<Socket['conn']>(limits.perNetwork ?? SOCKETS_PER_NETWORK_MAX)
  const anonymous = createAnonymousSlots<Socket['conn']>({
    perNetwork: limits.anonymousPerNetwork ?? ANONYMOUS_SOCKETS_PER_NETWORK_MAX,
    total: limits.anonymousTotal ?? ANONYMOUS_SOCKETS_MAX,
    close: closeAtOnce,
  })
  const addressOf = addressReader(services.config.trustProxy)
  const networkBy = (request: IncomingMessage) => networkOf(addressOf(request))
  const io = new Server(http, {
    serveClient: false,
    transports: ['websocket', 'polling'],
    pingInterval: 20_000,
    maxHttpBufferSize: 10_000,
    connectTimeout: HANDSHAKE_MS,
  })
  io.engine.use((request: IncomingMessage, response: unknown, next: () => void) => {
    if (isHandshake(request) && networks.isFull(networkBy(request))) answerFull(request, response)
    else next()
  })
  io.engine.on('connection', (connection: Socket['conn']) => anonymous.take(networkBy(connection.request), connection))
  io.use((socket, next) => {
    viewerOf(services, socket).then(
      (viewer) => {
        // People from outside have no channels.
        if (viewer.kind !== 'user' || viewer.via !== undefined) return next(new Error('unauthenticated'))
        // A connection that closed in the meantime would have its slot for good.
        if (socket.conn.readyState !== 'open') return next(new Error('closed'))
        const hasSlots = users.take(viewer.userId, socket.conn) && networks.take(networkBy(socket.conn.request), socket.conn)
        if (!hasSlots) return next(new Error(TOO_MANY_SOCKETS))
        anonymous.release(socket.conn)
        socket.data.principals = [viewer.userId, viewer.companyId]
        socket.data.rights = viewer.rightsKey
        next()
      },
      (error: unknown) => {
        if (!isExpected(error)) services.log.warn({ err: error }, 'The session of a socket could not be checked')
        next(new Error('unauthenticated'))
      },
    )
  })
  return io
}

/** The public interface waits half a minute for the client to confirm the end of a websocket. */
function closeAtOnce(connection: Socket['conn']): void {
  const { socket } = connection.transport as unknown as { socket?: { terminate?(): void } } // private, absent for polling
  socket?.terminate?.()
  connection.close(true)
}

/** Requests of an open connection name its id. */
const isHandshake = ({ url = '' }: IncomingMessage) => !/[?&]sid=/.test(url)

/** Pages try again by themselves, at growing intervals. A request for a websocket has no response object of Node. */
function answerFull({ socket }: IncomingMessage, response: unknown): void {
  const retryAfter = String(SOCKET_RETRY_MAX_MS / SECOND_MS)
  // An import of the module reads all that it exports, which loads the HTTP client of Node, 760 KB.
  const { ServerResponse } = process.getBuiltinModule('node:http')
  if (response instanceof ServerResponse) response.writeHead(503, { 'retry-after': retryAfter }).end()
  else socket.end(`HTTP/1.1 503 Service Unavailable\r\nRetry-After: ${retryAfter}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
