import { PROPERTY_TYPES, VALUATION_BASES } from '#contract/property-vocabularies.ts'
import { formatMoney, formatNumber, formatShare } from '#contract/format.ts'
import { monthsBefore, type CheckContext } from './check-context.ts'
import { tivOf, type CheckedProperty } from './checked-property.ts'
import { draft, side, type Draft } from './finding.ts'

const typeLabels: Readonly<Record<string, string>> = PROPERTY_TYPES
const basisLabels: Readonly<Record<string, string>> = VALUATION_BASES
const CENTS = 100
const SHARE_DIGITS = 10_000

const round = (value: number, steps: number) => Math.round(value * steps) / steps

/** Building value and area if both are known and the bands, which are in US dollars, apply. */
function valueAndArea({ building_value, floor_area, currency }: CheckedProperty): { value: number; area: number } | undefined {
  if (building_value === null || building_value === 0 || floor_area === null || floor_area === 0 || currency !== 'USD') return undefined
  return { value: building_value, area: floor_area }
}

/** DQ-11: catches values in thousands, wrong units and gross underinsurance. */
export function* valueOutOfBand(property: CheckedProperty, { rules }: CheckContext): Generator<Draft> {
  const known = valueAndArea(property)
  if (known === undefined) return
  const { value, area } = known
  const [low, high] = rules.valueBand(property.property_type)
  const perSqft = value / area
  if (perSqft >= low && perSqft <= high) return
  const nearest = perSqft < low ? low : high
  const isFarOff = perSqft < low * rules.numbers.outlierCriticalBelowLow || perSqft > high * rules.numbers.outlierCriticalAboveHigh
  const type = (typeLabels[property.property_type] ?? property.property_type).toLowerCase()
  yield draft(
    'building_value',
    value,
    `Building value of ${formatMoney(value)} for ${formatNumber(area)} sq ft is $${round(perSqft, CENTS)} per sq ft, ${perSqft < low ? 'below' : 'above'} the usual ${low} to ${high} for ${type}`,
    'Correct the value or the area, or waive it with an appraisal.',
    {
      level: isFarOff ? 'raised' : 'usual',
      right: side('value_band', `${low} to ${high} per sq ft`),
      delta: round(nearest - perSqft, CENTS),
      deltaPct: round((nearest - perSqft) / perSqft, SHARE_DIGITS),
      identity: `${property.id} ${value} ${area} ${low} ${high}`,
    },
  )
}

/** DQ-14. */
export function* statedTotalDiffers(property: CheckedProperty, { rules }: CheckContext): Generator<Draft> {
  const { stated_tiv: stated, currency } = property
  if (stated === null) return
  const tiv = tivOf(property)
  const delta = tiv - stated
  if (Math.abs(delta) <= Math.max(1, stated * rules.numbers.statedTotalTolerance)) return
  const problem = `TIV as given is ${formatMoney(stated, currency)}, the values add up to ${formatMoney(tiv, currency)}`
  yield draft('stated_tiv', stated, problem, 'Correct the values, or clear the stated total.', {
    right: side('sum_of_parts', tiv),
    delta,
    ...(stated !== 0 && { deltaPct: round(delta / stated, SHARE_DIGITS) }),
  })
}

/** DQ-15: how old the values are, and separately what kind of values they are. */
export function* staleValuation({ valuation_date, valuation_basis }: CheckedProperty, { rules, today }: CheckContext): Generator<Draft> {
  const { staleMonths, staleCriticalMonths } = rules.numbers
  if (valuation_date === null) {
    yield draft('valuation_date', null, 'The date of the values is missing', 'Enter the date of the valuation.')
  } else if (valuation_date < monthsBefore(today, staleMonths)) {
    const isOutdated = valuation_date < monthsBefore(today, staleCriticalMonths)
    const problem = `The values are as of ${valuation_date}, more than ${isOutdated ? staleCriticalMonths : staleMonths} months ago`
    const remedy = 'Get a new appraisal or trend the values, then enter the new date.'
    yield draft('valuation_date', valuation_date, problem, remedy, { level: isOutdated ? 'raised' : 'usual' })
  }
  if (valuation_basis !== 'rcv') {
    const basis = basisLabels[valuation_basis ?? 'unknown'] ?? 'Unknown'
    const problem = `Valuation basis is ${basis.toLowerCase()}, not replacement cost`
    yield draft('valuation_basis', valuation_basis, problem, 'Confirm the basis, or enter replacement cost values.', { level: 'lesser' })
  }
}

/** DQ-17: never more than a warning, because the low end of the band is only a rough replacement estimate. */
export function* underinsured(property: CheckedProperty, { rules }: CheckContext): Generator<Draft> {
  const known = valueAndArea(property)
  if (known === undefined) return
  const { value, area } = known
  const [low] = rules.valueBand(property.property_type)
  const estimate = Math.round(low * area)
  const insured = value / estimate
  if (insured >= rules.numbers.underinsuredBelow) return
  const problem = `Building value of ${formatMoney(value)} is ${formatShare(insured)} of a low rebuilding estimate of ${formatMoney(estimate)} ($${low} per sq ft)`
  yield draft('building_value', value, problem, 'Raise the value, or waive it with an appraisal.', {
    right: side('estimate', estimate),
    delta: estimate - value,
    deltaPct: round((estimate - value) / value, SHARE_DIGITS),
  })
}
