import type { PropertyFieldName } from '#contract/property-fields.ts'
import { CONSTRUCTION_CLASSES, PROPERTY_TYPES, SPRINKLERED } from '#contract/property-vocabularies.ts'
import type { CheckContext } from './check-rules.ts'
import { contentsOf, type CheckedProperty } from './checked-property.ts'
import { formatMoney, formatNumber, type Draft } from './finding.ts'

const classLabels: Readonly<Record<string, string>> = CONSTRUCTION_CLASSES
const typeLabels: Readonly<Record<string, string>> = PROPERTY_TYPES
const sprinklerLabels: Readonly<Record<string, string>> = SPRINKLERED

const FRAME = '1'
const COMBUSTIBLE = new Set<string | null>([FRAME, '2'])
const MASONRY = new Set<string | null>(['2', '4'])
const LOW_RISE = new Set(['parking', 'warehouse'])
const MOBILE_HOME = /\b(mobile|manufactured) home/i

type Rule = (property: CheckedProperty, context: CheckContext) => Draft | undefined

const doubt = (field: PropertyFieldName, value: string, problem: string, remedy: string): Draft => ({
  field,
  value,
  level: 'usual',
  problem,
  remedy,
})

const construction: Rule = ({ construction_class, stories }, { rules }) =>
  construction_class === FRAME && stories !== null && stories > rules.numbers.frameStoriesMax
    ? doubt(
        'stories',
        `frame ${stories}`,
        `${formatNumber(stories)} stories in frame construction are not plausible`,
        'Check the stories and the construction class.',
      )
    : undefined

const age: Rule = ({ construction_class, year_built }, { rules }) =>
  COMBUSTIBLE.has(construction_class) && year_built !== null && year_built > 0 && year_built < rules.numbers.combustibleBuiltFrom
    ? doubt(
        'year_built',
        `${construction_class} ${year_built}`,
        `Year built ${year_built} is not plausible for ${classLabels[construction_class ?? '']?.slice(2).toLowerCase()}`,
        'Check the year and the construction class.',
      )
    : undefined

const height: Rule = ({ property_type, stories }, { rules }) =>
  LOW_RISE.has(property_type) && stories !== null && stories > rules.numbers.lowRiseStoriesMax
    ? doubt(
        'stories',
        `${property_type} ${stories}`,
        `${formatNumber(stories)} stories are not plausible for ${typeLabels[property_type]?.toLowerCase()}`,
        'Check the stories and the property type.',
      )
    : undefined

const area: Rule = ({ stories, floor_area }, { rules }) =>
  stories !== null && stories > 1 && floor_area !== null && floor_area < rules.numbers.areaPerStoryMinSqft * stories
    ? doubt(
        'floor_area',
        `${stories} ${floor_area}`,
        `Total floor area of ${formatNumber(floor_area)} sq ft is small for ${formatNumber(stories)} stories`,
        'Check that the area covers all floors.',
      )
    : undefined

const mobileHome: Rule = ({ construction_class, occupancy_original, description, property_name }) => {
  const said = [occupancy_original, description, property_name].find((words) => words !== null && MOBILE_HOME.test(words))
  return said !== undefined && said !== null && MASONRY.has(construction_class)
    ? doubt(
        'construction_class',
        `mobile home ${construction_class}`,
        `A mobile home is not ${classLabels[construction_class ?? '']?.slice(2).toLowerCase()}`,
        'Check the construction class.',
      )
    : undefined
}

const contents: Rule = (property, { rules }) => {
  const { building_value, currency } = property
  const value = contentsOf(property)
  const times = rules.numbers.contentsTimesBuildingMax
  if (building_value === null || building_value === 0 || value <= times * building_value) return undefined
  return doubt(
    'contents_value',
    `${building_value} ${value}`,
    `Contents of ${formatMoney(value, currency)} are more than ${times} times the building value of ${formatMoney(building_value, currency)}`,
    'Check for thousands written in one column only.',
  )
}

const income: Rule = ({ building_value, bi_value, currency }, { rules }) => {
  const times = rules.numbers.contentsTimesBuildingMax
  if (building_value === null || building_value === 0 || bi_value === null || bi_value <= times * building_value) return undefined
  return doubt(
    'bi_value',
    `${building_value} ${bi_value}`,
    `Business income of ${formatMoney(bi_value, currency)} is more than ${times} times the building value of ${formatMoney(building_value, currency)}`,
    'Check for thousands written in one column only.',
  )
}

const contradicts = (status: string, percent: number) =>
  (status === 'none' && percent > 0) || (status === 'full' && percent < 100) || (status === 'partial' && (percent <= 0 || percent >= 100))

const sprinkler: Rule = ({ sprinklered, percent_sprinklered }) =>
  percent_sprinklered !== null && contradicts(sprinklered, percent_sprinklered)
    ? doubt(
        'percent_sprinklered',
        `${sprinklered} ${percent_sprinklered}`,
        `${formatNumber(percent_sprinklered)} % sprinklered contradicts sprinkler protection "${sprinklerLabels[sprinklered]}"`,
        'Correct the one or the other.',
      )
    : undefined

const roof: Rule = ({ roof_year, year_built }) =>
  roof_year !== null && year_built !== null && roof_year < year_built
    ? doubt(
        'roof_year',
        `${year_built} ${roof_year}`,
        `The roof of ${roof_year} is older than the building of ${year_built}`,
        'Correct one of the two years.',
      )
    : undefined

const future: Rule = ({ year_built }, { today }) =>
  year_built !== null && year_built < 9999 && year_built > Number(today.slice(0, 4))
    ? doubt(
        'year_built',
        `future ${year_built}`,
        `Year built ${year_built} is in the future`,
        'Correct the year, or set the property type to Vacant / under construction and confirm.',
      )
    : undefined

const RULES: readonly Rule[] = [construction, age, height, area, mobileHome, contents, income, sprinkler, roof, future]

/** DQ-13: reasonability rules; each that fails is a finding of its own, on the field that is most likely wrong. */
export function implausible(property: CheckedProperty, context: CheckContext): Draft[] {
  return RULES.map((rule) => rule(property, context)).filter((draft) => draft !== undefined)
}
