import type { PropertyValues } from '#contract/property-fields.ts'
import { PROPERTY_TYPES, VALUE_BANDS, VALUE_BAND_OTHER } from '#contract/property-vocabularies.ts'
import { CITIES, STREETS, type City } from './cities.ts'
import type { Random } from './demo-context.ts'

type PropertyType = keyof typeof PROPERTY_TYPES

interface RegisterOptions {
  type: PropertyType
  count: number
  valuedOn: string
  /** The states of the properties. */
  states: readonly string[]
}

const CONSTRUCTION = ['1', '2', '3', '4', '4', '4', '5', '6', '6'] as const
const SPRINKLERED = ['full', 'full', 'full', 'none', 'partial'] as const

/** A plausible register: values follow area and type, and about one property in six has an error or a gap. */
export function randomRegister(random: Random, { type, count, valuedOn, states }: RegisterOptions): Partial<PropertyValues>[] {
  const cities = CITIES.filter(({ state }) => states.includes(state))
  return Array.from({ length: count }, (_, index) =>
    flawed(random, property(random, type, String(index + 1), random.pick(cities), valuedOn)),
  )
}

function property(random: Random, type: PropertyType, number: string, place: City, valuedOn: string): Partial<PropertyValues> {
  const [low, high] = VALUE_BANDS[type] ?? VALUE_BAND_OTHER
  const stories = random.pick([1, 1, 1, 2, 2, 3, 4, 6])
  const area = random.whole(4, 60) * 1_000 * Math.ceil(stories / 2)
  const building = rounded(area * (low + (high - low) * (0.2 + random.next() * 0.5)))
  const built = random.whole(1948, 2021)
  const sprinklered = random.pick(SPRINKLERED)
  return {
    location_number: number,
    property_name: `${place.city} ${PROPERTY_TYPES[type].split(' /')[0] ?? ''} ${number}`,
    interest: random.chance(0.85) ? 'owned' : 'leased',
    address: `${random.whole(100, 9_800)} ${random.pick(STREETS)}`,
    ...place,
    latitude: scattered(random, place.latitude),
    longitude: scattered(random, place.longitude),
    geocode_level: '2',
    construction_class: random.pick(CONSTRUCTION),
    year_built: built,
    stories,
    floor_area: area,
    property_type: type,
    sprinklered,
    percent_sprinklered: sprinklered === 'partial' ? random.whole(2, 8) * 10 : sprinklered === 'full' ? 100 : 0,
    fire_alarm: random.pick(['central_station', 'local', 'none'] as const),
    protection_class: String(random.whole(1, 6)),
    roof_year: Math.max(built, random.whole(1998, 2024)),
    roof_cover: random.pick(['single_ply', 'built_up', 'light_metal', 'asphalt_shingle'] as const),
    building_value: building,
    contents_value: rounded(building * (0.05 + random.next() * 0.2)),
    bi_value: rounded(building * (0.04 + random.next() * 0.1)),
    bi_months: 12,
    valuation_basis: 'rcv',
    valuation_date: valuedOn,
  }
}

const rounded = (value: number): number => Math.round(value / 1_000) * 1_000
const scattered = (random: Random, degrees: number): number => Math.round((degrees + (random.next() - 0.5) * 0.12) * 10_000) / 10_000

/** Errors and gaps that occur in real schedules. */
const FLAWS: readonly ((values: Partial<PropertyValues>) => Partial<PropertyValues>)[] = [
  () => ({ year_built: null, roof_year: null }),
  () => ({ construction_class: null, construction_original: 'Masonry?' }),
  () => ({ sprinklered: 'unknown', percent_sprinklered: null }),
  ({ building_value }) => ({ building_value: Math.round((building_value ?? 0) / 6) }),
  ({ building_value }) => ({ stated_tiv: (building_value ?? 0) * 2 }),
  () => ({ latitude: null, longitude: null, geocode_level: null }),
  () => ({ floor_area: null }),
]

const flawed = (random: Random, values: Partial<PropertyValues>): Partial<PropertyValues> =>
  random.chance(1 / 6) ? { ...values, ...random.pick(FLAWS)(values) } : values
