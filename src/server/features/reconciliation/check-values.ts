import { choiceLabel, type PropertyFieldName } from '#contract/property-fields.ts'
import { propertyTitle } from '#contract/property-format.ts'
import { formatDate, formatDecimal, formatExact, formatMoney, formatNumber, formatShare } from '#contract/format.ts'
import { lacksValue } from './check-missing.ts'
import {
  draft,
  labelOf,
  monthsBefore,
  side,
  tivOf,
  type CheckContext,
  type CheckedProperty,
  type ComparedProperty,
  type Draft,
  type PropertyDraft,
} from './check.ts'

const CENTS = 100
const SHARE_DIGITS = 10_000

const round = (value: number, steps: number) => Math.round(value * steps) / steps

/** Building value and area if both are known and the bands, which are in US dollars, apply. */
function valueAndArea({ building_value, floor_area, currency }: CheckedProperty): { value: number; area: number } | undefined {
  if (building_value === null || building_value === 0 || floor_area === null || floor_area === 0 || currency !== 'USD') return undefined
  return { value: building_value, area: floor_area }
}

/**
 * Whether the value per square foot of a building says anything: a tenant insures only a part of the building, and the value of
 * infrastructure does not depend on an area. A value that DQ-17 compares with an appraisal is not compared with the band, too.
 */
const isComparable = (property: CheckedProperty): boolean =>
  property.interest !== 'leased' && property.property_type !== 'utility' && appraisedValue(property) === undefined

/** DQ-11: catches values in thousands, wrong units and gross underinsurance. */
export function* valueOutOfBand(property: CheckedProperty, { numbers, valueBand }: CheckContext): Generator<Draft> {
  const known = valueAndArea(property)
  if (known === undefined || !isComparable(property)) return
  const { value, area } = known
  const [low, high] = valueBand(property.property_type)
  const perSqft = value / area
  if (perSqft >= low * (1 - numbers.outlierTolerance) && perSqft <= high * (1 + numbers.outlierTolerance)) return
  const nearest = perSqft < low ? low : high
  const isFarOff = perSqft < low * numbers.outlierCriticalBelowLow || perSqft > high * numbers.outlierCriticalAboveHigh
  const type = choiceLabel('property_type', property.property_type).toLowerCase()
  yield draft(
    'building_value',
    value,
    `Building value of ${formatMoney(value)} for ${formatExact(area)} sq ft is $${formatDecimal(perSqft)} per sq ft, ${perSqft < low ? 'below' : 'above'} the usual ${formatNumber(low)} to ${formatNumber(high)} for ${type}`,
    'Correct the value or the area, or add an appraisal that shows it.',
    {
      level: isFarOff ? 'raised' : 'usual',
      right: side('value_band', `${low} to ${high} per sq ft`),
      delta: round(nearest - perSqft, CENTS),
      deltaPct: round((nearest - perSqft) / perSqft, SHARE_DIGITS),
      identity: `${property.id} ${value} ${area} ${low} ${high}`,
    },
  )
}

