import { sql, type Expression, type SqlBool } from 'kysely'
import {
  CHECKS,
  DISCREPANCY_GROUPS,
  SEVERITIES,
  checkById,
  gradeOf,
  isCheckId,
  type DiscrepancyGroupName,
  type Severity,
} from '#contract/checks.ts'
import { formatNumber } from '#contract/format.ts'
import type { Metric, Statistic } from '#contract/metrics.ts'
import { ofCheck, ofGroup, ofSeverity } from '#server/access/discrepancies.ts'
import { can } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { sumOf } from './chart.ts'
import { propertiesAction } from './properties.metric.ts'

/** A number of properties with an open discrepancy of a kind. */
interface PropertyCount {
  key: string
  label: string
  help: string
  /** The discrepancies of the kind; the filter opens the properties that have one. */
  where: Expression<SqlBool>
  filter: readonly [name: string, value: string]
}

const ofGroupName = (name: DiscrepancyGroupName, help: string): PropertyCount => ({
  key: name,
  label: DISCREPANCY_GROUPS[name].label,
  help,
  where: ofGroup(name),
  filter: ['discrepancy_group', name],
})

/** In the order in which they are shown. */
const PROPERTY_COUNTS: readonly PropertyCount[] = [
  {
    key: 'discrepancies',
    label: 'Properties with discrepancies',
    help: 'Differences that still need a decision.',
    where: sql<SqlBool>`true`,
    filter: ['has_discrepancy', '1'],
  },
  {
    key: 'critical',
    label: 'Critical',
    help: 'Differences that should be resolved before the submission goes out.',
    where: ofSeverity(['critical']),
    filter: ['severity', 'critical'],
  },
  ofGroupName('incomplete', 'Core location, construction, occupancy, protection or value data is missing.'),
  ofGroupName('location', 'Address and map position are missing, coarse or contradictory.'),
  ofGroupName('values', 'Values look too high, too low or do not add up.'),
  {
    key: 'possible_duplicate',
    label: 'Possible duplicates',
    help: 'Two entries may be the same building.',
    where: ofCheck('DQ-09'),
    filter: ['discrepancy', CHECKS['DQ-09'].filter],
  },
  ofGroupName('valuation', 'No valuation within the last 36 months.'),
]

/** The quality of an account's active properties: the score, properties by kind of open discrepancy, and discrepancies by check. */
export async function reconciliation(ctx: Context, accountId: string): Promise<Metric> {
  const [score, kinds, checks] = await Promise.all([readScore(ctx, accountId), readKinds(ctx, accountId), readChecks(ctx, accountId)])
  const total = sumOf(checks, ({ count }) => count)
  const isClean = total === 0
  const scoreStatistics = score.score === null ? [] : [scoreStatistic(ctx, accountId, score.score)]
  const countStatistics = PROPERTY_COUNTS.map(({ key, label, help, filter: [name, value] }, index): Statistic => {
    const { count, worst } = kinds[index] ?? NONE
    const display_count = formatNumber(count) + (key === 'discrepancies' ? ` (${formatNumber(total)} open)` : '')
    const action = count === 0 ? null : propertiesAction(ctx, accountId, { [`filter__${name}`]: value })
    return { key, label, help, count, display_count, severity: worst ?? 'none', action }
  })
  const opensList = can(ctx.viewer, 'view_account_properties')
  return {
    title: 'Reconciliation',
    empty: score.properties === 0 ? 'No properties exist on this account.' : 'Everything is reconciled.',
    total,
    counts: checks.map(({ check_id, count }) => ({
      id: check_id,
      name: isCheckId(check_id) ? checkById(check_id).name : check_id,
      count,
      action: opensList
        ? { model: 'discrepancies', filters: { filter__account_id: accountId, filter__check: check_id, filter__status: 'open' } }
        : null,
    })),
    chart: { labels: [], datasets: [] },
    statistics: [...scoreStatistics, ...(isClean ? [] : countStatistics)],
    icon: { icon: isClean ? 'check' : 'alert', type: isClean ? 'good' : (kinds[0]?.worst ?? 'info') },
  }
}

const ACTIVE = sql`p.status = 'active' AND p.deleted_at IS NULL`
const openOf = (accountId: string) => sql`discrepancies d JOIN account_properties p ON p.account_id = d.account_id AND p.id = d.property_id
  WHERE d.account_id = ${accountId} AND d.status = 'open' AND ${ACTIVE}`

async function readScore(ctx: Context, accountId: string): Promise<{ properties: number; score: number | null }> {
  const { rows } = await sql<{ properties: number; score: number | null }>`SELECT count(*)::int AS properties,
      round(CASE WHEN coalesce(sum(tiv) FILTER (WHERE quality_score IS NOT NULL), 0) = 0 THEN avg(quality_score)
        ELSE sum(quality_score::numeric * tiv) / sum(tiv) FILTER (WHERE quality_score IS NOT NULL) END)::int AS score
    FROM account_properties p WHERE p.account_id = ${accountId} AND ${ACTIVE}`.execute(ctx.db)
  return rows[0] ?? { properties: 0, score: null }
}

interface KindCount {
  count: number
  worst: Severity | null
}
const NONE: KindCount = { count: 0, worst: null }

/** Counts the properties of every kind in one pass over the open discrepancies. */
async function readKinds(ctx: Context, accountId: string): Promise<KindCount[]> {
  const rank = sql`array_position(${[...SEVERITIES]}::text[], d.severity)`
  const perProperty = PROPERTY_COUNTS.map(({ where }, index) => sql`max(${rank}) FILTER (WHERE ${where}) AS ${sql.id(`k${index}`)}`)
  const overall = PROPERTY_COUNTS.map((_kind, index) => sql`jsonb_build_array(count(${sql.id(`k${index}`)}), max(${sql.id(`k${index}`)}))`)
  const { rows } = await sql<{ kinds: [number, number | null][] }>`SELECT jsonb_build_array(${sql.join(overall)}) AS kinds
    FROM (SELECT ${sql.join(perProperty)} FROM ${openOf(accountId)} GROUP BY d.property_id) per_property`.execute(ctx.db)
  return (rows[0]?.kinds ?? []).map(([count, worst]) => ({ count, worst: worst === null ? null : (SEVERITIES[worst - 1] ?? null) }))
}

async function readChecks(ctx: Context, accountId: string): Promise<{ check_id: string; count: number }[]> {
  const { rows } = await sql<{
    check_id: string
    count: number
  }>`SELECT d.check_id, count(*)::int AS count FROM ${openOf(accountId)} GROUP BY d.check_id ORDER BY 1`.execute(ctx.db)
  return rows
}

const GOOD_FROM = 80
const FAIR_FROM = 60

const scoreStatistic = (ctx: Context, accountId: string, score: number): Statistic => ({
  key: 'score',
  label: 'Data quality score',
  count: score,
  display_count: `${score} (${gradeOf(score)})`,
  help: 'How complete, plausible, evidenced and current the property data is, weighted by value.',
  severity: score >= GOOD_FROM ? 'good' : score >= FAIR_FROM ? 'warning' : 'critical',
  action: propertiesAction(ctx, accountId, {}, { sort: 'quality_score', order: 'asc' }),
})
