import type { FieldErrors } from '#contract/errors.ts'
import { PROPERTY_DEFAULTS, type PropertyValues } from '#contract/property-fields.ts'
import { FLOOD_ZONES } from '#contract/property-vocabularies.ts'
import { isStateOf } from '#contract/regions.ts'

const US_ZIP = /^\d{5}(-\d{4})?$/
const CA_CODE = /^[A-Z]\d[A-Z] \d[A-Z]\d$/
const PROTECTION = /^(8B|(10|[1-9])[XYW]?(\/(10|[1-9])[XYW]?)?)$/

/** What must hold for a property as a whole (domain section 2); empty when all does. */
export function propertyErrors(values: PropertyValues): FieldErrors {
  const errors: FieldErrors = {}
  const refuse = (field: keyof PropertyValues, message: string) => (errors[field] ??= []).push(message)
  if (!values.address) refuse('address', 'Street address is required.')
  if (!values.city) refuse('city', 'City is required.')
  placeErrors(values, refuse)
  if ((values.latitude === null) !== (values.longitude === null))
    refuse('latitude', 'Please enter both latitude and longitude, or neither.')
  if (values.latitude === 0 && values.longitude === 0)
    refuse('latitude', 'The point 0, 0 lies in the sea. Please enter the real position or none.')
  for (const field of ['year_upgraded', 'wiring_year', 'plumbing_year', 'hvac_year', 'roof_year'] as const) {
    const year = values[field]
    if (year !== null && values.year_built !== null && year < values.year_built) refuse(field, 'This year lies before the year built.')
  }
  if (values.protection_class && !PROTECTION.test(values.protection_class))
    refuse('protection_class', 'Please enter a class from 1 to 10, such as 3 or 3/3X.')
  if (values.flood_zone && !FLOOD_ZONES.includes(values.flood_zone)) refuse('flood_zone', 'Please choose a FEMA flood zone.')
  percentErrors(values, refuse)
  return errors
}

type Refuse = (field: keyof PropertyValues, message: string) => void

function placeErrors({ country, state, postal_code }: PropertyValues, refuse: Refuse): void {
  if (country !== 'US' && country !== 'CA') return
  if (!state) refuse('state', 'State is required.')
  else if (!isStateOf(state, country)) refuse('state', 'Please use the two-letter code, such as CA.')
  if (postal_code && !(country === 'US' ? US_ZIP : CA_CODE).test(postal_code)) {
    refuse('postal_code', country === 'US' ? 'A ZIP code has five digits, or five and four.' : 'A postal code looks like K1A 0B1.')
  }
}

function percentErrors({ sprinklered, percent_sprinklered: percent }: PropertyValues, refuse: Refuse): void {
  if (percent === null) return
  if (sprinklered === 'none' && percent !== 0) refuse('percent_sprinklered', 'Without sprinklers this is 0.')
  if (sprinklered === 'full' && percent !== 100) refuse('percent_sprinklered', 'With full protection this is 100.')
  if (sprinklered === 'partial' && (percent < 1 || percent > 99)) refuse('percent_sprinklered', 'Partial protection lies between 1 and 99.')
}

/** Values with what the record says when a field is left empty. */
export function withDefaults(values: Partial<PropertyValues>): Partial<PropertyValues> {
  const filled = { ...values }
  if (filled.state) filled.state = filled.state.toUpperCase()
  if (filled.building_number === null) filled.building_number = PROPERTY_DEFAULTS.building_number
  if (filled.property_type === null) filled.property_type = PROPERTY_DEFAULTS.property_type
  if (filled.sprinklered === null) filled.sprinklered = PROPERTY_DEFAULTS.sprinklered
  return filled
}
