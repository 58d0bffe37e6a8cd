import {
  ALARMS,
  CONSTRUCTION_CLASSES,
  FLOOD_ZONES,
  FOUNDATIONS,
  GEOCODE_LEVELS,
  INTERESTS,
  OPENING_PROTECTIONS,
  PROPERTY_TYPES,
  ROOF_COVERS,
  ROOF_SHAPES,
  SPRINKLERED,
  SPRINKLER_SYSTEMS,
  VALUATION_BASES,
  VALUATION_SOURCES,
} from './property-vocabularies.ts'

/** The fields of a property, for form, import, list, export and checks: docs/domain.md, "Property fields". */

export const PROPERTY_SECTIONS = {
  identity: 'Identity',
  address: 'Address',
  construction: 'Construction',
  occupancy: 'Occupancy',
  protection: 'Protection',
  exposure: 'Exposure and roof',
  values: 'Values',
} as const

/** required: needed to save; core: empty is a data-quality finding; optional. */
export type PropertyFieldLevel = 'required' | 'core' | 'optional'

interface FieldCommon {
  label: string
  section: keyof typeof PROPERTY_SECTIONS
  level: PropertyFieldLevel
  /** Whether a spreadsheet column may be mapped to it. */
  importable: boolean
  help?: string
}

export type PropertyField = FieldCommon &
  (
    | { kind: 'text'; max: number; pattern?: string }
    | { kind: 'choice'; choices: Readonly<Record<string, string>> }
    | { kind: 'integer' | 'number' | 'year' | 'area'; min: number; max: number }
    | { kind: 'percent' | 'money' | 'date' | 'state' | 'country' | 'postal_code' | 'currency' | 'latitude' | 'longitude' }
  )

const text = <const O extends object>(label: string, section: FieldCommon['section'], max: number, extra?: O) =>
  ({ label, section, level: 'optional', importable: true, kind: 'text', max, ...extra }) as const
const choice = <const C extends Readonly<Record<string, string>>, const O extends object>(
  label: string,
  section: FieldCommon['section'],
  choices: C,
  extra?: O,
) => ({ label, section, level: 'optional', importable: true, kind: 'choice', choices, ...extra }) as const
const plain = <
  const K extends 'percent' | 'money' | 'date' | 'state' | 'country' | 'postal_code' | 'currency' | 'latitude' | 'longitude',
  const O extends object,
>(
  label: string,
  section: FieldCommon['section'],
  kind: K,
  extra?: O,
) => ({ label, section, level: 'optional', importable: true, kind, ...extra }) as const
const ranged = <const K extends 'integer' | 'number' | 'year' | 'area', const O extends object>(
  label: string,
  section: FieldCommon['section'],
  kind: K,
  min: number,
  max: number,
  extra?: O,
) => ({ label, section, level: 'optional', importable: true, kind, min, max, ...extra }) as const

const REQUIRED = { level: 'required' } as const
const CORE = { level: 'core' } as const
/** Small enough that sums are exact in a double. */
export const MONEY_MAX = 1_000_000_000_000
export const YEAR_MIN = 1700
/** Years can be in the future, because planned buildings and buildings under construction are insured too. */
export const YEAR_AHEAD = 3

