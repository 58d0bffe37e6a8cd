import { sql, type Expression, type SqlBool } from 'kysely'
import { CHECKS, SEVERITIES, checkById, gradeOf, isCheckId, type Severity } from '#contract/checks.ts'
import type { Metric, Statistic } from '#contract/metrics.ts'
import { ofCheck, ofGroup, ofSeverity } from '#server/access/discrepancies.ts'
import { can } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { formatNumber } from '#contract/format.ts'
import { propertiesAction } from './metric-account.ts'

interface Question {
  key: string
  label: string
  help: string
  /** Open discrepancies that count. The filter opens the properties that have one. */
  where: Expression<SqlBool>
  filter: readonly [name: string, value: string]
}

/** The statistics of domain section 10 that rest on checks which exist, in its order; each counts properties. */
const QUESTIONS: readonly Question[] = [
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
    help: 'Differences that should be settled before the submission goes out.',
    where: ofSeverity(['critical']),
    filter: ['severity', 'critical'],
  },
  {
    key: 'incomplete',
    label: 'Incomplete properties',
    help: 'Core location, construction, occupancy, protection or value data is missing.',
    where: ofGroup('incomplete'),
    filter: ['discrepancy_group', 'incomplete'],
  },
  {
    key: 'location',
    label: 'Locations to verify',
    help: 'Address and map position are missing, coarse or contradictory.',
    where: ofGroup('location'),
    filter: ['discrepancy_group', 'location'],
  },
  {
    key: 'values',
    label: 'Values to review',
    help: 'Values look too high, too low or do not add up.',
    where: ofGroup('values'),
    filter: ['discrepancy_group', 'values'],
  },
  {
    key: 'possible_duplicate',
    label: 'Possible duplicates',
    help: 'Two entries may be the same building.',
    where: ofCheck('DQ-09'),
    filter: ['discrepancy', CHECKS['DQ-09'].filter],
  },
  {
    key: 'valuation',
    label: 'Outdated valuations',
    help: 'No valuation within the last 36 months.',
    where: ofGroup('valuation'),
    filter: ['discrepancy_group', 'valuation'],
  },
]

/** What is wrong with an account's active properties: the score, properties by kind of open difference, open differences by check. */
export async function reconciliation(ctx: Context, accountId: string): Promise<Metric> {
  const [score, answers, checks] = await Promise.all([readScore(ctx, accountId), readAnswers(ctx, accountId), readChecks(ctx, accountId)])
  const total = checks.reduce((sum, { count }) => sum + count, 0)
  const isClean = total === 0
  const scored = score.score === null ? [] : [scoreStatistic(ctx, accountId, score.score)]
  const questions = isClean
    ? []
    : QUESTIONS.map((question, index) => statistic(ctx, accountId, question, answers[index] ?? NO_ANSWER, total))
  return {
    title: 'Reconciliation',
    empty: score.properties === 0 ? 'No properties exist on this account.' : 'Everything is reconciled.',
    total,
    counts: checks.map(({ check_id, count }) => ({
      id: check_id,
      name: isCheckId(check_id) ? checkById(check_id).name : check_id,
      count,
      action: checkAction(ctx, accountId, check_id),
    })),
    chart: { labels: [], datasets: [] },
    statistics: [...scored, ...questions],
    icon: { icon: isClean ? 'check' : 'alert', type: isClean ? 'good' : (answers[0]?.worst ?? 'info') },
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

interface Answer {
  count: number
  worst: Severity | null
}
const NO_ANSWER: Answer = { count: 0, worst: null }

/** One pass over the open differences: per property which questions it answers, then how many properties each. */
async function readAnswers(ctx: Context, accountId: string): Promise<Answer[]> {
  const rank = sql`array_position(${[...SEVERITIES]}::text[], d.severity)`
  const perProperty = QUESTIONS.map(({ where }, index) => sql`max(${rank}) FILTER (WHERE ${where}) AS ${sql.id(`q${index}`)}`)
  const overall = QUESTIONS.map((_question, index) => sql`jsonb_build_array(count(${sql.id(`q${index}`)}), max(${sql.id(`q${index}`)}))`)
  const { rows } = await sql<{ answers: [number, number | null][] }>`SELECT jsonb_build_array(${sql.join(overall)}) AS answers
    FROM (SELECT ${sql.join(perProperty)} FROM ${openOf(accountId)} GROUP BY d.property_id) per_property`.execute(ctx.db)
  return (rows[0]?.answers ?? []).map(([count, worst]) => ({ count, worst: worst === null ? null : (SEVERITIES[worst - 1] ?? null) }))
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

function scoreStatistic(ctx: Context, accountId: string, score: number): Statistic {
  return {
    key: 'score',
    label: 'Data quality score',
    count: score,
    display_count: `${score} (${gradeOf(score)})`,
    help: 'How complete, plausible, evidenced and current the property data is, weighted by value.',
    severity: score >= GOOD_FROM ? 'good' : score >= FAIR_FROM ? 'warning' : 'critical',
    action: propertiesAction(ctx, accountId, {}, { sort: 'quality_score', order: 'asc' }),
  }
}

function statistic(
  ctx: Context,
  accountId: string,
  { key, label, help, filter: [name, value] }: Question,
  { count, worst }: Answer,
  open: number,
): Statistic {
  const shown = formatNumber(count)
  return {
    key,
    label,
    count,
    display_count: key === 'discrepancies' ? `${shown} (${formatNumber(open)} open)` : shown,
    help,
    severity: worst ?? 'none',
    action: count === 0 ? null : propertiesAction(ctx, accountId, { [`filter__${name}`]: value }),
  }
}

const checkAction = (ctx: Context, accountId: string, check: string) =>
  can(ctx.viewer, 'view_account_properties')
    ? { model: 'discrepancies', filters: { filter__account_id: accountId, filter__check: check, filter__status: 'open' } }
    : null
