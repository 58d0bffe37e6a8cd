import type { PropertyFieldName } from '#contract/property-fields.ts'
import type { CheckContext } from './check-rules.ts'
import { propertyTitle, tivOf, type CheckedProperty } from './checked-property.ts'
import { formatMoney, formatPercent, formatNumber, labelOf, type Draft } from './finding.ts'

interface PropertyDraft {
  property: CheckedProperty
  draft: Draft
}

const REPEATABLE = ['year_built', 'stories', 'floor_area', 'building_value'] as const satisfies readonly PropertyFieldName[]

/** DQ-16: one value on many properties is more often a stand-in than the truth. */
export function* repeatedPlaceholders(properties: readonly CheckedProperty[], { rules }: CheckContext): Generator<PropertyDraft> {
  const { placeholderCount, placeholderShare } = rules.numbers
  const enough = Math.max(placeholderCount, placeholderShare * properties.length)
  for (const field of REPEATABLE) {
    const times = countValues(properties, field)
    for (const property of properties) {
      const value = property[field]
      const count = times.get(value ?? 0) ?? 0
      if (value === null || value === 0 || count < enough) continue
      const shown =
        field === 'building_value' ? formatMoney(value, property.currency) : field === 'year_built' ? String(value) : formatNumber(value)
      const problem = `${labelOf(field)} is ${shown} on ${formatNumber(count)} of ${formatNumber(properties.length)} properties (${formatPercent(count / properties.length)})`
      yield {
        property,
        draft: { field, value, level: 'usual', problem, remedy: 'Confirm that it is no placeholder, or enter the real value.' },
      }
    }
  }
}

function countValues(properties: readonly CheckedProperty[], field: (typeof REPEATABLE)[number]): Map<number, number> {
  const times = new Map<number, number>()
  for (const property of properties) {
    const value = property[field]
    if (value !== null && value !== 0) times.set(value, (times.get(value) ?? 0) + 1)
  }
  return times
}

/** DQ-18: one finding per address, on its most valuable entry. A single property is the whole account and concentrates nothing. */
export function* concentrations(properties: readonly CheckedProperty[], { rules }: CheckContext): Generator<PropertyDraft> {
  const total = properties.reduce((sum, property) => sum + tivOf(property), 0)
  if (total === 0 || properties.length < 2) return
  const byAddress = Map.groupBy(
    properties.filter(({ address_key }) => address_key !== null && address_key !== ''),
    ({ address_key }) => address_key,
  )
  for (const [address, here] of byAddress) {
    const tiv = here.reduce((sum, property) => sum + tivOf(property), 0)
    if (tiv <= rules.numbers.concentrationAbove * total) continue
    const property = here.reduce((most, one) => (tivOf(one) > tivOf(most) ? one : most))
    const who = here.length === 1 ? propertyTitle(property) : `${formatNumber(here.length)} entries at ${property.address}`
    const problem = `${who} ${here.length === 1 ? 'holds' : 'hold'} ${formatPercent(tiv / total)} of the account's total insured value (${formatMoney(tiv, property.currency)})`
    yield {
      property,
      draft: {
        field: null,
        value: tiv,
        level: 'usual',
        problem,
        remedy: 'Confirm that the concentration is known.',
        identity: `${property.account_id} ${address}`,
      },
    }
  }
}
