import { hash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { METRIC_CACHE_MS } from '#contract/limits.ts'
import type { Metric } from '#contract/metrics.ts'
import type { Model } from '#contract/models.ts'
import { scopeOf } from '#server/access/link-scope.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context } from '../context.ts'
import { versionOf } from '../datatable/list-version.ts'

interface MetricRequest {
  name: string
  /** A change of one of these models makes the cached metric outdated. */
  dependsOn: readonly Model[]
  /** Absent for a metric over everything the viewer sees. */
  accountId?: string
  /** An expression that changes with what changes the metric without a new version of these models. */
  changes?: RawBuilder<unknown>
  force: boolean
  make: () => Promise<Metric>
}

/** A metric computed at most METRIC_CACHE_MS ago, unless something it counts or the viewer's access has changed since, or `force` is set. */
export async function cachedMetric(
  ctx: Context,
  { name, dependsOn, accountId, changes = sql`''`, force, make }: MetricRequest,
): Promise<Metric> {
  const key = [name, accountId, viewerId(ctx.viewer), rightsOf(ctx)].join(' ')
  // Read before the metric is computed, so that a change in between makes the next request compute it again.
  const { rows } = await sql<{
    version: string
  }>`SELECT ${versionOf(ctx.viewer, dependsOn, accountId)} || ' ' || ${changes} AS version`.execute(ctx.db)
  const version = rows[0]?.version ?? ''
  const now = ctx.clock.now().getTime()
  const cached = ctx.metricCache.get(key)
  if (!force && cached !== undefined && cached.version === version && now - cached.madeAt < METRIC_CACHE_MS) return cached.metric
  const metric = await make()
  ctx.metricCache.set(key, { metric, version, madeAt: now })
  return metric
}

const rightsOf = ({ viewer }: Context) =>
  viewer.kind === 'user' ? hash('sha1', JSON.stringify([[...viewer.permissions], scopeOf(viewer)])) : viewer.kind
