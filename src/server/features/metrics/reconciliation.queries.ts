import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { SCHEDULE_CHECKS, SEVERITIES, type ScorePoints, type Severity } from '#contract/checks.ts'
import type { FieldCount } from '#contract/widespread.ts'
import { PAIR_CHECK, ofCheck, otherOfPair } from '#server/access/discrepancies.ts'
import type { Context } from '#server/engines/context.ts'

/**
 * The active property of a finding or of a group of findings. `OFFSET 0` has the database look it up by its id: without statistics of a
 * register that was just imported, it reads all properties of the account again for each finding.
 */
export const activeProperty = (
  accountId: string | RawBuilder<unknown>,
  id: RawBuilder<unknown>,
) => sql`CROSS JOIN LATERAL (SELECT x.tiv FROM account_properties x
  WHERE x.id = ${id} AND x.account_id = ${accountId} AND x.status = 'active' AND x.deleted_at IS NULL OFFSET 0) p`

/** The open findings, and possible duplicates also at the other property of the pair: those rows are `mirrored`, and no findings of their own. */
const openOfBoth = (accountId: string) => {
  const columns = sql`d.check_id, d.field, d.severity, d.widespread`
  const open = sql`FROM discrepancies d WHERE d.account_id = ${accountId} AND d.status = 'open'`
  return sql`(SELECT d.property_id, ${columns}, false AS mirrored ${open}
      UNION ALL SELECT ${otherOfPair()}, ${columns}, true ${open} AND ${ofCheck(PAIR_CHECK)}) d`
}
/** From the least to the most severe, from 1 on. */
const RANK = sql`array_position(${[...SEVERITIES]}::text[], d.severity)`
const CRITICAL_RANK = SEVERITIES.indexOf('critical') + 1

export interface Score {
  /** Active properties now. */
  active: number
  divested: number
  /** Whether the findings are those of the present values, and when the register was read for them. */
  is_current: boolean
  as_of: Date | null
  /** Of the amounts of the account; null if there are several. */
  currency: string | null
  /** Of the newest run: the score and what it would be without missing values, the points of which that consists, its properties and those without a value. */
  score: number | null
  uncapped: number | null
  points: ScorePoints | null
  properties: number | null
  without_value: number | null
  /** The rules of the company that the account belongs to. */
  settings: unknown
}

export async function readScore(ctx: Context, accountId: string): Promise<Score> {
  const { rows } =
    await sql<Score>`SELECT t.active_properties AS active, t.divested_properties AS divested, r.account_score AS score, r.uncapped_score AS uncapped, r.score_parts AS points,
      r.properties, r.without_value, coalesce(s.checked = s.requested AND s.checked_at IS NOT NULL, false) AS is_current, s.checked_at AS as_of,
      t.currency, c.check_settings AS settings
    FROM account_totals t JOIN accounts a ON a.id = t.account_id JOIN companies c ON c.id = a.company_id
    LEFT JOIN check_states s ON s.account_id = t.account_id
    LEFT JOIN LATERAL (SELECT * FROM reconciliation_runs r WHERE r.account_id = t.account_id AND r.finished_at IS NOT NULL
      ORDER BY r.started_at DESC LIMIT 1) r ON true
    WHERE t.account_id = ${accountId}`.execute(ctx.db)
  return (
    rows[0] ?? {
      active: 0,
      divested: 0,
      is_current: false,
      as_of: null,
      currency: 'USD',
      score: null,
      uncapped: null,
      points: null,
      properties: null,
      without_value: null,
      settings: {},
    }
  )
}

export interface KindCount {
  /** Properties. */
  count: number
  findings: number
  /** Properties with a critical finding of their own: those that the filter by severity opens. */
  critical: number
  worst: number | null
  tiv: number
}
export const NONE: KindCount = { count: 0, findings: 0, critical: 0, worst: null, tiv: 0 }
export const severityOf = ({ worst }: Pick<KindCount, 'worst'>): Severity | undefined =>
  worst === null ? undefined : SEVERITIES[worst - 1]

