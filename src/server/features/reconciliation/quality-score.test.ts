import { describe, expect, it } from 'vitest'
import { gradeOf } from '#contract/checks.ts'
import { soundProperty, TODAY } from './checked-property.fixture.ts'
import type { CheckedProperty } from './check.ts'
import { scoreAccount, scoreProperty, type ScoreFacts } from './quality-score.ts'

const FULL: ScoreFacts = { critical: 0, warning: 0, appraisal: '2026-01-01', risk_control: '2026-01-01', other: true }
const NO_EVIDENCE = { appraisal: null, risk_control: null, other: false }
const score = (changes: Partial<CheckedProperty> = {}, facts: Partial<ScoreFacts> = {}) =>
  scoreProperty(soundProperty(changes), { ...FULL, ...facts }, TODAY)
const lostBy = (...input: Parameters<typeof score>) =>
  score(...input)
    .parts.filter(({ lost }) => lost > 0)
    .map(({ key, lost }) => `${key} ${lost}`)

describe('the data quality score', () => {
  it('is 100 for complete, plausible, evidenced and current data', () => {
    expect(score()).toMatchObject({ score: 100, grade: 'A' })
  })
  it('counts 50 for completeness, 20 for plausibility, 15 for evidence and 15 for currency', () => {
    const max = Object.groupBy(score().parts, ({ group }) => group)
    const sums = Object.entries(max).map(([group, parts]) => [group, parts?.reduce((sum, part) => sum + part.max, 0)])
    expect(Object.fromEntries(sums)).toEqual({ completeness: 50, plausibility: 20, evidence: 15, currency: 15 })
  })
  it('has a reason for each lost point', () => {
    const { parts } = score({ construction_class: null })
    expect(parts.filter(({ reason }) => reason !== null)).toEqual([
      {
        key: 'construction_class',
        group: 'completeness',
        label: 'Construction (ISO)',
        max: 7,
        earned: 0,
        lost: 7,
        reason: 'Construction (ISO) is missing',
      },
    ])
  })
  it('loses 10 points for an open critical and 4 for an open warning, at most all 20', () => {
    expect(lostBy({}, { critical: 1, warning: 1 })).toEqual(['plausibility 14'])
    expect(lostBy({}, { critical: 2, warning: 2 })).toEqual(['plausibility 20'])
  })
  it('requires documents only from an insured value on', () => {
    expect(lostBy({ tiv: 30_000_000 }, NO_EVIDENCE)).toEqual(['appraisal 6', 'risk_control 6', 'documents 3'])
    expect(lostBy({ tiv: 10_000_000 }, NO_EVIDENCE)).toEqual(['appraisal 6', 'documents 3'])
    expect(lostBy({ tiv: 999_999 }, NO_EVIDENCE)).toEqual([])
    expect(lostBy({ tiv: 30_000_000 }, { appraisal: '2023-11-20' })).toEqual(['appraisal 6'])
  })
  it.each([
    ['2025-11-21', 0],
    ['2025-11-20', 5],
    ['2023-11-20', 10],
    ['2021-11-20', 15],
  ])('loses for values as of %s %d points', (valuation_date, lost) => {
    expect(100 - score({ valuation_date }).score).toBe(lost)
  })
  it('does not require a building value of a tenant', () => {
    expect(lostBy({ building_value: null, interest: 'leased' })).toEqual([])
    expect(lostBy({ building_value: null })).toEqual(['building_value 4'])
  })
})

describe('the score of an account', () => {
  it('is weighted by insured value', () => {
    expect(
      scoreAccount([
        { score: 90, tiv: 9_000_000 },
        { score: 40, tiv: 1_000_000 },
      ]),
    ).toBe(85)
  })
  it('is the unweighted mean without any value, and null without properties', () => {
    expect(
      scoreAccount([
        { score: 90, tiv: 0 },
        { score: 40, tiv: 0 },
      ]),
    ).toBe(65)
    expect(scoreAccount([])).toBeNull()
  })
  it('has a grade from A to F', () => {
    expect([90, 89, 80, 70, 60, 59].map(gradeOf)).toEqual(['A', 'B', 'B', 'C', 'D', 'F'])
  })
})
