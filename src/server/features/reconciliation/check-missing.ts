import type { PropertyFieldName } from '#contract/property-fields.ts'
import type { CheckContext } from './check-rules.ts'
import { tivOf, type CheckedProperty } from './checked-property.ts'
import { formatMoney, labelOf, type Draft } from './finding.ts'

const missing = (field: PropertyFieldName, remedy: string, value: string | null = null): Draft => ({
  field,
  value,
  level: 'usual',
  problem: `${labelOf(field)} is missing`,
  remedy,
})

/** DQ-03. */
export const missingConstruction = ({ construction_class }: CheckedProperty): Draft[] =>
  construction_class === null ? [missing('construction_class', 'Choose the ISO class, or take it from a document.')] : []

/** Years that older systems write for "unknown". */
const UNKNOWN_YEARS = new Set([0, 1111, 9999])

/** DQ-04. */
export const missingYearBuilt = ({ year_built }: CheckedProperty): Draft[] =>
  year_built === null || UNKNOWN_YEARS.has(year_built) ? [missing('year_built', 'Enter the year, or take it from a document.')] : []

/** DQ-05: one finding for each of the two. */
export const missingSize = ({ stories, floor_area }: CheckedProperty): Draft[] => [
  ...(stories === null ? [missing('stories', 'Enter the number of stories above ground.')] : []),
  ...(floor_area === null ? [missing('floor_area', 'Enter the square feet of all floors together.')] : []),
]

/** DQ-06. */
export const missingOccupancy = ({ property_type }: CheckedProperty): Draft[] =>
  property_type === 'unknown'
    ? [missing('property_type', 'Choose what the building is used for.', property_type)]
    : property_type === 'other'
      ? [
          {
            field: 'property_type',
            value: property_type,
            level: 'usual',
            problem: 'Property type is only "Other"',
            remedy: 'Choose the type that fits the use of the building.',
          },
        ]
      : []

/** DQ-07: matters more the more is at stake. */
export function missingSprinkler(property: CheckedProperty, { rules }: CheckContext): Draft[] {
  if (property.sprinklered !== 'unknown') return []
  const { sprinklerFromTiv } = rules.numbers
  const raised = tivOf(property) >= sprinklerFromTiv
  const problem = raised
    ? `Sprinkler protection is unknown although the total insured value is ${formatMoney(tivOf(property), property.currency)}`
    : 'Sprinkler protection is unknown'
  return [
    {
      field: 'sprinklered',
      value: 'unknown',
      level: raised ? 'raised' : 'usual',
      problem,
      remedy: 'Choose full, partial or none, or take it from a report.',
    },
  ]
}

/** DQ-10: a leased building may have no building value. */
export function missingValues(property: CheckedProperty): Draft[] {
  if (tivOf(property) === 0)
    return [
      {
        field: 'building_value',
        value: property.building_value,
        level: 'usual',
        problem: 'Building, contents and business income are all empty or 0',
        remedy: 'Enter the insured values.',
        identity: `${property.id} tiv`,
      },
    ]
  if (property.building_value === null && property.interest !== 'leased')
    return [missing('building_value', 'Enter the replacement cost, or set Interest to Leased when the building is insured by its owner.')]
  return []
}

const isText = (value: string | null): value is string => value !== null && value.trim() !== ''

/** DQ-12: the source said something that no code of ours stands for. */
export function unmappedCode({ construction_class, construction_original, property_type, occupancy_original }: CheckedProperty): Draft[] {
  const drafts: Draft[] = []
  if (construction_class === null && isText(construction_original))
    drafts.push(unread('construction_class', 'Construction', construction_original, 'Choose the ISO class that fits.'))
  if ((property_type === 'unknown' || property_type === 'other') && isText(occupancy_original))
    drafts.push(unread('property_type', 'Occupancy', occupancy_original, 'Choose the property type that fits.'))
  return drafts
}

const unread = (field: PropertyFieldName, what: string, value: string, remedy: string): Draft => ({
  field,
  value,
  level: 'usual',
  problem: `${what} "${value}" was not understood`,
  remedy,
})
