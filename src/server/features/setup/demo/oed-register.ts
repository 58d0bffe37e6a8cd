import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import type { PropertyValues } from '#contract/property-fields.ts'
import { PROPERTY_TYPES } from '#contract/property-vocabularies.ts'

/** Codes of this file with a known meaning. Other codes are stored as they are and become a finding. */
const CONSTRUCTION: Readonly<Record<string, '1' | '2' | '4'>> = { 5050: '1', 5104: '2', 5106: '4' }
const OCCUPANCY: Readonly<Record<string, keyof typeof PROPERTY_TYPES>> = {
  1052: 'multifamily',
  1100: 'other',
  1101: 'retail',
  1102: 'warehouse',
  1104: 'office',
  1105: 'healthcare',
  1108: 'recreation',
  1113: 'parking',
  1152: 'industrial',
  1153: 'industrial',
  1156: 'tech',
  1220: 'government',
  1252: 'utility',
}

const Row = z.object({
  location: z.string(),
  group: z.string(),
  address: z.string(),
  city: z.string(),
  state: z.string(),
  postal_code: z.string(),
  latitude: z.coerce.number(),
  longitude: z.coerce.number(),
  construction: z.string(),
  occupancy: z.string(),
  year_built: z.coerce.number(),
  stories: z.coerce.number(),
  floor_area: z.coerce.number(),
  building: z.coerce.number(),
  contents: z.coerce.number(),
  bi: z.coerce.number(),
})

/** The 771 locations of the Open Exposure Data example as a register; `valuedOn` is the valuation date. */
export function oedRegister(valuedOn: string): Partial<PropertyValues>[] {
  const file = readFileSync(join(import.meta.dirname, 'oed-locations.csv'), 'utf8')
  return z
    .array(Row)
    .parse(parse(file, { columns: true }))
    .map((row) => property(row, valuedOn))
}

function property(row: z.output<typeof Row>, valuedOn: string): Partial<PropertyValues> {
  const type = OCCUPANCY[row.occupancy] ?? 'unknown'
  return {
    location_number: row.location,
    location_group: `Schedule ${row.group}`,
    property_name: `${titled(row.city)} ${PROPERTY_TYPES[type]} ${row.location}`,
    // In this file a building without value belongs to another owner: the insured is its tenant.
    interest: row.building === 0 ? 'leased' : 'owned',
    building_value: row.building === 0 ? null : row.building,
    // A street is required. Schedules write TBD where it is missing, and the checks report it.
    address: row.address === '' ? 'TBD' : titled(row.address),
    city: titled(row.city),
    state: row.state,
    postal_code: row.postal_code,
    latitude: row.latitude,
    longitude: row.longitude,
    geocode_level: '2',
    construction_class: CONSTRUCTION[row.construction] ?? null,
    construction_original: `OED ${row.construction}`,
    property_type: type,
    occupancy_original: `OED ${row.occupancy}`,
    year_built: row.year_built,
    stories: row.stories,
    floor_area: row.floor_area === 0 ? null : row.floor_area,
    contents_value: Math.round(row.contents),
    bi_value: Math.round(row.bi),
    bi_months: 12,
    valuation_basis: 'rcv',
    valuation_date: valuedOn,
  }
}

const DIRECTION = /^(n|s|e|w|ne|nw|se|sw|us|hwy)\.?$/i

/** PALM DESERT becomes Palm Desert; directions are unchanged. */
const titled = (text: string): string =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => (DIRECTION.test(word) ? word : word.toLowerCase().replace(/(^|[-/(&])[a-z]/g, (letter) => letter.toUpperCase())))
    .join(' ')
