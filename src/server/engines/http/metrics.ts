import type { FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Histogram, Registry, Summary } from 'prom-client'

/** A registry per server, because prom-client's global one accepts each metric name only once per process. */
export function createMetrics() {
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
  return {
    registry,
    countDropped: () => dropped.inc(),
    countResponse({ method, routeOptions }: FastifyRequest, { statusCode: status, elapsedTime }: FastifyReply): void {
      const route = routeOptions.url ?? 'none'
      const seconds = elapsedTime / 1_000
      duration.observe({ method }, seconds)
      byRoute.observe({ method, route }, seconds)
      responses.inc({ status })
      if (status >= 500) failures.inc({ method, route, status })
    },
  }
}
