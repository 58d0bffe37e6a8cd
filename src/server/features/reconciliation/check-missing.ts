import type { PropertyFieldName } from '#contract/property-fields.ts'
import { formatMoney } from '#contract/format.ts'
import { draft, labelOf, tivOf, type CheckContext, type CheckedProperty, type Draft } from './check.ts'

const missing = (field: PropertyFieldName, remedy: string, value: string | null = null): Draft =>
  draft(field, value, `${labelOf(field)} is missing`, remedy)

const LAND = /^\W*(vacant|raw|unimproved|undeveloped)?\W*land\W*$/i
/** Land without a building has no construction, year, size or sprinklers. */
export const isLand = ({ occupancy_original }: CheckedProperty): boolean => LAND.test(occupancy_original ?? '')

/** DQ-03: says which text of the source was not understood, if there is one. The text is not part of the identity of the finding. */
export function* missingConstruction(property: CheckedProperty): Generator<Draft> {
  const { construction_class, construction_original } = property
  if (construction_class !== null || isLand(property)) return
  if (isText(construction_original))
    yield draft('construction_class', null, `Construction "${construction_original}" was not understood`, 'Choose the ISO class that fits.')
  else yield missing('construction_class', 'Choose the ISO class, or take it from a document.')
}

/** Texts and codes of other schemes that mean "unknown". */
const UNKNOWN_TEXT = /^\W*(unknown|unk|other|n\/?a|none|tbd|not (known|stated)|(oed|air|code)? ?(0|100|300|1000|5000))?\W*$/i
const isText = (value: string | null): value is string => value !== null && !UNKNOWN_TEXT.test(value)

/** Years that older systems write for "unknown". */
const UNKNOWN_YEARS = new Set([0, 1111, 9999])
export const isYearKnown = (year: number | null): boolean => year !== null && !UNKNOWN_YEARS.has(year)

/** DQ-04. */
export function* missingYearBuilt(property: CheckedProperty): Generator<Draft> {
  if (!isYearKnown(property.year_built) && !isLand(property)) yield missing('year_built', 'Enter the year, or take it from a document.')
}

/** DQ-05: one finding for each of the two. */
export function* missingSize(property: CheckedProperty): Generator<Draft> {
  const { stories, floor_area } = property
  if (isLand(property)) return
  if (stories === null) yield draft('stories', null, 'The number of stories is missing', 'Enter the stories above ground.')
  if (floor_area === null) yield missing('floor_area', 'Enter the square feet of all floors together.')
}

/** DQ-06: says which text of the source was not understood, like DQ-03. */
export function* missingOccupancy({ property_type, occupancy_original }: CheckedProperty): Generator<Draft> {
  if (property_type !== 'unknown' && property_type !== 'other') return
  if (isText(occupancy_original)) {
    const problem = `Occupancy "${occupancy_original}" matches no property type`
    yield draft('property_type', property_type, problem, 'Choose the property type that fits.')
  } else if (property_type === 'unknown') yield missing('property_type', 'Choose what the building is used for.', property_type)
  else yield draft('property_type', property_type, 'Property type is only "Other"', 'Choose the type that fits the use of the building.')
}

/** DQ-07: more severe for a property of high value. */
export function* missingSprinkler(property: CheckedProperty, { numbers }: CheckContext): Generator<Draft> {
  if (property.sprinklered !== 'unknown' || isLand(property)) return
  const tiv = tivOf(property)
  const isValuable = tiv >= numbers.sprinklerFromTiv
  const although = isValuable ? ` although the total insured value is ${formatMoney(tiv, property.currency)}` : ''
  const remedy = 'Choose full, partial or none, or take it from a report.'
  yield draft('sprinklered', 'unknown', `Sprinkler protection is unknown${although}`, remedy, { level: isValuable ? 'raised' : 'usual' })
}

/** A building that is said to be owned has no value of 0, unless it is land. */
const needsBuildingValue = (property: CheckedProperty): boolean => {
  const { building_value, interest } = property
  return building_value === null ? interest !== 'leased' : building_value === 0 && interest === 'owned' && !isLand(property)
}
/** Whether the total insured value is unknown: no values at all, or no building value although the building is not leased. */
export const lacksValue = (property: CheckedProperty): boolean => tivOf(property) === 0 || needsBuildingValue(property)

/** DQ-10: a leased building may have no building value. */
export function* missingValues(property: CheckedProperty): Generator<Draft> {
  const { id, building_value, stated_tiv, currency } = property
  const stated = stated_tiv ? ` The TIV as given is ${formatMoney(stated_tiv, currency)}.` : ''
  if (tivOf(property) === 0) {
    const problem = 'Building, contents and business income are all empty or 0'
    yield draft('building_value', building_value, problem, `Enter the insured values.${stated}`, { identity: `${id} tiv` })
  } else if (needsBuildingValue(property)) {
    const remedy = 'Enter the replacement cost, or set Interest to Leased when the building is insured by its owner.'
    if (building_value === null) yield missing('building_value', `${remedy}${stated}`)
    else yield draft('building_value', building_value, 'The building value is 0 although the building is owned', `${remedy}${stated}`)
  }
}