interface CountedKind {
  where: Expression<SqlBool>
  /** Whether a pair counts with both of its properties. */
  ofBoth?: boolean
}

/** Counts the properties of every kind in one pass over the open findings. */
export async function readKinds(ctx: Context, accountId: string, kinds: readonly CountedKind[]): Promise<KindCount[]> {
  const perProperty = kinds.flatMap(({ where, ofBoth }, index) => [
    sql`max(${RANK}) FILTER (WHERE ${where} ${ofBoth ? sql`` : sql`AND NOT d.mirrored`}) AS ${sql.id(`worst${index}`)}`,
    sql`count(*) FILTER (WHERE ${where} AND NOT d.mirrored) AS ${sql.id(`findings${index}`)}`,
    sql`max(${RANK}) FILTER (WHERE ${where} AND NOT d.mirrored) AS ${sql.id(`own${index}`)}`,
  ])
  const overall = kinds.map((_kind, index) => {
    const worst = sql.id(`worst${index}`)
    return sql`jsonb_build_object('count', count(${worst}), 'findings', coalesce(sum(${sql.id(`findings${index}`)}), 0), 'worst', max(${worst}),
      'critical', count(*) FILTER (WHERE ${sql.id(`own${index}`)} = ${CRITICAL_RANK}), 'tiv', coalesce(sum(tiv) FILTER (WHERE ${worst} IS NOT NULL), 0))`
  })
  const { rows } = await sql<{ kinds: KindCount[] }>`SELECT jsonb_build_array(${sql.join(overall)}) AS kinds
    FROM (SELECT d.property_id, ${sql.join(perProperty)} FROM ${openOfBoth(accountId)} GROUP BY d.property_id) per_property
    ${activeProperty(accountId, sql`per_property.property_id`)}`.execute(ctx.db)
  return rows[0]?.kinds ?? []
}

export interface CheckCount extends KindCount {
  check_id: string
  /** Whether the findings are one sentence about the schedule, as of the last run. */
  widespread: boolean
}

export async function readChecks(ctx: Context, accountId: string): Promise<CheckCount[]> {
  const { rows } = await sql<CheckCount>`SELECT check_id, count(*)::int AS count, sum(findings)::int AS findings, max(worst) AS worst,
      (count(*) FILTER (WHERE own = ${CRITICAL_RANK}))::int AS critical, coalesce(sum(tiv), 0)::bigint AS tiv, bool_or(widespread) AS widespread
    FROM (SELECT d.check_id, d.property_id, count(*) FILTER (WHERE NOT d.mirrored) AS findings, max(${RANK}) AS worst,
        max(${RANK}) FILTER (WHERE NOT d.mirrored) AS own, bool_or(d.widespread) AS widespread
      FROM ${openOfBoth(accountId)} GROUP BY d.check_id, d.property_id) per_property
    ${activeProperty(accountId, sql`per_property.property_id`)}
    GROUP BY check_id ORDER BY check_id`.execute(ctx.db)
  return rows
}

export interface CheckField extends Omit<FieldCount, 'fact'> {
  check_id: string
  /** Of a check in SCHEDULE_CHECKS: the value that all of these properties have. */
  value: string | number | null
}

/** The fields that the findings of these checks are about, and the values that are repeated, each with its properties. */
export async function readFields(ctx: Context, accountId: string, checks: readonly CheckCount[]): Promise<CheckField[]> {
  if (checks.length === 0) return []
  const { rows } = await sql<CheckField>`SELECT d.check_id, d.field, d.left_value->>'value' IS NULL AS empty,
      CASE WHEN d.check_id = ANY(${SCHEDULE_CHECKS}::text[]) THEN d.left_value->'value' END AS value, count(DISTINCT d.property_id)::int AS count
    FROM discrepancies d ${activeProperty(accountId, sql`d.property_id`)}
    WHERE d.account_id = ${accountId} AND d.status = 'open' AND d.check_id = ANY(${checks.map(({ check_id }) => check_id)}::text[])
    GROUP BY 1, 2, 3, 4`.execute(ctx.db)
  return rows
}
