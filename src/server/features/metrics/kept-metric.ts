import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Metric } from '#contract/metrics.ts'
import { METRIC_CACHE_MS } from '#contract/limits.ts'
import type { Model } from '#contract/permissions.ts'
import { principals, seesAllCompanies, uuids } from '#server/access/scope.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'

interface Kept {
  metric: Metric
  stamp: number
  madeAt: number
}

const KEPT_METRICS = 2_000
/** Metrics by what they are, of what and for whom; least recently made first out. */
const kept = new Map<string, Kept>()

interface Keeping {
  name: string
  /** Models whose changes make it old before its time. */
  models: readonly Model[]
  /** The account it is about; absent for one about everything the viewer sees. */
  accountId?: string
  force: boolean
  make: () => Promise<Metric>
}

/** A metric as it was made up to 5 minutes ago, unless something it counts has changed since or `force` asks for a new one (decisions Q80). */
export async function keptMetric(ctx: Context, { name, models, accountId, force, make }: Keeping): Promise<Metric> {
  const key = [name, accountId, viewerId(ctx.viewer), rightsOf(ctx)].join(' ')
  const stamp = await stampOf(ctx, models, accountId)
  const now = ctx.clock.now().getTime()
  const known = kept.get(key)
  if (!force && known !== undefined && known.stamp === stamp && now - known.madeAt < METRIC_CACHE_MS) return known.metric
  const metric = await make()
  kept.delete(key)
  kept.set(key, { metric, stamp, madeAt: now })
  const oldest = kept.size > KEPT_METRICS ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
  return metric
}

const rightsOf = ({ viewer }: Context) => (viewer.kind === 'user' ? hash('sha1', [...viewer.permissions].join(',')) : viewer.kind)

/** Read before the metric is made, so that a change in between makes the next one new. */
async function stampOf(ctx: Context, models: readonly Model[], accountId: string | undefined): Promise<number> {
  const scope =
    accountId !== undefined
      ? sql`scope_id = ${accountId}`
      : seesAllCompanies(ctx.viewer)
        ? sql`true`
        : sql`scope_id = ANY(${uuids(principals(ctx.viewer))})`
  const { rows } = await sql<{ stamp: number }>`SELECT coalesce(sum(stamp), 0)::bigint AS stamp FROM change_stamps
    WHERE model = ANY(${[...models]}::text[]) AND ${scope}`.execute(ctx.db)
  return rows[0]?.stamp ?? 0
}
