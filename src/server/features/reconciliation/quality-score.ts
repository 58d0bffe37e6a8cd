import {
  gradeOf,
  SCORE_GROUP_NAMES,
  type CheckId,
  type QualityScore,
  type ScoreGroup,
  type ScorePart,
  type ScorePoints,
  APPRAISAL_FROM_TIV,
  DOCUMENT_FROM_TIV,
  EVIDENCE_MONTHS,
  MISSING_VALUE_SHARE_MAX,
  RISK_CONTROL_FROM_TIV,
  SCORE_LOST_PER_CRITICAL,
  SCORE_LOST_PER_WARNING,
  SCORE_MAX_WITHOUT_VALUES,
} from '#contract/checks.ts'
import { formatDate, plural } from '#contract/format.ts'
import { isPlaceholder } from './check-address.ts'
import { isLand, isYearKnown, lacksValue } from './check-missing.ts'
import { labelOf, monthsBefore, tivOf, type CheckedProperty } from './check.ts'

/** What the score of a property depends on, in addition to its own fields. */
export interface ScoreFacts {
  /** Open discrepancies of PLAUSIBILITY_CHECKS. */
  critical: number
  warning: number
  /** The newest report dates (YYYY-MM-DD) of linked disclosed documents, and whether any other document is linked. */
  appraisal: string | null
  risk_control: string | null
  other: boolean
}

const part = (group: ScoreGroup, key: string, label: string, max: number, earned: number, reason: string): ScorePart => ({
  key,
  group,
  label,
  max,
  earned,
  lost: max - earned,
  reason: earned === max ? null : reason,
})

const isFilled = (value: string | number | null) => value !== null && value !== ''
const needsState = (country: string) => country === 'US' || country === 'CA'

/** 50 points for the core fields. A placeholder counts as missing; land without a building needs no characteristics. */
function completeness(property: CheckedProperty): ScorePart[] {
  const field = (name: Parameters<typeof labelOf>[0], max: number, filled: boolean) =>
    part('completeness', name, labelOf(name), max, filled ? max : 0, `${labelOf(name)} is missing`)
  const { property_type, sprinklered } = property
  const land = isLand(property)
  return [
    field('address', 2, !isPlaceholder(property.address)),
    field('city', 2, !isPlaceholder(property.city)),
    field('state', 2, isFilled(property.state) || !needsState(property.country)),
    field('postal_code', 2, !isPlaceholder(property.postal_code)),
    field('latitude', 5, property.latitude !== null && property.longitude !== null),
    field('construction_class', 5, isFilled(property.construction_class) || land),
    field('year_built', 3, isYearKnown(property.year_built) || land),
    field('stories', 3, isFilled(property.stories) || land),
    field('floor_area', 5, isFilled(property.floor_area) || land),
    field('property_type', 5, property_type !== 'unknown' && property_type !== 'other'),
    field('sprinklered', 4, sprinklered !== 'unknown' || land),
    field('building_value', 8, !lacksValue(property)),
    field('contents_value', 2, isFilled(property.contents_value)),
    field('bi_value', 2, isFilled(property.bi_value)),
  ]
}

const PLAUSIBILITY_MAX = 20
/** The checks that question whether a value is correct. */
export const PLAUSIBILITY_CHECKS: readonly CheckId[] = [
  ...(['DQ-01', 'DQ-02', 'DQ-08', 'DQ-09', 'DQ-10'] as const),
  ...(['DQ-11', 'DQ-13', 'DQ-14', 'DQ-16', 'DQ-17'] as const),
]

/** 20 points, less for every open discrepancy of these checks. */
function plausibility({ critical, warning }: ScoreFacts): ScorePart {
  const lost = Math.min(PLAUSIBILITY_MAX, critical * SCORE_LOST_PER_CRITICAL + warning * SCORE_LOST_PER_WARNING)
  const reason = [...(critical > 0 ? [`${critical} critical`] : []), ...(warning > 0 ? [plural(warning, 'warning')] : [])].join(' and ')
  return part('plausibility', 'plausibility', 'Plausible values', PLAUSIBILITY_MAX, PLAUSIBILITY_MAX - lost, `${reason} still open`)
}

/**
 * 15 points. A document is required only from an insured value on; below it, its points are earned without it. Without a value it is
 * not known whether the document is required.
 */
function evidenceParts({ tiv, lacksValue: isUnknown }: InsuredValue, facts: ScoreFacts, today: string): ScorePart[] {
  const since = monthsBefore(today, EVIDENCE_MONTHS)
  const isCurrent = (date: string | null) => date !== null && date >= since
  const earned = (points: number, fromTiv: number, has: boolean) => (has || (!isUnknown && tiv < fromTiv) ? points : 0)
  const appraisal = earned(6, APPRAISAL_FROM_TIV, isCurrent(facts.appraisal))
  const riskControl = earned(6, RISK_CONTROL_FROM_TIV, isCurrent(facts.risk_control))
  const documents = earned(3, DOCUMENT_FROM_TIV, facts.other)
  const because = isUnknown ? ', and without a value it is not known whether one is required' : ''
  const notLinked = (kind: string) => `No disclosed ${kind} of the last ${EVIDENCE_MONTHS} months is linked${because}`
  return [
    part('evidence', 'appraisal', 'Current appraisal', 6, appraisal, notLinked('appraisal')),
    part('evidence', 'risk_control', 'Current risk control report', 6, riskControl, notLinked('risk control report')),
    part('evidence', 'documents', 'Supporting document', 3, documents, `No other disclosed document is linked${because}`),
  ]
}

