import type { PropertyFieldName } from '#contract/property-fields.ts'

/** By the length of a unit in feet. */
const UNITS = (
  [
    [5_280, 'mi|miles?'],
    [3_280.84, 'kms?|kilomet(?:er|re)s?'],
    [3.280_84, 'm|mtrs?|met(?:er|re)s?'],
    [3, 'yds?|yards?'],
    [1, "ft|feet|foot|'|’"],
  ] as const
).map(([feet, names]) => ({
  feet,
  names,
  inHeader: new RegExp(`(?<!\\p{L})(?:${names})(?!\\p{L})`, 'u'),
  inCell: new RegExp(`(?:${names})\\.?$`, 'iu'),
}))

/** The names of all units, for a regular expression. */
export const LENGTH_UNITS = UNITS.map(({ names }) => names).join('|')

const FEET_OF: Partial<Record<PropertyFieldName, number>> = {
  hydrant_distance_ft: 1,
  first_floor_height_ft: 1,
  fire_station_miles: 5_280,
  distance_to_coast_miles: 5_280,
}
const DECIMALS = 2

/**
 * The function that converts numbers into the unit of a field, by the unit that the cell or the header names; undefined if nothing is to be
 * converted.
 */
export function lengthConverter(field: PropertyFieldName, text: string, headerWords: string): ((length: number) => number) | undefined {
  const own = FEET_OF[field]
  if (own === undefined) return undefined
  const unit = UNITS.find(({ inCell }) => /\d/.test(text) && inCell.test(text)) ?? UNITS.find(({ inHeader }) => inHeader.test(headerWords))
  if (unit === undefined || unit.feet === own) return undefined
  return (length) => Number(((length * unit.feet) / own).toFixed(DECIMALS))
}
