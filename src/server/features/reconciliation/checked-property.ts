import type { Selectable } from 'kysely'
import type { AccountProperties } from '#server/db/schema.gen.ts'

/** The columns that the checks and the score read. */
export const CHECKED_COLUMNS = [
  'id',
  'account_id',
  'location_number',
  'building_number',
  'property_name',
  'description',
  'interest',
  'address',
  'address_2',
  'city',
  'state',
  'postal_code',
  'country',
  'latitude',
  'longitude',
  'geocode_level',
  'construction_class',
  'construction_original',
  'year_built',
  'stories',
  'floor_area',
  'property_type',
  'occupancy_original',
  'sprinklered',
  'percent_sprinklered',
  'roof_year',
  'currency',
  'building_value',
  'contents_value',
  'stock_value',
  'machinery_value',
  'edp_value',
  'improvements_value',
  'bi_value',
  'stated_tiv',
  'tiv',
  'valuation_basis',
  'valuation_date',
  'address_key',
  'weak_address_key',
  'quality_score',
  'sources',
] as const satisfies readonly (keyof AccountProperties)[]

export type CheckedProperty = Pick<Selectable<AccountProperties>, (typeof CHECKED_COLUMNS)[number]>

export const tivOf = (property: CheckedProperty) => property.tiv ?? 0

/** Contents including their parts. */
export const contentsOf = ({ contents_value, stock_value, machinery_value, edp_value, improvements_value }: CheckedProperty) =>
  (contents_value ?? 0) + (stock_value ?? 0) + (machinery_value ?? 0) + (edp_value ?? 0) + (improvements_value ?? 0)

/** "Location 12, building 2", or the street if the property has no number. */
export function propertyTitle({
  location_number,
  building_number,
  address,
  city,
}: Pick<CheckedProperty, 'location_number' | 'building_number' | 'address' | 'city'>): string {
  if (location_number === null) return [address, city].filter((part) => part !== '').join(', ')
  return building_number === '1' ? `Location ${location_number}` : `Location ${location_number}, building ${building_number}`
}
