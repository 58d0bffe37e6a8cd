import { z } from 'zod'
import { codesOf, labeledByCode } from './code-lists.ts'

/** The checks of the reconciliation as data: docs/domain.md, "Checks". Contains only checks that a run performs. */

/** From the least to the most severe. */
export const SEVERITIES = ['info', 'warning', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]
export const SEVERITY_LABELS = labeledByCode(...SEVERITIES)

export const DISCREPANCY_STATUSES = labeledByCode('open', 'accepted', 'kept', 'waived', 'fixed', 'obsolete')
export const DISCREPANCY_STATUS_NAMES = codesOf(DISCREPANCY_STATUSES)

export const CHECK_GROUPS = {
  data_quality: 'Data quality',
  documents: 'Documents',
  sov: 'Statement of values',
  yoy: 'Year over year',
} as const
type CheckGroup = keyof typeof CHECK_GROUPS
export const CHECK_GROUP_NAMES = codesOf(CHECK_GROUPS)

/** The numbers of the rules; companies can change them. */
export const CHECK_DEFAULTS = {
  sprinklerFromTiv: 5_000_000,
  staleMonths: 36,
  staleCriticalMonths: 60,
  statedTotalTolerance: 0.01,
  placeholderCount: 5,
  placeholderShare: 0.2,
  underinsuredBelow: 0.8,
  concentrationAbove: 0.25,
  concentrationLocationsMin: 10,
  duplicatePossible: 50,
  duplicateLikely: 75,
  duplicateWithinMeters: 30,
  duplicateValueTolerance: 0.005,
  coarseGeocodeFrom: 5,
  outlierTolerance: 0.1,
  outlierCriticalBelowLow: 0.5,
  outlierCriticalAboveHigh: 2,
  frameStoriesMax: 6,
  combustibleBuiltFrom: 1800,
  lowRiseStoriesMax: 10,
  areaPerStoryMinSqft: 400,
  areaPerStoryHomeMinSqft: 250,
  contentsTimesBuildingMax: 10,
} as const
export type CheckNumber = keyof typeof CHECK_DEFAULTS

/** The severity of a discrepancy; some checks have more severe or less severe cases. */
export interface CheckSeverity {
  usual: Severity
  raised?: Severity
  lesser?: Severity
}
export type CheckLevel = keyof CheckSeverity

export interface Check {
  name: string
  group: CheckGroup
  /** Value of `filter__discrepancy` on the properties list. */
  filter: string
  severity: CheckSeverity
  /** The settings that the rule uses. */
  numbers: readonly CheckNumber[]
}

const dataQuality = <const F extends string>(name: string, filter: F, severity: CheckSeverity, numbers: readonly CheckNumber[] = []) =>
  ({ name, group: 'data_quality', filter, severity, numbers }) as const

const WARNING = { usual: 'warning' } as const
const CRITICAL = { usual: 'critical' } as const
const INFO = { usual: 'info' } as const
const WARNING_OR_CRITICAL = { usual: 'warning', raised: 'critical' } as const

export const CHECKS = {
  'DQ-01': dataQuality('Incomplete address', 'incomplete_address', WARNING_OR_CRITICAL),
  'DQ-02': dataQuality('State and ZIP disagree', 'state_zip_mismatch', CRITICAL),
  'DQ-03': dataQuality('No construction class', 'missing_construction', WARNING),
  'DQ-04': dataQuality('No year built', 'missing_year_built', WARNING),
  'DQ-05': dataQuality('No stories or floor area', 'missing_size', WARNING),
  'DQ-06': dataQuality('No occupancy', 'missing_occupancy', WARNING),
  'DQ-07': dataQuality('Sprinkler protection unknown', 'missing_sprinkler', { usual: 'info', raised: 'warning' }, ['sprinklerFromTiv']),
  'DQ-08': dataQuality('Location not exact', 'location_unverified', WARNING, ['coarseGeocodeFrom']),
  'DQ-09': dataQuality('Possible duplicate', 'possible_duplicate', WARNING_OR_CRITICAL, [
    'duplicatePossible',
    'duplicateLikely',
    'duplicateWithinMeters',
    'duplicateValueTolerance',
  ]),
  'DQ-10': dataQuality('No values', 'missing_values', CRITICAL),
  'DQ-11': dataQuality('Value per sq ft out of band', 'value_outlier', WARNING_OR_CRITICAL, [
    'outlierTolerance',
    'outlierCriticalBelowLow',
    'outlierCriticalAboveHigh',
  ]),
  'DQ-13': dataQuality('Implausible combination', 'implausible', WARNING, [
    'frameStoriesMax',
    'combustibleBuiltFrom',
    'lowRiseStoriesMax',
    'areaPerStoryMinSqft',
    'areaPerStoryHomeMinSqft',
    'contentsTimesBuildingMax',
  ]),
  'DQ-14': dataQuality('Stated total differs', 'tiv_mismatch', WARNING, ['statedTotalTolerance']),
  'DQ-15': dataQuality('Valuation too old', 'valuation_stale', { ...WARNING_OR_CRITICAL, lesser: 'info' }, [
    'staleMonths',
    'staleCriticalMonths',
  ]),
  'DQ-16': dataQuality('Placeholder repeated', 'placeholder', INFO, ['placeholderCount', 'placeholderShare']),
  'DQ-17': dataQuality('Underinsured', 'underinsured', WARNING_OR_CRITICAL, ['underinsuredBelow']),
  'DQ-18': dataQuality('Concentration', 'concentration', INFO, ['concentrationAbove', 'concentrationLocationsMin']),
} as const satisfies Record<string, Check>

