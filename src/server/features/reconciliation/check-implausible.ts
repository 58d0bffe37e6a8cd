import { choiceLabel, type PropertyFieldName } from '#contract/property-fields.ts'
import { formatMoney, formatNumber, sentenceCase } from '#contract/format.ts'
import { contentsOf, draft, type CheckContext, type CheckedProperty, type Draft } from './check.ts'

const FRAME = '1'
const COMBUSTIBLE = new Set<string | null>([FRAME, '2'])
const MASONRY = new Set<string | null>(['2', '4'])
const HOMES = new Set(['residential', 'multifamily'])
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
  if (construction_class === FRAME && stories !== null && stories > numbers.frameStoriesMax && !isPartial(property)) {
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

/** A tenant states the leased area and only a part of the values; a building that is not insured may have no sizes of its own. */
const isPartial = ({ interest, building_value }: CheckedProperty) => interest === 'leased' || building_value === 0

function* implausibleSize(property: CheckedProperty, { numbers }: CheckContext): Generator<Draft> {
  const { property_type, stories, floor_area } = property
  if (stories === null || isPartial(property)) return
  if (LOW_RISE.has(property_type) && stories > numbers.lowRiseStoriesMax) {
    const problem = `${formatNumber(stories)} stories are not plausible for ${choiceLabel('property_type', property_type).toLowerCase()}`
    yield draft('stories', `${property_type} ${stories}`, problem, 'Check the stories and the property type.')
  }
  const perStory = HOMES.has(property_type) ? numbers.areaPerStoryHomeMinSqft : numbers.areaPerStoryMinSqft
  if (stories > 1 && floor_area !== null && floor_area < perStory * stories) {
    const problem = `Total floor area of ${formatNumber(floor_area)} sq ft is small for ${formatNumber(stories)} stories`
    yield draft('floor_area', `${stories} ${floor_area}`, problem, 'Check that the area covers all floors.')
  }
}

/** One finding, because the building value is most likely too small for both. */
function* implausibleValues(property: CheckedProperty, { numbers }: CheckContext): Generator<Draft> {
  const { building_value: building, bi_value, currency } = property
  if (building === null || isPartial(property)) return
  const times = numbers.contentsTimesBuildingMax
  const parts: [PropertyFieldName, string, number][] = [
    ['contents_value', 'contents', contentsOf(property)],
    ['bi_value', 'business income', bi_value ?? 0],
  ]
  const tooLarge = parts.filter(([, , value]) => value > times * building)
  const [first] = tooLarge
  if (first === undefined) return
  const subject = sentenceCase(tooLarge.map(([, label, value]) => `${label} of ${formatMoney(value, currency)}`).join(' and '))
  const verb = tooLarge.length === 1 && first[0] === 'bi_value' ? 'is' : 'are'
  const problem = `${subject} ${verb} more than ${times} times the building value of ${formatMoney(building, currency)}`
  yield draft(first[0], `${building} ${first[2]}`, problem, 'Check for thousands written in one column only.')
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
