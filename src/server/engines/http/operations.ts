import type { FastifyInstance, FastifyRequest } from 'fastify'
import { setTimeout } from 'node:timers/promises'
import { collectDefaultMetrics, Counter, Histogram, Registry, Summary } from 'prom-client'
import { pendingMigrations } from '#server/db/migrate.ts'
import type { Config } from '#server/kernel/config.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Services } from '../context.ts'

const READY_TIMEOUT_MS = 3_000

/** GET /healthz: the process runs. /readyz: database, migrations and storage are usable. /metrics: Prometheus text. */
export function mountOperations(app: FastifyInstance, services: Services): void {
  const registry = collectMetrics(app)
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

/** A registry per server, because prom-client's global one accepts each metric name only once per process. */
function collectMetrics(app: FastifyInstance): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the response was sent, in seconds.',
    labelNames: ['method'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  // A histogram for each route and status would be hundreds of kilobytes.
  const byRoute = new Summary({
    name: 'http_route_duration_seconds',
    help: 'Number of requests of a route and the sum of their times, in seconds.',
    labelNames: ['method', 'route'],
    percentiles: [],
    registers,
  })
  const responses = new Counter({ name: 'http_responses_total', help: 'Responses by status.', labelNames: ['status'], registers })
  const failures = new Counter({
    name: 'http_route_failures_total',
    help: 'Responses of a route with a status from 500 on.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const dropped = new Counter({ name: 'http_connections_dropped_total', help: 'Connections above the limits.', registers })
  app.server.on('drop', () => dropped.inc())
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode: status, elapsedTime }) => {
    const route = routeOptions.url ?? 'none'
    const seconds = elapsedTime / 1_000
    duration.observe({ method }, seconds)
    byRoute.observe({ method, route }, seconds)
    responses.inc({ status })
    if (status >= 500) failures.inc({ method, route, status })
  })
  return registry
}
