import { z } from 'zod'
import type { PropertyValues } from '#contract/property-fields.ts'
import { PROPERTY_TYPES } from '#contract/property-vocabularies.ts'
import { readTable } from './read-table.ts'

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
  location_number: z.string(),
  location_group: z.string(),
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
  building_value: z.coerce.number(),
  contents_value: z.coerce.number(),
  bi_value: z.coerce.number(),
})

/** The 771 locations of the Open Exposure Data example as a register; `valuedOn` is the valuation date. */
export const oedRegister = (valuedOn: string): Partial<PropertyValues>[] =>
  readTable('oed-locations.csv', Row).map(({ construction, occupancy, ...row }) => {
    const type = OCCUPANCY[occupancy] ?? 'unknown'
    return {
      ...row,
      location_group: `Schedule ${row.location_group}`,
      property_name: `${titled(row.city)} ${PROPERTY_TYPES[type]} ${row.location_number}`,
      // In this file a building without value belongs to another owner: the insured is its tenant.
      interest: row.building_value === 0 ? 'leased' : 'owned',
      building_value: row.building_value || null,
      // A street is required. Schedules write TBD where it is missing, and the checks report it.
      address: titled(row.address) || 'TBD',
      city: titled(row.city),
      geocode_level: '2',
      construction_class: CONSTRUCTION[construction] ?? null,
      construction_original: `OED ${construction}`,
      property_type: type,
      occupancy_original: `OED ${occupancy}`,
      floor_area: row.floor_area || null,
      contents_value: Math.round(row.contents_value),
      bi_value: Math.round(row.bi_value),
      bi_months: 12,
      valuation_basis: 'rcv',
      valuation_date: valuedOn,
    }
  })

const DIRECTION = /^(n|s|e|w|ne|nw|se|sw|us|hwy)\.?$/i

/** PALM DESERT becomes Palm Desert; directions are unchanged. */
const titled = (text: string): string =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => (DIRECTION.test(word) ? word : word.toLowerCase().replace(/(^|[-/(&])[a-z]/g, (letter) => letter.toUpperCase())))
    .join(' ')