export const PROPERTY_FIELDS = {
  location_number: text('Location #', 'identity', 20, CORE),
  building_number: text('Building #', 'identity', 20),
  external_id: text('Client reference', 'identity', 60),
  property_name: text('Property name', 'identity', 120, CORE),
  location_group: text('Site / campus', 'identity', 60),
  legal_entity: text('Owner entity', 'identity', 120),
  division: text('Division / department', 'identity', 60),
  description: text('Building description', 'identity', 500),
  interest: choice('Interest', 'identity', INTERESTS),
  acquired_on: plain('Acquired on', 'identity', 'date', { importable: false }),

  address: text('Street address', 'address', 100, REQUIRED),
  address_2: text('Suite / unit', 'address', 60),
  city: text('City', 'address', 50, REQUIRED),
  county: text('County', 'address', 50),
  state: plain('State / province', 'address', 'state', REQUIRED),
  postal_code: plain('ZIP / postal code', 'address', 'postal_code', CORE),
  country: plain('Country', 'address', 'country', REQUIRED),
  latitude: plain('Latitude', 'address', 'latitude', CORE),
  longitude: plain('Longitude', 'address', 'longitude', CORE),
  geocode_level: choice('Location accuracy', 'address', GEOCODE_LEVELS),
  geocode_confidence: ranged('Geocode confidence', 'address', 'number', 0, 1, { importable: false }),

  construction_class: choice('Construction (ISO)', 'construction', CONSTRUCTION_CLASSES, CORE),
  construction_original: text('Construction as given', 'construction', 100, { importable: false }),
  year_built: ranged('Year built', 'construction', 'year', YEAR_MIN, 9999, CORE),
  year_upgraded: ranged('Year renovated', 'construction', 'year', YEAR_MIN, 9999),
  stories: ranged('Stories', 'construction', 'integer', 1, 150, CORE),
  basement_levels: ranged('Basement levels', 'construction', 'integer', 0, 10),
  building_count: ranged('Number of buildings', 'construction', 'integer', 1, 999),
  floor_area: ranged('Total floor area', 'construction', 'area', 1, 20_000_000, { level: 'core', help: 'Square feet, all floors added' }),
  percent_occupied: plain('Occupied', 'construction', 'percent'),
  wiring_year: ranged('Wiring updated', 'construction', 'year', YEAR_MIN, 9999),
  plumbing_year: ranged('Plumbing updated', 'construction', 'year', YEAR_MIN, 9999),
  hvac_year: ranged('Heating and cooling updated', 'construction', 'year', YEAR_MIN, 9999),

  property_type: choice('Property type', 'occupancy', PROPERTY_TYPES, CORE),
  occupancy_original: text('Occupancy as given', 'occupancy', 100, { importable: false }),
  tenants: text('Main tenants', 'occupancy', 250),
  units: ranged('Units / rooms / beds', 'occupancy', 'integer', 0, 1_000_000),

  sprinklered: choice('Sprinkler protection', 'protection', SPRINKLERED, CORE),
  percent_sprinklered: plain('% sprinklered', 'protection', 'percent'),
  sprinkler_system: choice('Sprinkler system', 'protection', SPRINKLER_SYSTEMS, { importable: false }),
  fire_alarm: choice('Fire alarm', 'protection', ALARMS),
  burglar_alarm: choice('Burglar alarm', 'protection', ALARMS),
  protection_class: text('Public protection class', 'protection', 10),
  hydrant_distance_ft: ranged('Distance to hydrant (ft)', 'protection', 'number', 0, 1_000_000),
  fire_station_miles: ranged('Distance to fire station (miles)', 'protection', 'number', 0, 10_000),

  roof_year: ranged('Roof last replaced', 'exposure', 'year', YEAR_MIN, 9999),
  roof_cover: choice('Roof cover', 'exposure', ROOF_COVERS),
  roof_shape: choice('Roof shape', 'exposure', ROOF_SHAPES),
  opening_protection: choice('Window protection', 'exposure', OPENING_PROTECTIONS),
  foundation: choice('Foundation', 'exposure', FOUNDATIONS),
  flood_zone: choice('FEMA flood zone', 'exposure', Object.fromEntries(FLOOD_ZONES.map((zone) => [zone, zone]))),
  first_floor_height_ft: ranged('First-floor height (ft)', 'exposure', 'number', -100, 1_000),
  base_flood_elevation_ft: ranged('Base flood elevation (ft)', 'exposure', 'number', -1_000, 20_000, { importable: false }),
  distance_to_coast_miles: ranged('Distance to coast (miles)', 'exposure', 'number', 0, 10_000),
  wind_tier: text('Wind tier', 'exposure', 20),
  eq_zone: text('Earthquake zone', 'exposure', 20),

  currency: plain('Currency', 'values', 'currency', REQUIRED),
  building_value: plain('Building value', 'values', 'money', CORE),
  other_value: plain('Other structures', 'values', 'money'),
  contents_value: plain('Contents (BPP)', 'values', 'money', CORE),
  stock_value: plain('Stock', 'values', 'money'),
  machinery_value: plain('Machinery and equipment', 'values', 'money'),
  edp_value: plain('EDP', 'values', 'money'),
  improvements_value: plain('Tenant improvements', 'values', 'money'),
  bi_value: plain('Business income / rents', 'values', 'money', { level: 'core', help: 'Twelve months' }),
  bi_months: ranged('Indemnity period (months)', 'values', 'integer', 1, 36),
  stated_tiv: plain('TIV as given', 'values', 'money'),
  valuation_basis: choice('Valuation basis', 'values', VALUATION_BASES),
  valuation_date: plain('Values as of', 'values', 'date', CORE),
  valuation_source: choice('Source of value', 'values', VALUATION_SOURCES, { importable: false }),
} as const satisfies Record<string, PropertyField>

export type PropertyFieldName = keyof typeof PROPERTY_FIELDS
export const PROPERTY_FIELD_NAMES = Object.keys(PROPERTY_FIELDS) as PropertyFieldName[] // keys of a literal object are exactly its names

/** The definition of a field, with the type of all fields. */
export const propertyField = (name: PropertyFieldName): PropertyField => PROPERTY_FIELDS[name]

/** The label of a stored choice; any other value as it is. */
export function choiceLabel(name: PropertyFieldName, value: string): string {
  const field = propertyField(name)
  return field.kind === 'choice' ? (field.choices[value] ?? value) : value
}

/** The values that add up to the total insured value; contents include their parts. */
export const TIV_PARTS = [
  'building_value',
  'other_value',
  'contents_value',
  'stock_value',
  'machinery_value',
  'edp_value',
  'improvements_value',
  'bi_value',
] as const satisfies readonly PropertyFieldName[]

/** The values of a property: texts and choices as text, measured values as numbers, dates as YYYY-MM-DD. */
type ValueOf<F> = F extends { kind: 'integer' | 'number' | 'year' | 'area' | 'percent' | 'money' | 'latitude' | 'longitude' }
  ? number
  : F extends { kind: 'choice'; choices: infer C }
    ? keyof C & string
    : string
export type PropertyValues = { [N in PropertyFieldName]: ValueOf<(typeof PROPERTY_FIELDS)[N]> | null }

/** The stored values of fields that cannot be empty. */
export const PROPERTY_DEFAULTS = {
  building_number: '1',
  country: 'US',
  currency: 'USD',
  property_type: 'unknown',
  sprinklered: 'unknown',
} as const satisfies Partial<PropertyValues>
