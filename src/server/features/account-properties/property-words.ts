import { propertyField, type PropertyFieldName, type PropertyValues } from '#contract/property-fields.ts'
import { formatMoney } from '#contract/format.ts'

const NAMED_FIELDS = 3

/** How a property is called in a sentence. */
export const propertyLabel = (values: Pick<PropertyValues, 'location_number' | 'property_name' | 'address' | 'city'>): string =>
  [values.location_number, values.property_name ?? [values.address, values.city].filter(Boolean).join(', ')].filter(Boolean).join(' ') ||
  'a property'

function shown(name: PropertyFieldName, value: string | number | null): string {
  if (value === null) return 'empty'
  const field = propertyField(name)
  if (field.kind === 'money') return formatMoney(Number(value))
  if (field.kind === 'choice') return field.choices[String(value)] ?? String(value)
  return String(value)
}

/** `{field} {old} to {new}`, up to three fields, then `and N more` (domain section 17). */
export function describeChange(before: PropertyValues, after: PropertyValues, changed: readonly PropertyFieldName[]): string {
  const named = changed
    .slice(0, NAMED_FIELDS)
    .map((name) => `${propertyField(name).label} ${shown(name, before[name])} to ${shown(name, after[name])}`)
  const more = changed.length - named.length
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}
