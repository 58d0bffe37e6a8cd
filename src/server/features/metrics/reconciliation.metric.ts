import { isPropertyField } from '#contract/account-properties.ts'
import { CheckSettings } from '#contract/check-settings.ts'
import { CHECKS, CHECK_IDS, SCORE_GROUPS, SCORE_GROUP_NAMES, checkById, gradeOf, isCheckId } from '#contract/checks.ts'
import { formatNumber, plural } from '#contract/format.ts'
import type { Metric, Statistic } from '#contract/metrics.ts'
import { propertyField } from '#contract/property-fields.ts'
import { formatPropertyValue } from '#contract/property-format.ts'
import { scheduleSentence, type FieldCount } from '#contract/widespread.ts'
import { can } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { sumOf } from './chart.ts'
import { listAction } from './list-action.ts'
import { propertiesAction } from './properties.metric.ts'
import { DISCREPANCIES, kindsOf, type Kind } from './reconciliation-kinds.ts'
import {
  NONE,
  readChecks,
  readFields,
  readKinds,
  readScore,
  severityOf,
  type CheckCount,
  type CheckField,
  type KindCount,
  type Score,
} from './reconciliation.queries.ts'

/**
 * The quality of an account's active properties: the score, properties by kind of open finding, and properties by check. A check that
 * hits most properties is one sentence about the schedule, and its findings count in no kind except critical ones.
 */
export async function reconciliation(ctx: Context, accountId: string): Promise<Metric> {
  const [score, checks] = await Promise.all([readScore(ctx, accountId), readChecks(ctx, accountId)])
  const widespread = checks.filter((check) => check.widespread)
  const kinds = kindsOf(new Set(widespread.map(({ check_id }) => check_id)))
  const [counted, fields] = await Promise.all([readKinds(ctx, accountId, kinds), readFields(ctx, accountId, widespread)])
  const total = sumOf(checks, ({ findings }) => findings)
  const isClean = total === 0
  const scoreStatistics =
    score.score === null || score.active === 0 ? [] : [scoreStatistic(ctx, accountId, { ...score, score: score.score })]
  const statistics = kinds.map((kind, index) => kindStatistic(ctx, accountId, kind, counted[index] ?? NONE))
  return {
    title: 'Reconciliation',
    empty: isClean ? emptyText(score) : '',
    total,
    counts: checks.map((check) => checkCount(ctx, accountId, check, fields, score)),
    chart: { labels: [], datasets: [] },
    statistics: [...scoreStatistics, ...(isClean ? [] : statistics)],
    icon: {
      icon: isClean && score.is_current ? 'check' : 'alert',
      type: !isClean
        ? (severityOf({ worst: Math.max(...checks.map(({ worst }) => worst ?? 1)) }) ?? 'info')
        : score.is_current
          ? 'good'
          : 'info',
    },
    as_of: score.as_of?.toISOString() ?? null,
    is_current: score.is_current,
    currency: score.currency,
    turned_off: turnedOff(score.settings),
  }
}

/** The names of the checks that the company has turned off: without them, no findings say less. */
function turnedOff(settings: unknown): string[] {
  const { checks = {} } = CheckSettings.parse(settings)
  return CHECK_IDS.flatMap((id) => (checks[id]?.enabled === false ? [CHECKS[id].name] : []))
}

/** What no findings mean: they are a verdict only if they are of the present values. */
function emptyText({ active, divested, is_current, as_of }: Score): string {
  if (active === 0 && divested > 0) return 'All properties of this account are divested. Divested properties are not checked.'
  if (active === 0) return 'No properties exist on this account.'
  if (is_current) return 'Everything is reconciled.'
  return as_of === null ? 'The properties have not been checked yet.' : 'The properties have changed since the last check.'
}

/** Hidden from viewers who cannot open the register, like its total; null if no value is known, too. */
const valueAtStake = ({ viewer }: Context, tiv: number): number | null => (can(viewer, 'view_account_properties') ? tiv || null : null)

function kindStatistic(ctx: Context, accountId: string, { key, label, help, filter: [name, value] }: Kind, counted: KindCount): Statistic {
  const { count, findings, critical, tiv } = counted
  const inBrackets =
    key === DISCREPANCIES.key
      ? ` (${formatNumber(findings)} open)`
      : findings > count
        ? ` (${plural(findings, 'discrepancy', 'discrepancies')})`
        : ''
  const action = count === 0 ? null : propertiesAction(ctx, accountId, { [`filter__${name}`]: value })
  const display_count = `${formatNumber(count)}${inBrackets}`
  const severity = severityOf(counted) ?? 'none'
  return { key, label, help, count, display_count, severity, action, findings, critical, value_at_stake: valueAtStake(ctx, tiv) }
}

function checkCount(
  ctx: Context,
  accountId: string,
  check: CheckCount,
  fields: readonly CheckField[],
  { active, properties: checked, currency }: Score,
): Metric['counts'][number] {
  const { check_id: id, count, findings, critical, tiv } = check
  const properties = checked ?? active
  const opensList = can(ctx.viewer, 'view_account_properties')
  const ofActive = { filter__account_id: accountId, filter__check: id, filter__status: 'open', filter__property_status: 'active' }
  const known = isCheckId(id) ? id : undefined
  const isSentence = known !== undefined && check.widespread
  return {
    id,
    name: known === undefined ? id : checkById(known).name,
    count,
    findings,
    critical,
    severity: severityOf(check) ?? 'none',
    share: properties === 0 ? 0 : Math.min(1, count / properties),
    value_at_stake: valueAtStake(ctx, tiv),
    sentence: isSentence
      ? scheduleSentence(
          known,
          count,
          fields.flatMap((field) => (field.check_id === id ? [withFact(field, currency)] : [])),
          properties,
          properties === active,
        )
      : null,
    action: known === undefined ? null : propertiesAction(ctx, accountId, { filter__discrepancy: checkById(known).filter }),
    findings_action: opensList ? listAction('discrepancies', ofActive) : null,
  }
}

/** With what its properties share, if the check is about a value that is repeated. */
function withFact({ value, ...count }: CheckField, currency: string | null): FieldCount {
  const { field } = count
  if (value === null || field === null || !isPropertyField(field)) return count
  return { ...count, fact: `${propertyField(field).label} is ${formatPropertyValue(field, value, currency ?? undefined)}` }
}

const GOOD_FROM = 80

/** Never critical, which is only said of findings. */
function scoreStatistic(
  ctx: Context,
  accountId: string,
  { score, uncapped, points, properties, without_value }: Score & { score: number },
): Statistic {
  const isCapped = uncapped !== null && uncapped > score && properties !== null && without_value !== null
  return {
    key: 'score',
    label: 'Data quality score',
    count: score,
    display_count: `${score} (${gradeOf(score)})`,
    help: 'How complete, plausible, evidenced and current the property data is, weighted by value.',
    severity: score >= GOOD_FROM ? 'good' : 'warning',
    action: propertiesAction(ctx, accountId, {}, { sort: 'quality_score', order: 'asc' }),
    note: isCapped
      ? `Limited to ${score} (${gradeOf(score)}) because a value is missing on ${formatNumber(without_value)} of ${plural(properties, 'property', 'properties')}. Without this limit the score is ${uncapped}.`
      : null,
    ...(points === null ? {} : { parts: SCORE_GROUP_NAMES.map((key) => ({ key, ...SCORE_GROUPS[key], points: points[key] })) }),
  }
}
