import { WIDESPREAD_COUNT_MIN, WIDESPREAD_SHARE } from './checks.ts'
import type { CheckId } from './checks.ts'
import { formatNumber } from './format.ts'

/** Whether a check hits most of the properties: then it is one sentence about the schedule instead of many discrepancies. */
export const isWidespread = (hit: number, properties: number): boolean => hit >= WIDESPREAD_COUNT_MIN && hit > WIDESPREAD_SHARE * properties

interface Topic {
  problem: string
  remedy: string
  /** Only discrepancies on this field; and only those on an empty or a filled field, if given. */
  field?: string
  empty?: boolean
  /** The field of all discrepancies of the check; with others, each field is named. */
  only?: string
}

const COLUMN = 'ask for one column'
/** Where most properties have a value, the schedule has the column. */
const THE_MISSING = 'ask for the missing ones'
const ADDRESSES = 'ask for complete addresses'
const CONFIRM = 'confirm that it is no placeholder'

/** What to say about a schedule in which a check hits most properties. The last topic of a check is about all of its discrepancies. */
const TOPICS: Record<CheckId, readonly Topic[]> = {
  'DQ-01': [
    { field: 'address', problem: 'The street address is incomplete', remedy: ADDRESSES },
    { field: 'city', problem: 'The city is missing', remedy: COLUMN },
    { field: 'postal_code', problem: 'The ZIP or postal code is missing', remedy: COLUMN },
    { problem: 'The address is incomplete', remedy: ADDRESSES },
  ],
  'DQ-02': [{ problem: 'State and ZIP disagree', remedy: 'check whether a column moved' }],
  'DQ-03': [{ problem: 'The construction class is missing', remedy: COLUMN }],
  'DQ-04': [{ problem: 'The year built is missing', remedy: COLUMN }],
  'DQ-05': [
    { field: 'stories', problem: 'The number of stories is missing', remedy: COLUMN },
    { field: 'floor_area', problem: 'The floor area is missing', remedy: COLUMN },
    { problem: 'Stories or floor area are missing', remedy: 'ask for two columns' },
  ],
  'DQ-06': [{ problem: 'The occupancy is missing', remedy: COLUMN }],
  'DQ-07': [{ problem: 'Sprinkler protection is missing', remedy: COLUMN }],
  'DQ-08': [{ problem: 'The position is missing or not exact', remedy: 'ask for latitude and longitude' }],
  'DQ-09': [{ problem: 'There may be another entry for the same building', remedy: 'check whether the schedule was entered twice' }],
  'DQ-10': [{ problem: 'A value is missing', remedy: 'ask for the insured values' }],
  'DQ-11': [{ problem: 'The value per sq ft is out of band', remedy: 'check the units of values and areas, and the kind of values' }],
  'DQ-13': [{ problem: 'Facts contradict each other', remedy: 'check whether columns were mixed up' }],
  'DQ-14': [{ problem: 'The stated total differs from the sum', remedy: 'check whether a column of values was left out' }],
  'DQ-15': [
    { field: 'valuation_date', empty: true, problem: 'The valuation date is missing', remedy: 'ask for one date' },
    { field: 'valuation_date', empty: false, problem: 'The values are too old', remedy: 'ask for current values' },
    { field: 'valuation_basis', problem: 'The values are not known to be replacement cost', remedy: 'confirm the basis' },
    { problem: 'There is no current valuation', remedy: 'ask for current values and their date', only: 'valuation_date' },
  ],
  'DQ-16': [{ problem: 'A value is repeated', remedy: CONFIRM }],
  'DQ-17': [{ problem: 'The building value is below the appraisal', remedy: 'ask whether the appraised values apply' }],
  'DQ-18': [{ problem: 'The value is concentrated', remedy: 'confirm that the concentration is known' }],
}

/** Properties with an open discrepancy of a check on one field. */
export interface FieldCount {
  field: string | null
  /** Whether the discrepancy is that the field is empty. */
  empty: boolean
  count: number
  /** Of a check in SCHEDULE_CHECKS: what all of these properties share, such as "Year built is 2000". */
  fact?: string
}

/** "Year built is 2000 on 4,772 of 8,645 properties", for each fact, and what to do about it. */
const sharedFacts = (fields: readonly FieldCount[], where: (count: number) => string): string =>
  fields
    .flatMap(({ fact, count }) => (fact === undefined ? [] : [{ fact, count }]))
    .toSorted((one, other) => other.count - one.count)
    .map(({ fact, count }) => `${fact} on ${where(count)} properties: ${CONFIRM}`)
    .join('. ')

/**
 * "The floor area is missing on all 756 properties", and what to do about it. If a field alone is widespread, or nothing is true of all, names each
 * field, since no other count includes its discrepancies; otherwise what the discrepancies of the check have in common. `hit` is the
 * number of properties with an open discrepancy of the check. `isSame` is false if the schedule has another number of properties now than the `properties` that were checked; then the counts do not belong together.
 */
export function scheduleSentence(check: CheckId, hit: number, fields: readonly FieldCount[], properties: number, isSame = true): string {
  const counted = (count: number) =>
    count === properties ? `all ${formatNumber(count)}` : `${formatNumber(count)} of ${formatNumber(properties)}`
  const facts = sharedFacts(fields, (count) => (isSame ? counted(count) : 'several'))
  if (facts !== '') return facts
  const countOf = ({ field, empty }: Topic) =>
    fields.filter((one) => one.field === field && (empty === undefined || one.empty === empty)).reduce((sum, { count }) => sum + count, 0)
  const named = TOPICS[check].filter((topic) => topic.field !== undefined && countOf(topic) > 0)
  const isShared = (topic: Topic) => isWidespread(countOf(topic), properties)
  const shared = named.filter(isShared)
  const common = TOPICS[check].slice(-1)
  const isOfAll = common.every(({ only }) => only === undefined || named.every(({ field }) => field === only))
  const shown = shared.length > 0 || !isOfAll ? [...shared, ...named.filter((topic) => !isShared(topic))] : common
  return shown
    .map((topic) => {
      const count = topic.field === undefined ? hit : countOf(topic)
      const where = isSame ? counted(count) : topic.field === undefined || isShared(topic) ? 'most' : 'some'
      const remedy = topic.remedy === COLUMN && topic.field !== undefined && !isShared(topic) ? THE_MISSING : topic.remedy
      return `${topic.problem} on ${where} properties: ${remedy}`
    })
    .join('. ')
}
