import { isHeaderOfCoverages } from './coverage-words.ts'
import { isMoneyField, type HeaderTarget } from './header-synonyms.ts'
import { normalizeHeader, scoreHeader } from './headers.ts'

/**
 * What a column says about a row that may be the sum of others. `value`: an amount of money, which a sum adds up. `amount`: perhaps one.
 * `number`, `identity`: a total has none. `place`: a total has none, or that of all rows that it adds up. `name`: the label of a total, too. `other`: counts, areas and shares, which add up by chance or in each row, and names of coverages.
 */
export type ColumnRole = 'value' | 'amount' | 'number' | 'identity' | 'place' | 'name' | 'other'

/** Where a total has nothing, or the number of its locations. */
const NUMBERS: ReadonlySet<HeaderTarget> = new Set(['location_number', 'building_number', 'location_building'] as const)
const PLACES: ReadonlySet<HeaderTarget> = new Set([
  'house_number',
  'address',
  'full_address',
  'city_state_zip',
  'postal_code',
  'latitude',
  'longitude',
] as const)
const IDENTITY: ReadonlySet<HeaderTarget> = new Set([
  'external_id',
  'construction_class',
  'property_type',
  'year_built',
  'roof_year',
  'protection_class',
  'sprinklered',
  'roof_cover',
] as const)
const NAMES: ReadonlySet<HeaderTarget> = new Set([
  'property_name',
  'location_group',
  'legal_entity',
  'division',
  'description',
  'city',
  'county',
  'state',
  'country',
  'tenants',
] as const)
const KNOWN_SCORE = 0.9
/** Unknown headers of numbers that are no money. */
const COUNTS =
  /\b(number|count|counts|no|units?|rooms|beds|seats|keys|stor(?:y|ies)|floors?|levels?|years?|age|area|square|feet|acres|miles|percent|employees|headcount|population|code|zip|phone)\b/

/** The role of a column by its header. An amount below an unknown header may be money. */
export function columnRole(label: string): ColumnRole {
  const header = normalizeHeader(label)
  const targets = scoreHeader(header).flatMap(({ target, score }) => (score >= KNOWN_SCORE && target !== 'ignore' ? [target] : []))
  if (targets.some(isMoneyField)) return targets.every(isMoneyField) ? 'value' : 'amount'
  if (targets.some((target) => NUMBERS.has(target))) return 'number'
  if (targets.some((target) => PLACES.has(target))) return 'place'
  if (targets.some((target) => IDENTITY.has(target))) return 'identity'
  if (targets.some((target) => NAMES.has(target))) return 'name'
  return targets.length > 0 || COUNTS.test(header.words) || isHeaderOfCoverages(header) ? 'other' : 'amount'
}