export type CheckId = keyof typeof CHECKS
export const CHECK_IDS = codesOf(CHECKS)

export const isCheckId = (id: string): id is CheckId => Object.hasOwn(CHECKS, id)
export const checkOfFilter = (filter: string): CheckId | undefined => CHECK_IDS.find((id) => CHECKS[id].filter === filter)
/** A check under the common type, for code that treats all checks alike. */
export const checkById = (id: CheckId): Check => CHECKS[id]
/** The name of a check, or the number of one that no longer exists. */
export const checkName = (id: string): string => (isCheckId(id) ? CHECKS[id].name : id)

interface DiscrepancyGroup {
  label: string
  checks: readonly CheckId[]
  /** If given, only discrepancies on these fields count. A missing valuation basis, for example, does not make a valuation outdated. */
  fields?: readonly string[]
}

/** The groups of the reconciliation metric and values of `filter__discrepancy_group`. A check can be in several. */
export const DISCREPANCY_GROUPS = {
  incomplete: { label: 'Incomplete properties', checks: ['DQ-01', 'DQ-03', 'DQ-04', 'DQ-05', 'DQ-06', 'DQ-07', 'DQ-10'] },
  location: { label: 'Locations to verify', checks: ['DQ-02', 'DQ-08'] },
  values: { label: 'Values to review', checks: ['DQ-10', 'DQ-11', 'DQ-13', 'DQ-14', 'DQ-17'] },
  valuation: { label: 'Outdated valuations', checks: ['DQ-15'], fields: ['valuation_date'] },
} as const satisfies Record<string, DiscrepancyGroup>
export type DiscrepancyGroupName = keyof typeof DISCREPANCY_GROUPS
export const discrepancyGroup = (name: DiscrepancyGroupName): DiscrepancyGroup => DISCREPANCY_GROUPS[name]
export const isDiscrepancyGroup = (name: string): name is DiscrepancyGroupName => Object.hasOwn(DISCREPANCY_GROUPS, name)

/** Numbers of the score: docs/domain.md, "Quality score". */
export const SCORE_LOST_PER_CRITICAL = 10
export const SCORE_LOST_PER_WARNING = 4
export const APPRAISAL_FROM_TIV = 10_000_000
export const RISK_CONTROL_FROM_TIV = 25_000_000
export const DOCUMENT_FROM_TIV = 1_000_000
export const EVIDENCE_MONTHS = 36
export const MISSING_VALUE_SHARE_MAX = 0.05
/** The highest score of grade D. */
export const SCORE_MAX_WITHOUT_VALUES = 69
// A check is one sentence about the schedule if it hits more than this share of the active properties, and at least this many
export const WIDESPREAD_SHARE = 0.8
export const WIDESPREAD_COUNT_MIN = 5
/** Checks that are a sentence about the schedule on any number of properties: each value that they find is one fact about all of these. */
export const SCHEDULE_CHECKS: readonly CheckId[] = ['DQ-16']

const GRADES = [
  { grade: 'A', from: 90 },
  { grade: 'B', from: 80 },
  { grade: 'C', from: 70 },
  { grade: 'D', from: 60 },
  { grade: 'F', from: 0 },
] as const
export type Grade = (typeof GRADES)[number]['grade']
export const gradeOf = (score: number): Grade => GRADES.find(({ from }) => score >= from)?.grade ?? 'F'

/** The parts of the data quality score with their points. */
export const SCORE_GROUPS = {
  completeness: { label: 'Completeness', max: 50 },
  plausibility: { label: 'Plausibility', max: 20 },
  evidence: { label: 'Evidence', max: 15 },
  currency: { label: 'Age of values', max: 15 },
} as const
export const SCORE_GROUP_NAMES = codesOf(SCORE_GROUPS)
export type ScoreGroup = keyof typeof SCORE_GROUPS
export type ScorePoints = Record<ScoreGroup, number>

/** What a property can earn points for: points earned and lost, with the reason. */
export const ScorePart = z.object({
  key: z.string(),
  group: z.enum(SCORE_GROUP_NAMES),
  label: z.string(),
  max: z.number(),
  earned: z.number(),
  lost: z.number(),
  /** Null when nothing was lost. */
  reason: z.string().nullable(),
})
export type ScorePart = z.output<typeof ScorePart>
/** A divested property is not checked and has no score. */
export const QualityScore = z.object({
  score: z.number().nullable(),
  grade: z.enum(['A', 'B', 'C', 'D', 'F']).nullable(),
  parts: z.array(ScorePart),
})
export type QualityScore = z.output<typeof QualityScore>

/**
 * Whether the discrepancies of an account are those of its present values. `nothing_to_check`: it has no active properties. `never`: no
 * check has run or was requested. `waiting`: values changed and a check follows within seconds. `running`: it has checked `done` of `total` properties. `failed`: it failed repeatedly.
 */
const CHECK_STATES = ['nothing_to_check', 'never', 'waiting', 'running', 'current', 'failed'] as const
export const CheckState = z.object({
  state: z.enum(CHECK_STATES),
  /** When the last finished check read the register; the discrepancies are of this time. */
  as_of: z.string().nullable(),
  done: z.number().nullable(),
  total: z.number().nullable(),
})
export type CheckState = z.output<typeof CheckState>
