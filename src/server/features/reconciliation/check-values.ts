import { PROPERTY_TYPES, VALUATION_BASES } from '#contract/property-vocabularies.ts'
import type { CheckContext } from './check-rules.ts'
import { tivOf, type CheckedProperty } from './checked-property.ts'
import { formatMoney, formatPercent, formatNumber, type Draft, type Side } from './finding.ts'
import { monthsBefore } from './months.ts'

const typeLabels: Readonly<Record<string, string>> = PROPERTY_TYPES
const basisLabels: Readonly<Record<string, string>> = VALUATION_BASES
const CENTS = 100
const SHARE_DIGITS = 10_000

const round = (value: number, steps: number) => Math.round(value * steps) / steps

/** Building value and area when both are there and the bands, which are US dollars, apply. */
function valued({ building_value, floor_area, currency }: CheckedProperty): { building: number; area: number } | undefined {
  if (building_value === null || building_value === 0 || floor_area === null || floor_area === 0 || currency !== 'USD') return undefined
  return { building: building_value, area: floor_area }
}

const band = (value: string): Side => ({ source: 'value_band', value, as_of: null, ref: null })

/** DQ-11: catches thousands and unit mistakes and gross under-insurance. */
export function valueOutOfBand(property: CheckedProperty, { rules }: CheckContext): Draft[] {
  const sizes = valued(property)
  if (sizes === undefined) return []
  const [low, high] = rules.valueBand(property.property_type)
  const each = sizes.building / sizes.area
  if (each >= low && each <= high) return []
  const nearest = each < low ? low : high
  const raised = each < low * rules.numbers.outlierCriticalBelowLow || each > high * rules.numbers.outlierCriticalAboveHigh
  const kind = (typeLabels[property.property_type] ?? property.property_type).toLowerCase()
  return [
    {
      field: 'building_value',
      value: sizes.building,
      right: band(`${low} to ${high} per sq ft`),
      delta: round(nearest - each, CENTS),
      deltaPct: round((nearest - each) / each, SHARE_DIGITS),
      level: raised ? 'raised' : 'usual',
      problem: `Building value of ${formatMoney(sizes.building, 'USD')} for ${formatNumber(sizes.area)} sq ft is $${round(each, CENTS)} per sq ft, ${each < low ? 'below' : 'above'} the usual ${low} to ${high} for ${kind}`,
      remedy: 'Correct the value or the area, or waive it with an appraisal.',
      identity: `${property.id} ${sizes.building} ${sizes.area} ${low} ${high}`,
    },
  ]
}

/** DQ-14. */
export function statedTotalDiffers(property: CheckedProperty, { rules }: CheckContext): Draft[] {
  const { stated_tiv, currency } = property
  if (stated_tiv === null) return []
  const tiv = tivOf(property)
  const delta = tiv - stated_tiv
  if (Math.abs(delta) <= Math.max(1, stated_tiv * rules.numbers.statedTotalTolerance)) return []
  return [
    {
      field: 'stated_tiv',
      value: stated_tiv,
      right: { source: 'sum_of_parts', value: tiv, as_of: null, ref: null },
      delta,
      ...(stated_tiv !== 0 && { deltaPct: round(delta / stated_tiv, SHARE_DIGITS) }),
      level: 'usual',
      problem: `TIV as given is ${formatMoney(stated_tiv, currency)}, the values add up to ${formatMoney(tiv, currency)}`,
      remedy: 'Correct the values, or clear the stated total.',
    },
  ]
}

/** DQ-15: how old the values are, and separately what kind of values they are. */
export function staleValuation({ valuation_date, valuation_basis }: CheckedProperty, { rules, today }: CheckContext): Draft[] {
  const drafts: Draft[] = []
  const { staleMonths, staleCriticalMonths } = rules.numbers
  if (valuation_date === null) {
    drafts.push({
      field: 'valuation_date',
      value: null,
      level: 'usual',
      problem: 'Nobody said how old the values are',
      remedy: 'Enter the date of the valuation.',
    })
  } else if (valuation_date < monthsBefore(today, staleMonths)) {
    const raised = valuation_date < monthsBefore(today, staleCriticalMonths)
    const problem = `The values are as of ${valuation_date}, more than ${raised ? staleCriticalMonths : staleMonths} months ago`
    drafts.push({
      field: 'valuation_date',
      value: valuation_date,
      level: raised ? 'raised' : 'usual',
      problem,
      remedy: 'Get a new appraisal or trend the values, then enter the new date.',
    })
  }
  if (valuation_basis !== 'rcv') {
    const basis = basisLabels[valuation_basis ?? 'unknown'] ?? 'Unknown'
    drafts.push({
      field: 'valuation_basis',
      value: valuation_basis,
      level: 'lesser',
      problem: `Valuation basis is ${basis.toLowerCase()}, not replacement cost`,
      remedy: 'Confirm the basis, or enter replacement cost values.',
    })
  }
  return drafts
}

/** DQ-17: the low end of the band stands in for a replacement estimate, so it warns and never does more. */
export function underinsured(property: CheckedProperty, { rules }: CheckContext): Draft[] {
  const sizes = valued(property)
  if (sizes === undefined) return []
  const [low] = rules.valueBand(property.property_type)
  const estimate = Math.round(low * sizes.area)
  const insured = sizes.building / estimate
  if (insured >= rules.numbers.underinsuredBelow) return []
  return [
    {
      field: 'building_value',
      value: sizes.building,
      right: { source: 'estimate', value: estimate, as_of: null, ref: null },
      delta: estimate - sizes.building,
      deltaPct: round((estimate - sizes.building) / sizes.building, SHARE_DIGITS),
      level: 'usual',
      problem: `Building value of ${formatMoney(sizes.building, 'USD')} is ${formatPercent(insured)} of a low rebuilding estimate of ${formatMoney(estimate, 'USD')} ($${low} per sq ft)`,
      remedy: 'Raise the value, or waive it with an appraisal.',
    },
  ]
}
