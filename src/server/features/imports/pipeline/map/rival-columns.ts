import { IMPORT_CONFIRM_SCORE, IMPORT_MAPPED_SCORE } from '#contract/limits.ts'
import { isMoneyField, type HeaderTarget } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { sourceRank } from '#server/features/imports/pipeline/read/value-source.ts'
import { SAVED_RANK, type Pair } from './pair.ts'

const NUMBER_WORDS = /\b(number|id|code|reference)\b/

/**
 * Whether a column whose header says nothing of numbers, such as “Site” and “Location”, has no location numbers because another column has:
 * with the building numbers, or without any names.
 */
export const hasOtherNumbers = (pair: Pair, all: readonly Pair[]): boolean =>
  pair.target === 'location_number' &&
  pair.rank !== SAVED_RANK &&
  !NUMBER_WORDS.test(pair.words) &&
  all.some(
    (other) =>
      other.index !== pair.index &&
      other.score >= IMPORT_CONFIRM_SCORE &&
      (other.target === 'location_building' || (other.target === 'location_number' && pair.hasNames && !other.hasNames)),
  )

const FILLED_SHARE_MIN = 0.25
/** Columns whose means differ by less have the same values. */
const SAME_MEAN = 0.001

/** Whether a pair loses to another column with the same words: it is older, hidden, without any amount, or nearly empty in comparison. */
export function supersedes(other: Pair, pair: Pair): boolean {
  if (other.target !== pair.target || pair.rank === SAVED_RANK) return false
  if (isOfBetterSource(other, pair)) return true
  if (other.words !== pair.words) return false
  if (other.score < IMPORT_CONFIRM_SCORE) return false
  if (isMoneyField(pair.target) && (pair.mean === 0) !== (other.mean === 0)) return pair.mean === 0
  if (pair.filled < other.filled * FILLED_SHARE_MIN) return true
  if (other.filled === 0 || other.filled < pair.filled * FILLED_SHARE_MIN) return false
  if (pair.hidden && !other.hidden && (other.period === 0 || other.period === pair.period)) return true
  return pair.period !== 0 && other.period > pair.period
}

/** Whether another column with other words has other values of the same field: a user must confirm which one is meant. */
export const hasRival = (pair: Pair, all: readonly Pair[]): boolean =>
  isMoneyField(pair.target) &&
  pair.target !== 'stated_tiv' &&
  !isSummable(pair.target) &&
  all.some(
    (other) =>
      other.index !== pair.index &&
      other.target === pair.target &&
      isWellNamed(other, 0.9) &&
      isAsFilled(other, pair) &&
      other.mean > 0 &&
      sourceRank(other.source) >= sourceRank(pair.source) &&
      Math.abs(other.mean - pair.mean) > pair.mean * SAME_MEAN,
  )

/** Whether a pair has only what was recommended or appraised, and another column the values of the client. */
const isOfBetterSource = (other: Pair, pair: Pair): boolean =>
  isMoneyField(pair.target) &&
  sourceRank(other.source) > sourceRank(pair.source) &&
  (pair.source === 'recommended' || other.source !== null) &&
  isWellNamed(other, 0.8) &&
  isAsFilled(other, pair) &&
  other.filled > 0

const isWellNamed = ({ headerScore, score }: Pair, headerScoreMin: number): boolean =>
  headerScore >= headerScoreMin && score >= IMPORT_CONFIRM_SCORE

/** Whether a column of the same period has values in enough of the rows to replace another one. */
const isAsFilled = (other: Pair, pair: Pair): boolean => other.period === pair.period && other.filled >= pair.filled * FILLED_SHARE_MIN

/** Whether a column has the values of one source while another column has those of another one, or only recommended ones. */
export const isOfDoubtfulSource = (pair: Pair, all: readonly Pair[]): boolean =>
  isMoneyField(pair.target) &&
  (pair.source === 'recommended' ||
    all.some(
      ({ index, target, source, headerScore, filled }) =>
        index !== pair.index &&
        target === pair.target &&
        filled > 0 &&
        headerScore >= 0.8 &&
        (source === 'recommended' || (pair.source === 'client' && source === 'appraised')),
    ))

/** A part of a total must be confirmed, since its header does not say what is insured. */
const PART_SCORE = 0.8

