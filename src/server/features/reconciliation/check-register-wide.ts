import type { PropertyFieldName } from '#contract/property-fields.ts'
import { formatMoney, formatNumber, formatShare } from '#contract/format.ts'
import type { CheckContext } from './check-context.ts'
import { propertyTitle, tivOf, type CheckedProperty } from './checked-property.ts'
import { draft, labelOf, type Draft } from './finding.ts'

interface PropertyDraft {
  property: CheckedProperty
  draft: Draft
}

const REPEATABLE = ['year_built', 'stories', 'floor_area', 'building_value'] as const satisfies readonly PropertyFieldName[]

/** DQ-16: the same value on many properties is more likely a placeholder than correct. */
export function* repeatedPlaceholders(properties: readonly CheckedProperty[], { rules }: CheckContext): Generator<PropertyDraft> {
  const { placeholderCount, placeholderShare } = rules.numbers
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
export function* concentrations(properties: readonly CheckedProperty[], { rules }: CheckContext): Generator<PropertyDraft> {
  const total = properties.reduce((sum, property) => sum + tivOf(property), 0)
  if (total === 0 || properties.length < 2) return
  for (const [address, here] of Map.groupBy(properties, ({ address_key }) => address_key)) {
    if (address === null || address === '') continue
    const tiv = here.reduce((sum, property) => sum + tivOf(property), 0)
    if (tiv <= rules.numbers.concentrationAbove * total) continue
    const property = here.reduce((most, one) => (tivOf(one) > tivOf(most) ? one : most))
    const subject =
      here.length === 1 ? `${propertyTitle(property)} holds` : `${formatNumber(here.length)} entries at ${property.address} hold`
    const problem = `${subject} ${formatShare(tiv / total)} of the account's total insured value (${formatMoney(tiv, property.currency)})`
    const identity = `${property.account_id} ${address}`
    yield { property, draft: draft(null, tiv, problem, 'Confirm that the concentration is known.', { identity }) }
  }
}
