import { describe, expect, it } from 'vitest'
import { gradeOf } from '#contract/checks.ts'
import { soundProperty, TODAY } from './checked-property.fixture.ts'
import type { CheckedProperty } from './check.ts'
import { addFacts, PLAUSIBILITY_CHECKS, scoreAccount, scoreProperty, scoreValues, sumOfPoints, type ScoreFacts } from './quality-score.ts'

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
        max: 5,
        earned: 0,
        lost: 5,
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
  })
  it('gives no points for evidence and age of a value that is missing', () => {
    expect(lostBy({ building_value: null, tiv: 100 }, NO_EVIDENCE)).toEqual([
      'building_value 8',
      'appraisal 6',
      'risk_control 6',
      'documents 3',
      'valuation_date 15',
    ])
    expect(lostBy({ building_value: null, contents_value: 0, bi_value: 0, tiv: 0, interest: 'leased' }, NO_EVIDENCE)).toContain(
      'appraisal 6',
    )
  })
  it('counts a placeholder as missing', () => {
    expect(lostBy({ address: '1 Unknown St', year_built: 9999 })).toEqual(['address 2', 'year_built 3'])
  })
  it.each([
    [{}, FULL],
    [
      { tiv: 30_000_000, valuation_date: '2022-01-01' },
      { ...FULL, ...NO_EVIDENCE, critical: 1 },
    ],
    [
      { building_value: null, tiv: 100, year_built: null },
      { ...FULL, ...NO_EVIDENCE, warning: 2 },
    ],
  ])('is the same in a run, which adds the facts later: %o', (changes, facts) => {
    const property = soundProperty(changes)
    const points = addFacts(scoreValues(property, TODAY), facts, TODAY)
    expect(sumOfPoints(points)).toBe(scoreProperty(property, facts, TODAY).score)
  })
  it('is lowered by incomplete addresses and underinsurance', () => {
    expect(PLAUSIBILITY_CHECKS).toEqual(expect.arrayContaining(['DQ-01', 'DQ-17']))
  })
})

const of = (score: number) => ({ completeness: score / 2, plausibility: score / 5, evidence: (score * 3) / 20, currency: (score * 3) / 20 })
const valued = (value: number, tiv: number) => ({ points: of(value), tiv, lacksValue: false })
const unvalued = (value: number, tiv = 0) => ({ points: of(value), tiv, lacksValue: true })
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)

describe('the score of an account', () => {
  it('is weighted by insured value', () => {
    expect(scoreAccount([valued(90, 9_000_000), valued(40, 1_000_000)])).toMatchObject({ score: 85, uncapped: 85, withoutValue: 0 })
  })
  it('is the unweighted mean without any value, and null without properties', () => {
    expect(scoreAccount([unvalued(90), unvalued(40)])).toMatchObject({ uncapped: 65 })
    expect(scoreAccount([])).toBeNull()
  })
  it('weighs a property without a value as the median of the others', () => {
    expect(scoreAccount([valued(90, 1_000_000), valued(90, 3_000_000), unvalued(30)])).toMatchObject({ uncapped: 70 })
    expect(scoreAccount([valued(90, 1_000_000), valued(90, 2_000_000), valued(90, 9_000_000), unvalued(20, 50)])).toMatchObject({
      uncapped: 80,
    })
  })
  it('is an F for one perfect property and nine without values and characteristics', () => {
    const empty = soundProperty({
      ...({ building_value: null, contents_value: null, bi_value: null, tiv: 0, valuation_date: null } as const),
      ...({ construction_class: null, year_built: null, stories: null, floor_area: null, sprinklered: 'unknown' } as const),
      ...({ property_type: 'unknown', latitude: null, longitude: null } as const),
    })
    const worst = scoreProperty(empty, { ...NO_EVIDENCE, critical: 1, warning: 1 }, TODAY).score
    const account = scoreAccount([valued(100, 10_000_000), ...times(9, unvalued(worst))])
    expect(gradeOf(account?.score ?? 100)).toBe('F')
    expect(account?.score).toBeLessThan(30)
  })
  it('is at most the highest of grade D while a value is missing on more than 5% of the properties', () => {
    expect(scoreAccount([...times(19, valued(95, 1_000_000)), unvalued(95)])).toMatchObject({ score: 95, uncapped: 95, withoutValue: 1 })
    expect(scoreAccount([...times(18, valued(95, 1_000_000)), unvalued(95)])).toMatchObject({ score: 69, uncapped: 95, withoutValue: 1 })
    expect([69, 70].map(gradeOf)).toEqual(['D', 'C'])
    expect(scoreAccount(times(2, unvalued(20)))).toMatchObject({ score: 20 })
  })
  it('consists of parts with the same weights, which add up to the score without its limit', () => {
    const points = (completeness: number, plausibility: number, evidence: number, currency: number) => ({
      completeness,
      plausibility,
      evidence,
      currency,
    })
    const mixed = [
      { points: points(50, 20, 6, 15), tiv: 3_000_000, lacksValue: false },
      { points: points(35, 16, 15, 10), tiv: 1_000_000, lacksValue: false },
    ]
    // The means are 46.25, 19, 8.25 and 13.75: 87.25 without rounding.
    expect(scoreAccount(mixed)).toMatchObject({ uncapped: 87, points: points(46, 19, 8, 14) })
    // The means are 40.4, 10.4, 10.4 and 10.4: 71.6 without rounding.
    const shares = [2, 3].flatMap((count, index) =>
      times(count, { points: points(40 + 1 - index, 11 - index, 11 - index, 11 - index), tiv: 1, lacksValue: false }),
    )
    expect(scoreAccount(shares)).toMatchObject({ uncapped: 72, points: points(41, 11, 10, 10) })
    const limited = scoreAccount([...mixed, { points: points(29, 10, 0, 0), tiv: 0, lacksValue: true }])
    expect(limited?.score).toBe(69)
    expect(Object.values(limited?.points ?? {}).reduce((sum, one) => sum + one, 0)).toBe(limited?.uncapped)
  })
  it('has a grade from A to F', () => {
    expect([90, 89, 80, 70, 60, 59].map(gradeOf)).toEqual(['A', 'B', 'B', 'C', 'D', 'F'])
  })
})