/**
 * The second column of a total, if its amounts are smaller and no column has the building values: "Insurable Value" next to "Rents" and
 * "Total" is the value of the building.
 */
export function partOfTotal(pairs: readonly Pair[], used: ReadonlyMap<HeaderTarget, Pair>): Pair | undefined {
  const total = used.get('stated_tiv')
  if (!total || used.has('building_value')) return undefined
  const isPart = ({ target, period, words, mean }: Pair) =>
    target === 'stated_tiv' && period === total.period && mean > 0 && mean < total.mean && !isLimit(words)
  const taken = new Set([...used.values()].map(({ index }) => index))
  const part = pairs.find((pair) => isPart(pair) && !taken.has(pair.index))
  return part && { ...part, target: 'building_value', score: PART_SCORE }
}

/** Fields to which several columns may be mapped; their values are added. */
export const isSummable = (target: string): boolean => target === 'bi_value' || target === 'contents_value'

const isTotal = (words: string): boolean => /\b(total|combined)\b/.test(words)
/** The parts that gross earnings are computed of. */
const isEarningsPart = (words: string): boolean => /\b(net income|continuing|cont exp|payroll)\b/.test(words)
const isExtra = (words: string): boolean => /\b(extra|ee value|rents?|rental)\b/.test(words)
/** Whether a column has only a part of the business income, which a user must confirm. */
const isPartOfIncome = ({ target, words }: Pair): boolean =>
  target === 'bi_value' && !isTotal(words) && (isEarningsPart(words) || /^extra\b/.test(words))

/** Whether a column has the property damage of a location: that of its contents, too, if no other column has these, which a user must confirm. */
const isWithContents = ({ target, words }: Pair, hasContents: boolean): boolean =>
  target === 'building_value' && !hasContents && /\b(pd|damage)\b/.test(words)

/** Whether a column has a part of the values of its field, or those of another field, too. */
export const isPart = (pair: Pair, hasContents: boolean): boolean => isPartOfIncome(pair) || isWithContents(pair, hasContents)

/** Whether the company confirmed the column of a pair for another target. */
function savedElsewhere(all: readonly Pair[]): (pair: Pair) => boolean {
  const saved = new Map(all.filter(({ rank }) => rank === SAVED_RANK).map(({ index, target }) => [index, target]))
  return ({ index, target }) => (saved.get(index) ?? target) !== target
}

/**
 * Pairs of columns that add up the values of several fields, which are imported themselves: `Total BPP` after `M&E` and `FF&E`. A header that
 * names a value and no total has this value regardless of what its amounts add up to.
 */
export function sumsOfFields(all: readonly Pair[], sums: ReadonlyMap<number, readonly number[]>): Set<Pair> {
  const isSavedElsewhere = savedElsewhere(all)
  const isNamed = (pair: Pair) => isMoneyField(pair.target) && pair.headerScore >= 0.9 && !isSavedElsewhere(pair)
  const fieldOf = (column: number) => all.find((pair) => pair.index === column && isNamed(pair))?.target
  const isOfFields = (parts: readonly number[] = []) => new Set(parts.flatMap((part) => fieldOf(part) ?? [])).size > 1
  return new Set(
    all.filter(
      (pair) =>
        isMoneyField(pair.target) &&
        pair.target !== 'stated_tiv' &&
        pair.rank !== SAVED_RANK &&
        (isTotal(pair.words) || !isNamed(pair)) &&
        isOfFields(sums.get(pair.index)),
    ),
  )
}

/** Whether a value adds up other columns in rows that vary, although its header does not say so: a user must confirm that it is none of these. */
export const mayBeSum = ({ index, target, words }: Pair, sums: ReadonlyMap<number, unknown>): boolean =>
  sums.has(index) && isMoneyField(target) && target !== 'stated_tiv' && !isTotal(words)

