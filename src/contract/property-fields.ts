import { codesOf, labelOf, type CodeList } from './code-lists.ts'
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

/** required: needed to save; core: empty is a data-quality discrepancy; optional. */
type PropertyFieldLevel = 'required' | 'core' | 'optional'

interface FieldCommon {
  label: string
  section: keyof typeof PROPERTY_SECTIONS
  level: PropertyFieldLevel
  /** Whether a spreadsheet column may be mapped to it. */
  importable: boolean
  help?: string
}

type FieldKind =
  | { kind: 'text'; max: number }
  | { kind: 'choice'; choices: CodeList }
  | { kind: 'integer' | 'number' | 'year' | 'area'; min: number; max: number }
  | { kind: 'percent' | 'money' | 'date' | 'state' | 'country' | 'postal_code' | 'currency' | 'latitude' | 'longitude' }

export type PropertyField = FieldCommon & FieldKind
/** What a form, a check and a text need of the field of any model. */
export type ValueField = Pick<FieldCommon, 'label' | 'level' | 'help'> & FieldKind

const text = (max: number) => ({ kind: 'text', max }) as const
const choice = <C extends CodeList>(choices: C) => ({ kind: 'choice', choices }) as const
const range = <const K extends string>(kind: K, min: number, max: number) => ({ kind, min, max })

/** An optional field that can be imported, unless `extra` says otherwise. */
const field = <const K extends FieldKind>(
  label: string,
  section: FieldCommon['section'],
  kind: K,
  extra: Partial<Pick<FieldCommon, 'level' | 'importable' | 'help'>> = {},
) => ({ label, section, level: 'optional' as const, importable: true, ...kind, ...extra })

const REQUIRED = { level: 'required' } as const
const CORE = { level: 'core' } as const
/** Small enough that sums are exact in a double. */
export const MONEY_MAX = 1_000_000_000_000
export const YEAR_MIN = 1700
/** Years can be in the future, because planned buildings and buildings under construction are insured too. */
export const YEAR_AHEAD = 3

export const PROPERTY_FIELDS = {
  location_number: field('Location #', 'identity', text(20), CORE),
  building_number: field('Building #', 'identity', text(20)),
  external_id: field('Client reference', 'identity', text(60)),
  property_name: field('Property name', 'identity', text(120), CORE),
  location_group: field('Site / campus', 'identity', text(60)),
  legal_entity: field('Owner entity', 'identity', text(120)),
  division: field('Division / department', 'identity', text(60)),
  description: field('Building description', 'identity', text(500)),
  interest: field('Interest', 'identity', choice(INTERESTS)),
  acquired_on: field('Acquired on', 'identity', { kind: 'date' }, { importable: false }),

  address: field('Street address', 'address', text(100), REQUIRED),
  address_2: field('Suite / unit', 'address', text(60)),
  city: field('City', 'address', text(50), REQUIRED),
  county: field('County', 'address', text(50)),
  state: field('State / province', 'address', { kind: 'state' }, REQUIRED),
  postal_code: field('ZIP / postal code', 'address', { kind: 'postal_code' }, CORE),
  country: field('Country', 'address', { kind: 'country' }, REQUIRED),
  latitude: field('Latitude', 'address', { kind: 'latitude' }, CORE),
  longitude: field('Longitude', 'address', { kind: 'longitude' }, CORE),
  geocode_level: field('Location accuracy', 'address', choice(GEOCODE_LEVELS)),
  geocode_confidence: field('Geocode confidence', 'address', range('number', 0, 1), { importable: false }),

  construction_class: field('Construction (ISO)', 'construction', choice(CONSTRUCTION_CLASSES), CORE),
  construction_original: field('Construction as given', 'construction', text(100), { importable: false }),
  year_built: field('Year built', 'construction', range('year', YEAR_MIN, 9999), CORE),
  year_upgraded: field('Year renovated', 'construction', range('year', YEAR_MIN, 9999)),
  stories: field('Stories', 'construction', range('integer', 1, 150), CORE),
  basement_levels: field('Basement levels', 'construction', range('integer', 0, 10)),
  building_count: field('Number of buildings', 'construction', range('integer', 1, 999)),
  floor_area: field('Total floor area', 'construction', range('area', 1, 20_000_000), {
    level: 'core',
    help: 'Square feet, all floors added',
  }),
  percent_occupied: field('Occupied', 'construction', { kind: 'percent' }),
  wiring_year: field('Wiring updated', 'construction', range('year', YEAR_MIN, 9999)),
  plumbing_year: field('Plumbing updated', 'construction', range('year', YEAR_MIN, 9999)),
  hvac_year: field('Heating and cooling updated', 'construction', range('year', YEAR_MIN, 9999)),

  property_type: field('Property type', 'occupancy', choice(PROPERTY_TYPES), CORE),
  occupancy_original: field('Occupancy as given', 'occupancy', text(100), { importable: false }),
  tenants: field('Main tenants', 'occupancy', text(250)),
  units: field('Units / rooms / beds', 'occupancy', range('integer', 0, 1_000_000)),

  sprinklered: field('Sprinkler protection', 'protection', choice(SPRINKLERED), CORE),
  percent_sprinklered: field('% sprinklered', 'protection', { kind: 'percent' }),
  sprinkler_system: field('Sprinkler system', 'protection', choice(SPRINKLER_SYSTEMS), { importable: false }),
  fire_alarm: field('Fire alarm', 'protection', choice(ALARMS)),
  burglar_alarm: field('Burglar alarm', 'protection', choice(ALARMS)),
  protection_class: field('Public protection class', 'protection', text(10)),
  hydrant_distance_ft: field('Distance to hydrant (ft)', 'protection', range('number', 0, 1_000_000)),
  fire_station_miles: field('Distance to fire station (miles)', 'protection', range('number', 0, 10_000)),

  roof_year: field('Roof last replaced', 'exposure', range('year', YEAR_MIN, 9999)),
  roof_cover: field('Roof cover', 'exposure', choice(ROOF_COVERS)),
  roof_shape: field('Roof shape', 'exposure', choice(ROOF_SHAPES)),
  opening_protection: field('Window protection', 'exposure', choice(OPENING_PROTECTIONS)),
  foundation: field('Foundation', 'exposure', choice(FOUNDATIONS)),
  flood_zone: field('FEMA flood zone', 'exposure', choice(Object.fromEntries(FLOOD_ZONES.map((zone) => [zone, zone])))),
  first_floor_height_ft: field('First-floor height (ft)', 'exposure', range('number', -100, 1_000)),
  base_flood_elevation_ft: field('Base flood elevation (ft)', 'exposure', range('number', -1_000, 20_000), { importable: false }),
  distance_to_coast_miles: field('Distance to coast (miles)', 'exposure', range('number', 0, 10_000)),
  wind_tier: field('Wind tier', 'exposure', text(20)),
  eq_zone: field('Earthquake zone', 'exposure', text(20)),

  currency: field('Currency', 'values', { kind: 'currency' }, REQUIRED),
  building_value: field('Building value', 'values', { kind: 'money' }, CORE),
  other_value: field('Other structures', 'values', { kind: 'money' }),
  contents_value: field('Contents (BPP)', 'values', { kind: 'money' }, CORE),
  stock_value: field('Stock', 'values', { kind: 'money' }),
  machinery_value: field('Machinery and equipment', 'values', { kind: 'money' }),
  edp_value: field('EDP', 'values', { kind: 'money' }),
  improvements_value: field('Tenant improvements', 'values', { kind: 'money' }),
  bi_value: field('Business income / rents', 'values', { kind: 'money' }, { level: 'core', help: 'Twelve months' }),
  bi_months: field('Indemnity period (months)', 'values', range('integer', 1, 36)),
  stated_tiv: field('TIV as given', 'values', { kind: 'money' }),
  valuation_basis: field('Valuation basis', 'values', choice(VALUATION_BASES)),
  valuation_date: field('Values as of', 'values', { kind: 'date' }, CORE),
  valuation_source: field('Source of value', 'values', choice(VALUATION_SOURCES), { importable: false }),
} satisfies Record<string, PropertyField>