/** DQ-14. A total cannot be compared while DQ-10 reports that a value is missing. */
export function* statedTotalDiffers(property: CheckedProperty, { numbers }: CheckContext): Generator<Draft> {
  const { stated_tiv: stated, currency } = property
  if (stated === null || lacksValue(property)) return
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

/** DQ-15: one finding, about the age of the values if they have no date or are too old, otherwise about their basis. */
export function* staleValuation({ valuation_date, valuation_basis }: CheckedProperty, { numbers, today }: CheckContext): Generator<Draft> {
  const { staleMonths, staleCriticalMonths } = numbers
  const basis = choiceLabel('valuation_basis', valuation_basis ?? 'unknown').toLowerCase()
  if (valuation_date === null) {
    yield draft('valuation_date', null, 'No valuation date', 'Enter the date of the valuation.')
  } else if (valuation_date < monthsBefore(today, staleMonths)) {
    const isOutdated = valuation_date < monthsBefore(today, staleCriticalMonths)
    const problem = `The values are as of ${formatDate(valuation_date, 'UTC')}, more than ${isOutdated ? staleCriticalMonths : staleMonths} months ago`
    const remedy = 'Get a new appraisal or trend the values, then enter the new date.'
    yield draft('valuation_date', valuation_date, problem, remedy, { level: isOutdated ? 'raised' : 'usual' })
  } else if (valuation_basis !== 'rcv') {
    const problem = `Valuation basis is ${basis}, not replacement cost`
    yield draft('valuation_basis', valuation_basis, problem, 'Confirm the basis, or enter replacement cost values.', { level: 'lesser' })
  }
}

/** Headers of extra columns with a rebuilding cost. An "appraised value" alone is often the one of a tax assessor. */
const REBUILDING = /replace|\brcv?n?\b|rebuild|reproduction|reinstate/i
const COST_MODEL = /cost model|marshall|swift|\bmvs\b|core ?logic|360 ?value|\be2value\b/i
const AMOUNT = /^\D{0,3}(\d[\d,]*)(\.\d+)?$/

/** The rebuilding cost of an appraisal or a cost model in an extra column of the import; an appraisal first. */
function appraisedValue({
  appraisals,
}: CheckedProperty): { value: number; source: 'appraisal' | 'cost_model'; header: string } | undefined {
  const found = Object.entries(appraisals ?? {}).flatMap(([header, text]) => {
    const value = Number((AMOUNT.exec(text.trim())?.[1] ?? '').replaceAll(',', ''))
    const isAppraisal = /apprais/i.test(header) && REBUILDING.test(header)
    if (value === 0 || (!isAppraisal && !COST_MODEL.test(header))) return []
    return [{ value, source: isAppraisal ? ('appraisal' as const) : ('cost_model' as const), header }]
  })
  return found.find(({ source }) => source === 'appraisal') ?? found[0]
}

/** DQ-17: against the appraisal or cost model of the property, never against the value band, which is the subject of DQ-11. */
export function* underinsured(property: CheckedProperty, { numbers }: CheckContext): Generator<Draft> {
  const { building_value: value, currency, interest } = property
  const appraised = appraisedValue(property)
  if (appraised === undefined || value === null || value === 0 || interest === 'leased') return
  const insured = value / appraised.value
  if (insured >= numbers.underinsuredBelow) return
  const problem = `Building value of ${formatMoney(value, currency)} is ${formatShare(insured)} of the ${formatMoney(appraised.value, currency)} in "${appraised.header}"`
  yield draft('building_value', value, problem, 'Raise the value, or note the reason.', {
    level: appraised.source === 'appraisal' ? 'raised' : 'usual',
    right: side(appraised.source, appraised.value),
    delta: appraised.value - value,
    deltaPct: round((appraised.value - value) / value, SHARE_DIGITS),
  })
}

type ComparedDraft = Omit<PropertyDraft, 'check'>

/** Stories repeat naturally. */
const REPEATABLE = ['year_built', 'floor_area', 'building_value'] as const satisfies readonly PropertyFieldName[]
/** Years that are entered when the real one is unknown; buildings of one development share any other year. */
const ROUND_YEARS = new Set([1900, 1950, 1960, 1970, 1980, 1990, 2000])

/** DQ-16: the same value on many properties is more likely a placeholder than correct. */
export function* repeatedPlaceholders(properties: readonly ComparedProperty[], { numbers }: CheckContext): Generator<ComparedDraft> {
  const { placeholderCount, placeholderShare } = numbers
  const atLeast = Math.max(placeholderCount, placeholderShare * properties.length)
  for (const field of REPEATABLE) {
    const groups = Map.groupBy(properties, (property) => property[field])
    for (const property of properties) {
      const value = property[field]
      const count = groups.get(value)?.length ?? 0
      if (value === null || value === 0 || count < atLeast || (field === 'year_built' && !ROUND_YEARS.has(value))) continue
      const text =
        field === 'building_value' ? formatMoney(value, property.currency) : field === 'year_built' ? String(value) : formatExact(value)
      const problem = `${labelOf(field)} is ${text} on ${formatNumber(count)} of ${formatNumber(properties.length)} properties (${formatShare(count / properties.length)})`
      yield { property, draft: draft(field, value, problem, 'Confirm that it is no placeholder, or enter the real value.') }
    }
  }
}

/** DQ-18: one finding per address, on its most valuable entry. With few locations that have a value each of them holds much of it. */
export function* concentrations(properties: readonly ComparedProperty[], { numbers }: CheckContext): Generator<ComparedDraft> {
  const total = properties.reduce((sum, property) => sum + tivOf(property), 0)
  const valued = properties.filter((property) => tivOf(property) > 0)
  const locations = Map.groupBy(valued, ({ id, address_key }) => address_key || id)
  if (total === 0 || locations.size < numbers.concentrationLocationsMin) return
  for (const [address, here] of locations) {
    if (!here.some(({ address_key }) => address_key === address)) continue
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
