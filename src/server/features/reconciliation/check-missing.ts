import type { PropertyFieldName } from '#contract/property-fields.ts'
import { formatMoney } from '#contract/format.ts'
import { draft, labelOf, tivOf, type CheckContext, type CheckedProperty, type Draft } from './check.ts'

const missing = (field: PropertyFieldName, remedy: string, value: string | null = null): Draft =>
  draft(field, value, `${labelOf(field)} is missing`, remedy)

/** DQ-03. */
export function* missingConstruction({ construction_class }: CheckedProperty): Generator<Draft> {
  if (construction_class === null) yield missing('construction_class', 'Choose the ISO class, or take it from a document.')
}

/** Years that older systems write for "unknown". */
const UNKNOWN_YEARS = new Set([0, 1111, 9999])

/** DQ-04. */
export function* missingYearBuilt({ year_built }: CheckedProperty): Generator<Draft> {
  if (year_built === null || UNKNOWN_YEARS.has(year_built)) yield missing('year_built', 'Enter the year, or take it from a document.')
}

/** DQ-05: one finding for each of the two. */
export function* missingSize({ stories, floor_area }: CheckedProperty): Generator<Draft> {
  if (stories === null) yield missing('stories', 'Enter the number of stories above ground.')
  if (floor_area === null) yield missing('floor_area', 'Enter the square feet of all floors together.')
}

/** DQ-06. */
export function* missingOccupancy({ property_type }: CheckedProperty): Generator<Draft> {
  if (property_type === 'unknown') yield missing('property_type', 'Choose what the building is used for.', property_type)
  if (property_type === 'other')
    yield draft('property_type', property_type, 'Property type is only "Other"', 'Choose the type that fits the use of the building.')
}

/** DQ-07: more severe for a property of high value. */
export function* missingSprinkler(property: CheckedProperty, { numbers }: CheckContext): Generator<Draft> {
  if (property.sprinklered !== 'unknown') return
  const tiv = tivOf(property)
  const isValuable = tiv >= numbers.sprinklerFromTiv
  const although = isValuable ? ` although the total insured value is ${formatMoney(tiv, property.currency)}` : ''
  const remedy = 'Choose full, partial or none, or take it from a report.'
  yield draft('sprinklered', 'unknown', `Sprinkler protection is unknown${although}`, remedy, { level: isValuable ? 'raised' : 'usual' })
}

/** DQ-10: a leased building may have no building value. */
export function* missingValues(property: CheckedProperty): Generator<Draft> {
  const { id, building_value, interest } = property
  if (tivOf(property) === 0) {
    const problem = 'Building, contents and business income are all empty or 0'
    yield draft('building_value', building_value, problem, 'Enter the insured values.', { identity: `${id} tiv` })
  } else if (building_value === null && interest !== 'leased') {
    yield missing('building_value', 'Enter the replacement cost, or set Interest to Leased when the building is insured by its owner.')
  }
}

/** DQ-12: the imported text has no matching code. */
export function* unmappedCode(property: CheckedProperty): Generator<Draft> {
  const { construction_class, construction_original, property_type, occupancy_original } = property
  if (construction_class === null && isText(construction_original))
    yield unmapped('construction_class', 'Construction', construction_original, 'Choose the ISO class that fits.')
  if ((property_type === 'unknown' || property_type === 'other') && isText(occupancy_original))
    yield unmapped('property_type', 'Occupancy', occupancy_original, 'Choose the property type that fits.')
}

const isText = (value: string | null): value is string => value !== null && value.trim() !== ''

const unmapped = (field: PropertyFieldName, label: string, value: string, remedy: string): Draft =>
  draft(field, value, `${label} "${value}" was not understood`, remedy)
