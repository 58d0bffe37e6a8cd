import { choiceLabel, type PropertyFieldName } from '#contract/property-fields.ts'
import { formatMoney, formatNumber, formatShare } from '#contract/format.ts'
import { draft, labelOf, monthsBefore, propertyTitle, side, tivOf, type CheckContext, type CheckedProperty, type Draft } from './check.ts'

const CENTS = 100
const SHARE_DIGITS = 10_000

const round = (value: number, steps: number) => Math.round(value * steps) / steps

/** Building value and area if both are known and the bands, which are in US dollars, apply. */
function valueAndArea({ building_value, floor_area, currency }: CheckedProperty): { value: number; area: number } | undefined {
  if (building_value === null || building_value === 0 || floor_area === null || floor_area === 0 || currency !== 'USD') return undefined
  return { value: building_value, area: floor_area }
}

/** DQ-11: catches values in thousands, wrong units and gross underinsurance. */
export function* valueOutOfBand(property: CheckedProperty, { numbers, valueBand }: CheckContext): Generator<Draft> {
  const known = valueAndArea(property)
  if (known === undefined) return
  const { value, area } = known
  const [low, high] = valueBand(property.property_type)
  const perSqft = value / area
  if (perSqft >= low && perSqft <= high) return
  const nearest = perSqft < low ? low : high
  const isFarOff = perSqft < low * numbers.outlierCriticalBelowLow || perSqft > high * numbers.outlierCriticalAboveHigh
  const type = choiceLabel('property_type', property.property_type).toLowerCase()
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
export function* statedTotalDiffers(property: CheckedProperty, { numbers }: CheckContext): Generator<Draft> {
  const { stated_tiv: stated, currency } = property
  if (stated === null) return
  const tiv = tivOf(property)
  const delta = tiv - stated
  if (Math.abs(delta) <= Math.max(1, stated * numbers.statedTotalTolerance)) return
  const problem = `TIV as given is ${formatMoney(stated, currency)}, the values add up to ${formatMoney(tiv, currency)}`
  yield draft('stated_tiv', stated, problem, 'Correct the values, or clear the stated total.', {
    right: side('sum_of_parts', tiv),
    delta,
    ...(stated !== 0 && { deltaPct: round(delta / stated, SHARE_DIGITS) }),
  })
}

/** DQ-15: how old the values are, and separately what kind of values they are. */
export function* staleValuation({ valuation_date, valuation_basis }: CheckedProperty, { numbers, today }: CheckContext): Generator<Draft> {
  const { staleMonths, staleCriticalMonths } = numbers
  if (valuation_date === null) {
    yield draft('valuation_date', null, 'The date of the values is missing', 'Enter the date of the valuation.')
  } else if (valuation_date < monthsBefore(today, staleMonths)) {
    const isOutdated = valuation_date < monthsBefore(today, staleCriticalMonths)
    const problem = `The values are as of ${valuation_date}, more than ${isOutdated ? staleCriticalMonths : staleMonths} months ago`
    const remedy = 'Get a new appraisal or trend the values, then enter the new date.'
    yield draft('valuation_date', valuation_date, problem, remedy, { level: isOutdated ? 'raised' : 'usual' })
  }
  if (valuation_basis !== 'rcv') {
    const basis = choiceLabel('valuation_basis', valuation_basis ?? 'unknown').toLowerCase()
    const problem = `Valuation basis is ${basis}, not replacement cost`
    yield draft('valuation_basis', valuation_basis, problem, 'Confirm the basis, or enter replacement cost values.', { level: 'lesser' })
  }
}

/** DQ-17: never more than a warning, because the low end of the band is only a rough replacement estimate. */
export function* underinsured(property: CheckedProperty, { numbers, valueBand }: CheckContext): Generator<Draft> {
  const known = valueAndArea(property)
  if (known === undefined) return
  const { value, area } = known
  const [low] = valueBand(property.property_type)
  const estimate = Math.round(low * area)
  const insured = value / estimate
  if (insured >= numbers.underinsuredBelow) return
  const problem = `Building value of ${formatMoney(value)} is ${formatShare(insured)} of a low rebuilding estimate of ${formatMoney(estimate)} ($${low} per sq ft)`
  yield draft('building_value', value, problem, 'Raise the value, or waive it with an appraisal.', {
    right: side('estimate', estimate),
    delta: estimate - value,
    deltaPct: round((estimate - value) / value, SHARE_DIGITS),
  })
}

interface PropertyDraft {
  property: CheckedProperty
  draft: Draft
}

const REPEATABLE = ['year_built', 'stories', 'floor_area', 'building_value'] as const satisfies readonly PropertyFieldName[]

/** DQ-16: the same value on many properties is more likely a placeholder than correct. */
export function* repeatedPlaceholders(properties: readonly CheckedProperty[], { numbers }: CheckContext): Generator<PropertyDraft> {
  const { placeholderCount, placeholderShare } = numbers
  const atLeast = Math.max(placeholderCount, placeholderShare * properties.length)
  for (const field of REPEATABLE) {
    const groups = Map.groupBy(properties, (property) => property[field])
    for (const property of properties) {
      const value = property[field]
      const count = groups.get(value)?.length ?? 0
      if (value === null || value === 0 || count < atLeast) continue
      const text =
        field === 'building_value' ? formatMoney(value, property.currency) : field === 'year_built' ? String(value) : formatNumber(value)
      const problem = `${labelOf(field)} is ${text} on ${formatNumber(count)} of ${formatNumber(properties.length)} properties (${formatShare(count / properties.length)})`
      yield { property, draft: draft(field, value, problem, 'Confirm that it is no placeholder, or enter the real value.') }
    }
  }
}

/** DQ-18: one finding per address, on its most valuable entry. A single property is the whole account, not a concentration. */
export function* concentrations(properties: readonly CheckedProperty[], { numbers }: CheckContext): Generator<PropertyDraft> {
  const total = properties.reduce((sum, property) => sum + tivOf(property), 0)
  if (total === 0 || properties.length < 2) return
  for (const [address, here] of Map.groupBy(properties, ({ address_key }) => address_key)) {
    if (address === null || address === '') continue
    const tiv = here.reduce((sum, property) => sum + tivOf(property), 0)
    if (tiv <= numbers.concentrationAbove * total) continue
    const property = here.reduce((most, one) => (tivOf(one) > tivOf(most) ? one : most))
    const subject =
      here.length === 1 ? `${propertyTitle(property)} holds` : `${formatNumber(here.length)} entries at ${property.address} hold`
    const problem = `${subject} ${formatShare(tiv / total)} of the account's total insured value (${formatMoney(tiv, property.currency)})`
    const identity = `${property.account_id} ${address}`
    yield { property, draft: draft(null, tiv, problem, 'Confirm that the concentration is known.', { identity }) }
  }
}
