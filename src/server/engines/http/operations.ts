import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Services } from '../context.ts'

const READY_TIMEOUT_MS = 3_000

/** GET /healthz (alive), /readyz (database, migrations and storage answer), /metrics (Prometheus text). */
export function mountOperations(app: FastifyInstance, services: Services, state: { stopping: boolean }): void {
  const requests = countRequests(app)
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  app.addHook('onClose', async () => {
    delay.disable()
  })
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const checks = {
      database: await answers(() => sql`SELECT 1 FROM companies LIMIT 1`.execute(services.db)),
      storage: await answers(() => services.storage.check()),
    }
    const ready = !state.stopping && Object.values(checks).every((check) => check === 'ok')
    return reply
      .status(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ready' : 'not ready', checks })
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type('text/plain; version=0.0.4').send(prometheus(requests, delay.percentile(99) / 1e9)),
  )
}

async function answers(check: () => Promise<unknown>): Promise<string> {
  try {
    await Promise.race([
      check(),
      new Promise((_resolve, reject) => setTimeout(() => reject(new Error('timed out')), READY_TIMEOUT_MS).unref()),
    ])
    return 'ok'
  } catch (error) {
    return error instanceof Error ? error.message : 'failed'
  }
}

interface Counted {
  count: number
  seconds: number
}

function countRequests(app: FastifyInstance): Map<string, Counted> {
  const counts = new Map<string, Counted>()
  app.addHook('onResponse', async (request, reply) => {
    const key = `method="${request.method}",route="${request.routeOptions.url ?? 'none'}",status="${reply.statusCode}"`
    const entry = counts.get(key) ?? { count: 0, seconds: 0 }
    entry.count += 1
    entry.seconds += reply.elapsedTime / 1_000
    counts.set(key, entry)
  })
  return counts
}

function prometheus(requests: Map<string, Counted>, loopDelaySeconds: number): string {
  const memory = process.memoryUsage()
  const lines = [
    '# TYPE http_requests_total counter',
    ...[...requests].map(([labels, { count }]) => `http_requests_total{${labels}} ${count}`),
    '# TYPE http_request_seconds_total counter',
    ...[...requests].map(([labels, { seconds }]) => `http_request_seconds_total{${labels}} ${seconds.toFixed(6)}`),
    '# TYPE nodejs_eventloop_delay_p99_seconds gauge',
    `nodejs_eventloop_delay_p99_seconds ${Number.isFinite(loopDelaySeconds) ? loopDelaySeconds.toFixed(6) : 0}`,
    '# TYPE process_resident_memory_bytes gauge',
    `process_resident_memory_bytes ${memory.rss}`,
    '# TYPE nodejs_heap_used_bytes gauge',
    `nodejs_heap_used_bytes ${memory.heapUsed}`,
    '# TYPE process_uptime_seconds gauge',
    `process_uptime_seconds ${process.uptime().toFixed(1)}`,
  ]
  return `${lines.join('\n')}\n`
}
