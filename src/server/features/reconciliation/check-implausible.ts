import { choiceLabel, type PropertyFieldName } from '#contract/property-fields.ts'
import { formatMoney, formatNumber } from '#contract/format.ts'
import { contentsOf, draft, type CheckContext, type CheckedProperty, type Draft } from './check.ts'

const FRAME = '1'
const COMBUSTIBLE = new Set<string | null>([FRAME, '2'])
const MASONRY = new Set<string | null>(['2', '4'])
const LOW_RISE = new Set(['parking', 'warehouse'])
const MOBILE_HOME = /\b(mobile|manufactured) home/i
const UNKNOWN_YEAR = 9999

/** DQ-13: each combination that is not plausible is a finding on the field that is most likely wrong. */
export function* implausible(property: CheckedProperty, context: CheckContext): Generator<Draft> {
  yield* implausibleConstruction(property, context)
  yield* implausibleSize(property, context)
  yield* implausibleValues(property, context)
  yield* implausibleProtection(property)
  yield* implausibleYears(property, context)
}

/** "frame", without the number of the class. */
const className = (code: string | null) =>
  choiceLabel('construction_class', code ?? '')
    .slice(2)
    .toLowerCase()

function* implausibleConstruction(property: CheckedProperty, { numbers }: CheckContext): Generator<Draft> {
  const { construction_class, stories, year_built } = property
  if (construction_class === FRAME && stories !== null && stories > numbers.frameStoriesMax) {
    const problem = `${formatNumber(stories)} stories in frame construction are not plausible`
    yield draft('stories', `frame ${stories}`, problem, 'Check the stories and the construction class.')
  }
  if (COMBUSTIBLE.has(construction_class) && year_built !== null && year_built > 0 && year_built < numbers.combustibleBuiltFrom) {
    const problem = `Year built ${year_built} is not plausible for ${className(construction_class)}`
    yield draft('year_built', `${construction_class} ${year_built}`, problem, 'Check the year and the construction class.')
  }
  const isMobileHome = [property.occupancy_original, property.description, property.property_name].some(
    (text) => text !== null && MOBILE_HOME.test(text),
  )
  if (isMobileHome && MASONRY.has(construction_class)) {
    const problem = `A mobile home is not ${className(construction_class)}`
    yield draft('construction_class', `mobile home ${construction_class}`, problem, 'Check the construction class.')
  }
}

function* implausibleSize({ property_type, stories, floor_area }: CheckedProperty, { numbers }: CheckContext): Generator<Draft> {
  if (stories === null) return
  if (LOW_RISE.has(property_type) && stories > numbers.lowRiseStoriesMax) {
    const problem = `${formatNumber(stories)} stories are not plausible for ${choiceLabel('property_type', property_type).toLowerCase()}`
    yield draft('stories', `${property_type} ${stories}`, problem, 'Check the stories and the property type.')
  }
  if (stories > 1 && floor_area !== null && floor_area < numbers.areaPerStoryMinSqft * stories) {
    const problem = `Total floor area of ${formatNumber(floor_area)} sq ft is small for ${formatNumber(stories)} stories`
    yield draft('floor_area', `${stories} ${floor_area}`, problem, 'Check that the area covers all floors.')
  }
}

function* implausibleValues(property: CheckedProperty, { numbers }: CheckContext): Generator<Draft> {
  const { building_value: building, bi_value, currency } = property
  if (building === null || building === 0) return
  const times = numbers.contentsTimesBuildingMax
  const tooLarge = (field: PropertyFieldName, subject: string, value: number) =>
    draft(
      field,
      `${building} ${value}`,
      `${subject} more than ${times} times the building value of ${formatMoney(building, currency)}`,
      'Check for thousands written in one column only.',
    )
  const contents = contentsOf(property)
  if (contents > times * building) yield tooLarge('contents_value', `Contents of ${formatMoney(contents, currency)} are`, contents)
  if (bi_value !== null && bi_value > times * building)
    yield tooLarge('bi_value', `Business income of ${formatMoney(bi_value, currency)} is`, bi_value)
}

function* implausibleProtection({ sprinklered, percent_sprinklered: percent }: CheckedProperty): Generator<Draft> {
  if (percent === null || !contradicts(sprinklered, percent)) return
  const problem = `${formatNumber(percent)}% sprinklered contradicts sprinkler protection "${choiceLabel('sprinklered', sprinklered)}"`
  yield draft('percent_sprinklered', `${sprinklered} ${percent}`, problem, 'Correct one of the two.')
}

const contradicts = (sprinklered: string, percent: number) =>
  (sprinklered === 'none' && percent > 0) ||
  (sprinklered === 'full' && percent < 100) ||
  (sprinklered === 'partial' && (percent <= 0 || percent >= 100))

function* implausibleYears({ year_built, roof_year }: CheckedProperty, { today }: CheckContext): Generator<Draft> {
  if (year_built === null) return
  if (roof_year !== null && roof_year < year_built) {
    const problem = `The roof of ${roof_year} is older than the building of ${year_built}`
    yield draft('roof_year', `${year_built} ${roof_year}`, problem, 'Correct one of the two years.')
  }
  if (year_built < UNKNOWN_YEAR && year_built > Number(today.slice(0, 4))) {
    const remedy = 'Correct the year, or set the property type to Vacant / under construction and confirm.'
    yield draft('year_built', `future ${year_built}`, `Year built ${year_built} is in the future`, remedy)
  }
}
