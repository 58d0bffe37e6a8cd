import type { FastifyInstance, FastifyRequest } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import { SLOW_BODY_MIN_BYTES, SLOW_BODY_WINDOW_MS } from '#contract/limits.ts'
import { unavailable } from '#server/kernel/errors.ts'
import type { Log } from '#server/kernel/log.ts'

const RETRY_AFTER_SECONDS = 5
const IDLE_POLL_MS = 50
/** Requests that still run after this time are cut; downloads can be resumed. */
const DRAIN_TIMEOUT_MS = 15_000

export interface Drain {
  readonly stopping: boolean
  /** Rejects new requests from now on; answers end their connection. */
  begin(): void
  /** Waits for the running requests and closes the server. */
  finish(log: Log): Promise<void>
}

/** Ends a server under load: closes the port at once, answers 503 on open connections and finishes the requests that already run. */
export function createDrain(app: FastifyInstance): Drain {
  let stopping = false
  app.addHook('onRequest', async () => {
    if (stopping) throw unavailable('The service is restarting. Please try again shortly.', RETRY_AFTER_SECONDS)
  })
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('connection', 'close')
  })
  return {
    get stopping() {
      return stopping
    },
    begin: () => {
      stopping = true
      app.server.close()
    },
    finish: async (log) => {
      const ended = new AbortController()
      const closed = app.close().finally(() => ended.abort())
      const deadline = Date.now() + DRAIN_TIMEOUT_MS
      // A connection whose answer began before the signal stays open when it becomes idle.
      while (!ended.signal.aborted && Date.now() < deadline) {
        app.server.closeIdleConnections()
        await sleep(IDLE_POLL_MS, undefined, { signal: ended.signal }).catch(() => undefined)
      }
      if (!ended.signal.aborted) {
        log.warn({ ms: DRAIN_TIMEOUT_MS }, 'Cutting the requests that are still running')
        app.server.closeAllConnections()
      }
      await closed
    },
  }
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] !== undefined && headers['content-length'] !== '0')

/**
 * Answers 408 and disconnects when fewer than `minBytes` of a body arrive within a window. A time limit for the whole request would
 * also end large uploads that make progress.
 */
export function cutSlowBodies(app: FastifyInstance, windowMs = SLOW_BODY_WINDOW_MS, minBytes = SLOW_BODY_MIN_BYTES): void {
  app.addHook('onRequest', async (request) => {
    const { raw } = request
    if (raw.complete || !hasBody(request)) return
    const { socket } = raw
    let received = socket.bytesRead
    const timer = setInterval(() => {
      const arrived = socket.bytesRead - received
      received = socket.bytesRead
      if (raw.complete) clearInterval(timer)
      else if (arrived < minBytes) {
        clearInterval(timer)
        request.log.info({ arrived, windowMs }, 'A request body arrives too slowly; its connection is closed')
        socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
        socket.destroySoon()
      }
    }, windowMs)
    raw.once('close', () => clearInterval(timer))
  })
}