/** Pairs of columns whose amounts another column includes: the parts of `Total BI/EE`, and those of gross earnings next to these. */
export function includedInOthers(all: readonly Pair[]): Set<Pair> {
  const isSavedElsewhere = savedElsewhere(all)
  const summable = all.filter(({ target }) => isSummable(target))
  const isUsable = (pair: Pair) =>
    pair.headerScore >= 0.9 && pair.score >= IMPORT_CONFIRM_SCORE && pair.mean > 0 && !isLimit(pair.words) && !isSavedElsewhere(pair)
  const includes = (other: Pair, pair: Pair) => {
    if (other.index === pair.index || other.target !== pair.target || other.period !== pair.period || !isUsable(other)) return false
    if (isTotal(other.words)) return !isTotal(pair.words) && other.mean >= pair.mean
    return isEarningsPart(pair.words) && !isEarningsPart(other.words) && !isExtra(other.words) && other.target === 'bi_value'
  }
  return new Set(summable.filter((pair) => summable.some((other) => includes(other, pair))))
}

/** Columns with different measures of one thing, such as its limit and its value, are not parts of a sum. */
export function canAddUp({ target, score, headerScore, words, period }: Pair, first: Pair): boolean {
  const areParts = isLimit(words) === isLimit(first.words) && insuredIn(words) !== insuredIn(first.words)
  return isSummable(target) && headerScore >= 0.9 && score >= IMPORT_MAPPED_SCORE && areParts && period === first.period
}

export const isLimit = (words: string): boolean => /\blimits?\b/.test(words)
const MEASURE =
  /^(of|blanket|appraised|appraisal|crn|value|values|limit|limits|sum|sums|insured|insurable|total|rc|rcv|rcn|replacement|cost|costs|tiv|coverage|percent)$/

/** What the words of a header insure, without the measure: `contents` of "contents limit". */
const insuredIn = (words: string): string => {
  const tokens = words
    .replace(/\bbuildings\b/g, 'building')
    .replace(/\b(business )?personal property\b|\bbpp\b/g, 'contents')
    .split(/[^\p{L}\p{N}]+/u)
  const isNamed = (token: string) => token !== '' && !MEASURE.test(token) && !/^\d+$/.test(token)
  return [...new Set(tokens.filter(isNamed))].sort().join(' ')
}

/**
 * Pairs that lose because of a limit of no thing in particular, such as “Policy Limit”: it is the total if no other column has the values of
 * buildings or a total, and otherwise not imported.
 */
export function bareLimits(all: readonly Pair[]): Set<Pair> {
  const isBare = ({ target, words, rank }: Pair) =>
    target === 'stated_tiv' && rank !== SAVED_RANK && isLimit(words) && !/\b(total|combined)\b/.test(words)
  const isOfBuildings = ({ target, words, hasAmounts, exceedsNumbers }: Pair) =>
    target === 'stated_tiv' || (target === 'building_value' && (words !== 'building' || hasAmounts || exceedsNumbers))
  const isValue = (other: Pair) => isOfBuildings(other) && !isBare(other) && other.score >= IMPORT_CONFIRM_SCORE && other.mean > 0
  const bare = all.filter(isBare)
  if (bare.some(({ index }) => all.some((other) => other.index !== index && isValue(other)))) return new Set(bare)
  const amounts = new Set(bare.filter(({ mean, score }) => mean > 0 && score >= IMPORT_CONFIRM_SCORE).map(({ index }) => index))
  return new Set(all.filter(({ index, target, rank }) => target === 'ignore' && rank !== SAVED_RANK && amounts.has(index)))
}

/** A replacement cost alone is that of the building. */
const insuredOf = ({ target, words }: Pair): string => insuredIn(words) || (target === 'building_value' ? 'building' : '')

/** Pairs of columns with limits whose values are in another column. What a policy pays at most is not the insured value. */
export function limitsWithValue(all: readonly Pair[]): Set<Pair> {
  const isSavedElsewhere = savedElsewhere(all)
  const isValueOf = (pair: Pair, other: Pair) =>
    other.target === pair.target &&
    !isLimit(other.words) &&
    insuredOf(other) === insuredOf(pair) &&
    other.headerScore >= 0.9 &&
    other.score >= IMPORT_CONFIRM_SCORE &&
    other.filled >= pair.filled * FILLED_SHARE_MIN &&
    !isSavedElsewhere(other)
  return new Set(
    all.filter(
      (pair) => isMoneyField(pair.target) && isLimit(pair.words) && all.some((other) => other.filled > 0 && isValueOf(pair, other)),
    ),
  )
}
