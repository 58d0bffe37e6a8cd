import { gradeOf, type CheckId, type QualityScore, type ScorePart } from '#contract/checks.ts'
import {
  APPRAISAL_FROM_TIV,
  DOCUMENT_FROM_TIV,
  EVIDENCE_MONTHS,
  RISK_CONTROL_FROM_TIV,
  SCORE_LOST_PER_CRITICAL,
  SCORE_LOST_PER_WARNING,
} from '#contract/limits.ts'
import { plural } from '#contract/format.ts'
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

type Group = ScorePart['group']

const part = (group: Group, key: string, label: string, max: number, earned: number, reason: string): ScorePart => ({
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

/** 50 points for the core fields. */
function completeness(property: CheckedProperty): ScorePart[] {
  const field = (name: Parameters<typeof labelOf>[0], max: number, filled: boolean) =>
    part('completeness', name, labelOf(name), max, filled ? max : 0, `${labelOf(name)} is missing`)
  const { interest, property_type, sprinklered } = property
  return [
    field('address', 4, isFilled(property.address)),
    field('city', 2, isFilled(property.city)),
    field('state', 2, isFilled(property.state) || !needsState(property.country)),
    field('postal_code', 2, isFilled(property.postal_code)),
    field('latitude', 5, property.latitude !== null && property.longitude !== null),
    field('construction_class', 7, isFilled(property.construction_class)),
    field('year_built', 5, isFilled(property.year_built)),
    field('stories', 3, isFilled(property.stories)),
    field('floor_area', 5, isFilled(property.floor_area)),
    field('property_type', 5, property_type !== 'unknown' && property_type !== 'other'),
    field('sprinklered', 4, sprinklered !== 'unknown'),
    field('building_value', 4, isFilled(property.building_value) || interest === 'leased'),
    field('contents_value', 1, isFilled(property.contents_value)),
    field('bi_value', 1, isFilled(property.bi_value)),
  ]
}

const PLAUSIBILITY_MAX = 20
/** The checks that question whether a value is correct. */
export const PLAUSIBILITY_CHECKS: readonly CheckId[] = ['DQ-02', 'DQ-08', 'DQ-09', 'DQ-10', 'DQ-11', 'DQ-12', 'DQ-13', 'DQ-14', 'DQ-16']

/** 20 points, less for every open discrepancy of these checks. */
function plausibility({ critical, warning }: ScoreFacts): ScorePart {
  const lost = Math.min(PLAUSIBILITY_MAX, critical * SCORE_LOST_PER_CRITICAL + warning * SCORE_LOST_PER_WARNING)
  const reason = [...(critical > 0 ? [`${critical} critical`] : []), ...(warning > 0 ? [plural(warning, 'warning')] : [])].join(' and ')
  return part('plausibility', 'plausibility', 'Plausible values', PLAUSIBILITY_MAX, PLAUSIBILITY_MAX - lost, `${reason} still open`)
}

/** 15 points. A document is required only from an insured value on; below it, its points are earned without it. */
function evidenceParts(property: CheckedProperty, facts: ScoreFacts, today: string): ScorePart[] {
  const since = monthsBefore(today, EVIDENCE_MONTHS)
  const isCurrent = (date: string | null) => date !== null && date >= since
  const tiv = tivOf(property)
  const earned = (points: number, fromTiv: number, has: boolean) => (has || tiv < fromTiv ? points : 0)
  const appraisal = earned(6, APPRAISAL_FROM_TIV, isCurrent(facts.appraisal))
  const riskControl = earned(6, RISK_CONTROL_FROM_TIV, isCurrent(facts.risk_control))
  const documents = earned(3, DOCUMENT_FROM_TIV, facts.other)
  const notLinked = (kind: string) => `No ${kind} of the last ${EVIDENCE_MONTHS} months is linked`
  return [
    part('evidence', 'appraisal', 'Current appraisal', 6, appraisal, notLinked('appraisal')),
    part('evidence', 'risk_control', 'Current risk control report', 6, riskControl, notLinked('risk control report')),
    part('evidence', 'documents', 'Supporting document', 3, documents, 'No other document is linked'),
  ]
}

const CURRENCY_STEPS = [
  { months: 12, points: 15 },
  { months: 36, points: 10 },
  { months: 60, points: 5 },
] as const
const CURRENCY_MAX = 15

/** 15 points, fewer the older the values are. */
function currency({ valuation_date }: CheckedProperty, today: string): ScorePart {
  const step = valuation_date === null ? undefined : CURRENCY_STEPS.find(({ months }) => valuation_date >= monthsBefore(today, months))
  const reason = valuation_date === null ? 'The date of the values is missing' : `The values are as of ${valuation_date}`
  return part('currency', 'valuation_date', 'Age of the values', CURRENCY_MAX, step?.points ?? 0, reason)
}

/** The data quality of one property, 0 to 100, with a reason for each lost point: docs/domain.md, "Quality score". */
export function scoreProperty(property: CheckedProperty, facts: ScoreFacts, today: string): QualityScore {
  const parts = [...completeness(property), plausibility(facts), ...evidenceParts(property, facts, today), currency(property, today)]
  const score = parts.reduce((sum, { earned }) => sum + earned, 0)
  return { score, grade: gradeOf(score), parts }
}

/** The mean of the properties' scores weighted by insured value; unweighted if there is no value, null without properties. */
export function scoreAccount(scores: readonly { score: number; tiv: number }[]): number | null {
  if (scores.length === 0) return null
  const total = scores.reduce((sum, { tiv }) => sum + tiv, 0)
  const weighted =
    total === 0
      ? scores.reduce((sum, { score }) => sum + score, 0) / scores.length
      : scores.reduce((sum, { score, tiv }) => sum + score * tiv, 0) / total
  return Math.round(weighted)
}
