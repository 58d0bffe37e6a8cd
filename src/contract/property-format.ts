import { COUNTRIES } from './countries.ts'
import { formatDate, formatExact, formatExactMoney } from './format.ts'
import { PROPERTY_DEFAULTS, propertyField, type PropertyFieldName, type ValueField } from './property-fields.ts'
import { stateName } from './regions.ts'

export type PropertyValue = string | number | null

/** The currency of all amounts of a property. */
export const currencyOf = ({ currency }: Readonly<Partial<Record<PropertyFieldName, PropertyValue>>>): string =>
  String(currency ?? PROPERTY_DEFAULTS.currency)

/** The value of a property's field for display, an amount in the currency of the property; '' when it is empty. */
export function formatPropertyValue(name: PropertyFieldName, value: PropertyValue | undefined, currency = 'USD'): string {
  return formatFieldValue(propertyField(name), value, currency)
}

export function formatFieldValue(field: ValueField, value: PropertyValue | undefined, currency = 'USD'): string {
  if (value === null || value === undefined || value === '') return ''
  switch (field.kind) {
    case 'choice':
      return field.choices[String(value)] ?? String(value)
    case 'money':
      return formatExactMoney(Number(value), currency)
    case 'area':
      return `${formatExact(Number(value))} sq ft`
    case 'percent':
      return `${String(value)}%`
    case 'integer':
      return formatExact(Number(value))
    case 'date':
      return formatDate(String(value), 'UTC')
    case 'state':
      return stateName(String(value))
    case 'country':
      return COUNTRIES[String(value)] ?? String(value)
    default:
      return String(value)
  }
}

type Address = Readonly<Record<'address' | 'address_2' | 'city' | 'state' | 'postal_code' | 'country', string | null>>

/** `address, address_2, city, state postal_code`, and the country unless it is the US. */
export function fullAddress({ address, address_2, city, state, postal_code, country }: Address): string {
  const place = [state, postal_code].filter(Boolean).join(' ')
  return [address, address_2, city, place, country === 'US' ? '' : country].filter(Boolean).join(', ')
}

export interface Titled extends Pick<Address, 'address' | 'city'> {
  location_number: string | null
  building_number: string | null
}

/** "Location 12, building 2", or the street if the property has no number. */
export function propertyTitle({ location_number: location, building_number: building, address, city }: Titled): string {
  if (location === null) return [address, city].filter(Boolean).join(', ')
  return (building ?? '1') === '1' ? `Location ${location}` : `Location ${location}, building ${building}`
}
