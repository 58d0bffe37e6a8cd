import { IMPORT_CONFIRM_SCORE } from '#contract/limits.ts'
import { isTivPart } from '#contract/property-fields.ts'
import type { HeaderTarget } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { SAVED_RANK, type Pair } from './pair.ts'

const NAMES: ReadonlySet<HeaderTarget> = new Set(['building_number', 'property_name'] as const)
/** “Building” and “Bldg” alone may be above the number, the name, or the value of the building. */
const BUILDING = 'building'

/** Whether a column with another header has the building values. */
const isElsewhere = (all: readonly Pair[]): boolean =>
  all.some(({ target, words, score }) => target === 'building_value' && words !== BUILDING && score >= IMPORT_CONFIRM_SCORE)

/** Neither a year nor who states the value is in the header. */
const isPlain = ({ words, period, source }: Pair): boolean => words === BUILDING && period === 0 && source === null

/** Other values of a location are rarely this many times those of its building. */
const OTHER_VALUES_MAX = 50

/** Whether the file has other values, and all of them are of the size of these. */
function areLikeOthers({ mean }: Pair, all: readonly Pair[]): boolean {
  const others = all.filter(({ target, words, score }) => isTivPart(target) && words !== BUILDING && score >= IMPORT_CONFIRM_SCORE)
  return others.length > 0 && others.every((other) => other.mean < mean * OTHER_VALUES_MAX)
}

/**
 * Of such columns, the one whose amounts are the largest, however small they are: the file may be in thousands. Undefined if none has amounts, if
 * the values are elsewhere, or if a single column has numbers without other values that are like them.
 */
function largestOf(all: readonly Pair[]): Pair | undefined {
  const columns = all.filter(isPlain)
  const isLearned = columns.some(({ target, rank }) => target === 'building_value' && rank === SAVED_RANK)
  if (isLearned || isElsewhere(all)) return undefined
  const [largest] = columns.filter(({ exceedsNumbers }) => exceedsNumbers).sort((a, b) => b.mean - a.mean || a.index - b.index)
  const isOnly = !columns.some(({ index }) => index !== largest?.index)
  return largest !== undefined && (!isOnly || areLikeOthers(largest, all)) ? largest : undefined
}

/**
 * Pairs of columns “Building” that take values for numbers and names, or these for values: the cells are certainly money, or they are amounts and
 * no column with another header has the building values, or another such column has larger ones.
 */
export function misreadBuildings(all: readonly Pair[]): Set<Pair> {
  const [largest, haveOthers] = [largestOf(all), isElsewhere(all)]
  const hasValues = (pair: Pair) =>
    pair.isMoney || (pair.hasAmounts && pair.words === BUILDING && !haveOthers) || pair.index === largest?.index
  const isSmaller = (pair: Pair) =>
    largest !== undefined && isPlain(pair) && pair.index !== largest.index && !pair.isMoney && !pair.hasAmounts
  return new Set(all.filter((pair) => (NAMES.has(pair.target) ? hasValues(pair) : pair.target === 'building_value' && isSmaller(pair))))
}