const CURRENCY_STEPS = [
  { months: 12, points: 15 },
  { months: 36, points: 10 },
  { months: 60, points: 5 },
] as const
const CURRENCY_MAX = 15

/** 15 points, fewer the older the values are; none for a value that is missing. */
function currency(property: CheckedProperty, today: string): ScorePart {
  const date = lacksValue(property) ? null : property.valuation_date
  const step = date === null ? undefined : CURRENCY_STEPS.find(({ months }) => date >= monthsBefore(today, months))
  const missing = lacksValue(property) ? 'A value is missing' : 'No valuation date'
  const reason = date === null ? missing : `The values are as of ${formatDate(date, 'UTC')}`
  return part('currency', 'valuation_date', 'Age of the values', CURRENCY_MAX, step?.points ?? 0, reason)
}

/** The data quality of one property, 0 to 100, with a reason for each lost point: docs/domain.md, "Quality score". */
export function scoreProperty(property: CheckedProperty, facts: ScoreFacts, today: string): QualityScore & { score: number } {
  const evidence = evidenceParts(insuredValue(property), facts, today)
  const parts = [...completeness(property), plausibility(facts), ...evidence, currency(property, today)]
  const score = parts.reduce((sum, { earned }) => sum + earned, 0)
  return { score, grade: gradeOf(score), parts }
}

interface InsuredValue {
  tiv: number
  /** Whether a value is missing. */
  lacksValue: boolean
}

const insuredValue = (property: CheckedProperty): InsuredValue => ({ tiv: tivOf(property), lacksValue: lacksValue(property) })

/** A property's points and its insured value. */
export interface ScoredProperty extends InsuredValue {
  points: ScorePoints
}

/** The points that the values of a property earn by themselves, so that a run need not keep the values until it has the facts. */
export const scoreValues = (property: CheckedProperty, today: string): ScoredProperty => ({
  ...insuredValue(property),
  points: pointsByGroup([...completeness(property), currency(property, today)]),
})

/** The points of `scoreProperty`: those of the values and those that depend on the facts. */
export function addFacts(values: ScoredProperty, facts: ScoreFacts, today: string): ScorePoints {
  const earned = pointsByGroup([plausibility(facts), ...evidenceParts(values, facts, today)])
  return pointsOf((group) => values.points[group] + earned[group])
}

/** The score of an account, and what it would be if no value were missing. */
export interface AccountScore {
  score: number
  uncapped: number
  /** The points of each part, which add up to `uncapped`. */
  points: ScorePoints
  /** Properties with a missing value. */
  withoutValue: number
}

/**
 * The mean of the properties' scores weighted by insured value; null without properties. A property with a missing value weighs as much
 * as the median of the others, so that it counts although it has no value; without any value all weigh the same. While a value is
 * missing on more than 5% of the properties, the score is at most the highest one of grade D.
 */
export function scoreAccount(properties: readonly ScoredProperty[]): AccountScore | null {
  if (properties.length === 0) return null
  const usual = median(properties.flatMap(({ tiv, lacksValue: lacks }) => (lacks ? [] : [tiv])))
  const weights = properties.map(({ tiv, lacksValue: lacks }) => (usual === undefined ? 1 : lacks ? Math.max(tiv, usual) : tiv))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = (group: ScoreGroup) => properties.reduce((sum, { points }, at) => sum + points[group] * ((weights[at] ?? 0) / total), 0)
  const means = pointsOf(mean)
  const uncapped = Math.round(sumOfPoints(means))
  const withoutValue = properties.filter(({ lacksValue: lacks }) => lacks).length
  const isCapped = withoutValue > MISSING_VALUE_SHARE_MAX * properties.length
  const score = isCapped ? Math.min(uncapped, SCORE_MAX_WITHOUT_VALUES) : uncapped
  return { score, uncapped, points: roundedTo(uncapped, means), withoutValue }
}

const pointsOf = (points: (group: ScoreGroup) => number): ScorePoints => ({
  completeness: points('completeness'),
  plausibility: points('plausibility'),
  evidence: points('evidence'),
  currency: points('currency'),
})

export const sumOfPoints = (points: ScorePoints): number => SCORE_GROUP_NAMES.reduce((sum, group) => sum + points[group], 0)

const pointsByGroup = (parts: readonly ScorePart[]): ScorePoints =>
  pointsOf((group) => parts.reduce((sum, part) => sum + (part.group === group ? part.earned : 0), 0))

/** Whole points that add up to the total: those with the largest remainders are rounded up. */
function roundedTo(total: number, means: ScorePoints): ScorePoints {
  const whole = pointsOf((group) => Math.floor(means[group]))
  const byRemainder = SCORE_GROUP_NAMES.toSorted((a, b) => means[b] - whole[b] - (means[a] - whole[a]))
  const up = new Set(byRemainder.slice(0, total - sumOfPoints(whole)))
  return pointsOf((group) => whole[group] + (up.has(group) ? 1 : 0))
}

/** The middle value, the mean of the middle two; undefined without values. */
function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}
