import type { FastifyInstance, FastifyRequest } from 'fastify'
import { setTimeout } from 'node:timers/promises'
import { once } from '#contract/once.ts'
import { pendingMigrations } from '#server/db/migrate.ts'
import type { Config } from '#server/kernel/config.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Services } from '../context.ts'

const READY_TIMEOUT_MS = 3_000

/** GET /healthz: the process runs. /readyz: database, migrations and storage are usable. /metrics: Prometheus text. */
export function mountOperations(app: FastifyInstance, services: Services): void {
  // Loaded after the first response, because the library is 80 modules, which the start does not need.
  const metrics = once(async () => (await import('./metrics.ts')).createMetrics())
  app.server.on('drop', () => void metrics().then(({ countDropped }) => countDropped()))
  app.addHook('onResponse', async (request, reply) => (await metrics()).countResponse(request, reply))
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const [database, migrations, storage] = await Promise.all([
      resultOf(services.pool.query('SELECT 1')),
      resultOf(checkMigrations(services.pool)),
      resultOf(services.storage.check()),
    ])
    const checks = { database, migrations, storage }
    const ready = Object.values(checks).every((result) => result === 'ok')
    return reply
      .status(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ready' : 'not ready', checks })
  })
  app.get('/metrics', async (request, reply) => {
    requireAudience(services.config, 'metrics', request)
    const { registry } = await metrics()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

const LOOPBACK_ADDRESS = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/i
/** A page of another site whose name resolves to this machine sends that name. */
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i
/** Headers that proxies and content networks add. */
const FORWARDING_HEADER =
  /^(x-(original-)?forwarded-.*|forwarded.*|via|cdn-loop|cf-ray|x-original-host|x-envoy-external-address|.*-(ip|clientip|addr))$/

/** Whether a program on this machine sent the request to this server directly. Any client of a proxy on this machine has a loopback address. */
function isLocal({ socket, headers }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some((name) => FORWARDING_HEADER.test(name))
  return !isForwarded && LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') && LOOPBACK_HOST.test(headers.host ?? '')
}

/** Throws `not_found` unless the request may see a page for operators. */
export function requireAudience({ audience: audiences }: Config, page: keyof Config['audience'], request: FastifyRequest): void {
  const audience = audiences[page]
  if (audience === 'off' || (audience === 'local' && !isLocal(request)))
    throw new AppError('not_found', 'There is nothing at this address.')
}

/** 'ok' or the reason why not. */
function resultOf(check: Promise<unknown>): Promise<string> {
  const reasonOf = (error: unknown) => (error instanceof Error ? error.message : 'failed')
  return Promise.race([check.then(() => 'ok', reasonOf), setTimeout(READY_TIMEOUT_MS, 'timed out', { ref: false })])
}

async function checkMigrations(pool: Services['pool']): Promise<void> {
  const pending = await pendingMigrations(pool)
  if (pending.length > 0) throw new Error(`not applied: ${pending.join(', ')}`)
}