export type PropertyFieldName = keyof typeof PROPERTY_FIELDS
export const PROPERTY_FIELD_NAMES = codesOf(PROPERTY_FIELDS)

/** The definition of a field under the common type, for code that treats all fields alike. */
export const propertyField = (name: PropertyFieldName): PropertyField => PROPERTY_FIELDS[name]

/** The label of a stored choice; any other value as it is. */
export function choiceLabel(name: PropertyFieldName, value: string): string {
  const field = propertyField(name)
  return field.kind === 'choice' ? labelOf(value, field.choices) : value
}

/** The parts of the contents that a schedule states, within the contents or in addition to them. */
export const CONTENTS_PARTS = ['stock_value', 'machinery_value', 'edp_value', 'improvements_value'] as const
export const isContentsPart = (name: string): boolean => CONTENTS_PARTS.some((part) => part === name)

/** The values that add up to the total insured value; contents include their parts. */
export const TIV_PARTS = [
  'building_value',
  'other_value',
  'contents_value',
  ...CONTENTS_PARTS,
  'bi_value',
] as const satisfies readonly PropertyFieldName[]
export const isTivPart = (name: string | null | undefined): boolean => TIV_PARTS.some((part) => part === name)

/** The values of a property that a schedule can state: the parts and their total. */
export const INSURED_VALUES = [...TIV_PARTS, 'stated_tiv'] as const satisfies readonly PropertyFieldName[]
export const isInsuredValue = (name: string | null | undefined): boolean => INSURED_VALUES.some((value) => value === name)

/** Whether any of these values is given: a total of unknown values is unknown, not 0. */
export const hasTivPart = (values: { readonly [part in (typeof TIV_PARTS)[number]]?: unknown }): boolean =>
  TIV_PARTS.some((part) => (values[part] ?? null) !== null)

/** The values of a property: texts and choices as text, measured values as numbers, dates as YYYY-MM-DD. */
type ValueOf<F> = F extends { kind: 'integer' | 'number' | 'year' | 'area' | 'percent' | 'money' | 'latitude' | 'longitude' }
  ? number
  : F extends { kind: 'choice'; choices: infer C }
    ? keyof C & string
    : string
export type PropertyValues = { [N in PropertyFieldName]: ValueOf<(typeof PROPERTY_FIELDS)[N]> | null }

/** The values of a new property, and those that clearing a field restores. */
export const PROPERTY_DEFAULTS = {
  building_number: '1',
  country: 'US',
  currency: 'USD',
  building_count: 1,
  property_type: 'unknown',
  sprinklered: 'unknown',
  bi_months: 12,
  valuation_basis: 'unknown',
} as const satisfies Partial<PropertyValues>
