import { IMPORT_CONFIRM_SCORE } from '#contract/limits.ts'
import { wordField, wordKey } from '#contract/import-words.ts'
import { isTivPart, propertyField } from '#contract/property-fields.ts'
import { cellText, isFilled, sampleOf, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { isFieldName, isMoneyField, type HeaderTarget } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { normalizeHeader, scoreHeader, type HeaderScore, type NormalizedHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { namesForeignStates } from '#server/features/imports/pipeline/validate/foreign-states.ts'
import type { WordCodes } from '#server/features/imports/pipeline/validate/results.ts'
import { isDitto } from '#server/features/imports/pipeline/validate/ditto.ts'
import { currencyIn } from '#server/features/imports/pipeline/read/currency-signs.ts'
import { columnStyle } from './column-style.ts'
import type { FileSettings } from './file-settings.ts'
import { namedByCells } from './currency-cells.ts'
import { findHouseNumbers } from './house-number-column.ts'
import { partOfYear } from '#server/features/imports/pipeline/read/part-of-year.ts'
import { isAddressColumn, isCityColumn, isNumberColumn, isSplitTarget, proposeSplit, proposeStreet } from './propose-split.ts'
import { SAVED_RANK, type Pair } from './pair.ts'
import {
  areDays,
  areFractions,
  areForeignCountries,
  countOn,
  exceedCodes,
  hasAmounts,
  hasNames,
  hasSomeMoney,
  hasSomeValues,
  isCertainMoney,
  meanAmount,
  valueScore,
} from './value-score.ts'

/** A column to map; `cells` may be a sample. */
export interface SheetColumn {
  column: string
  header: string
  cells: readonly Cell[]
  hidden?: boolean
}

/** A column with what its header means and a sample of its cells, which several decisions need. */
export interface ReadColumn {
  column: SheetColumn
  normalized: NormalizedHeader
  scored: HeaderScore[]
  /** Number of filled cells. */
  filled: number
  /** Of the filled cells, without marks in place of the value above. */
  sample: readonly Cell[]
}

export function readHeader(column: SheetColumn): ReadColumn {
  const normalized = normalizeHeader(column.header)
  const filled = column.cells.filter(isFilled)
  return {
    column,
    normalized,
    scored: scoreHeader(normalized),
    filled: filled.length,
    sample: sampleOf(filled.filter((cell) => !(typeof cell === 'string' && isDitto(cell)))),
  }
}

const VALUE_SCORE_MIN = 0.5
const EMPTY_COLUMN_VALUE_SCORE = 0.75
const ONLY_LOCATION_SCORE = 0.6
const KNOWN_HEADER_SCORE = 0.9

interface FileFacts {
  settings: FileSettings
  choices: WordCodes
  /** Whether most locations are outside of the United States and Canada. */
  isForeign: boolean
  hasCity: boolean
  hasAddress: boolean
  hasNumbers: boolean
  /** Whether a column certainly has the numbers of buildings, several ones. */
  hasBuildings: boolean
  /** Whether columns have values, but none is called something like building value: “Building” alone may be its number. */
  lacksBuildings: boolean
  /** Whether a column with another name than “Building” has the numbers of buildings. */
  isNumbered: boolean
  /** The columns of streets and of their house numbers. */
  houses: ReturnType<typeof findHouseNumbers>
}

const isBuildingNumber = ({ target, score }: HeaderScore): boolean => target === 'building_number' && score >= KNOWN_HEADER_SCORE

/** All buildings of a schedule may be at one location, which its user confirms. */
const isOnlyLocation = (target: HeaderTarget, sample: readonly Cell[], { hasBuildings }: FileFacts): boolean =>
  target === 'location_number' && hasBuildings && new Set(sample.map(cellText)).size === 1

/** What all columns together say about each of them. */
export function fileFacts(columns: readonly ReadColumn[], settings: FileSettings, choices: WordCodes): FileFacts {
  const has = (test: typeof isCityColumn) => columns.some(({ scored, sample }) => test(scored, sample))
  const others = columns.filter(({ normalized }) => normalized.words !== BUILDING)
  const named = others.flatMap(({ scored }) => scored.filter(({ score }) => score >= KNOWN_HEADER_SCORE).map(({ target }) => target))
  const country = columns.find(({ scored }) => scored.some(({ target, score }) => target === 'country' && score === 1))
  return {
    settings,
    choices,
    isForeign: areForeignCountries(country?.sample ?? []),
    hasCity: has(isCityColumn),
    hasAddress: has(isAddressColumn),
    hasNumbers: has(isNumberColumn),
    hasBuildings: columns.some(({ scored, sample }) => scored.some(isBuildingNumber) && new Set(sample.map(cellText)).size > 1),
    lacksBuildings: named.some(isTivPart) && !named.includes('building_value'),
    isNumbered: others.some(({ scored, sample }) => sample.length > 0 && scored.some(isBuildingNumber)),
    houses: findHouseNumbers(columns),
  }
}

const canBeValue = (scored: readonly HeaderScore[]): boolean =>
  scored.some(({ target, score }) => isMoneyField(target) && score >= KNOWN_HEADER_SCORE)

/** What the cells of a column say about its amounts. */
const amountsIn = ({ column, scored, sample }: ReadColumn) => ({
  mean: meanAmount(sample),
  hasAmounts: hasAmounts(sample),
  exceedsNumbers: (exceedCodes(sample) && !countOn(sample)) || areFractions(sample),
  isMoney: isCertainMoney(sample) || (canBeValue(scored) && hasSomeMoney(sample)),
  hasNames: hasNames(sample),
  currency: currencyIn(column.header),
})

/** What a column may mean, by its header and its cells. */
export function pairsOf(index: number, read: ReadColumn, known: string | undefined, file: FileFacts): Pair[] {
  const { settings, choices, isForeign, houses } = file
  const { column, normalized: header, scored, sample } = read
  const isEmpty = sample.length === 0
  const amounts = amountsIn(read)
  const style = columnStyle(header, sample, settings)
  const factor = Math.max(style.factor, header.factor, settings.announcedFactor ?? 1)
  const named = [...scored, ...namedByCells(sample, scored)]
  const split = proposeSplit(named, sample, file)
  const street = split || header.words === '' ? undefined : proposeStreet(named, sample, file)
  const own = settings.isOwn ? scored.find(({ target, score }) => isMoneyField(target) && score === 1) : undefined
  const house = houses?.number === index ? { target: 'house_number' as const, score: houses.score, rank: 0 } : undefined
  const only = own ?? house ?? split ?? street
  const scores = only ? [only] : named
  const areNumbers = own === undefined && isAboveNumbers(read, factor, file)
  const isDoubted = !areNumbers && mayBeValues(header.words, known, sample, file)
  const learned = own || isDoubted ? undefined : learnedTarget(known, read, split ?? street)
  if (learned) scores.push({ target: learned, score: 1, rank: SAVED_RANK })
  const emptyFields = fieldsOfEmpty(column.header, scores)
  return scores.flatMap(({ target, score: headerScore, rank }) => {
    if (isFieldName(target) && !propertyField(target).importable) return []
    // Without streets that lack them, the numbers are others.
    if (target === 'house_number' && rank !== SAVED_RANK && houses?.number !== index) return []
    // One amount for all locations is no value of a location.
    if (isMoneyField(target) && (isBlanket(header.words, sample) || areNumbers)) return []
    // “Equipment ID” and “Inventory Count” are numbers of things, not their values.
    if (isMoneyField(target) && headerScore < 1 && COUNTED.test(header.words)) return []
    // The value is that of twelve months.
    if (target === 'bi_value' && partOfYear(column.header)) return []
    // "Updated" above days is when someone edited the row, not when the building was renovated.
    if (target === 'year_upgraded' && headerScore < KNOWN_HEADER_SCORE && areDays(sample, style)) return []
    if ((header.period !== 0 || header.isMoney) && NAMES.has(target) && scores.some((other) => isMoneyField(other.target))) return []
    const codes = choices.get(wordField(target))
    const open = codes ? sample.filter((cell) => !codes.has(wordKey(cellText(cell)))) : sample
    // A word with a choice fits like one that is understood.
    const isForeignState = target === 'state' && (isForeign || namesForeignStates(header.words))
    const fitting =
      valueScore(isForeignState || (target === 'address' && houses?.street === index) ? 'city' : target, open, style, factor) *
        open.length +
      sample.length -
      open.length
    const emptyScore = headerScore === 1 && emptyFields.has(target) ? EMPTY_COLUMN_VALUE_SCORE : 0
    // The register may have amounts as small as numbers or codes.
    const written = own ? 1 : isOnlyLocation(target, sample, file) ? ONLY_LOCATION_SCORE : fitting / sample.length
    const isOwnWord = settings.isOwn && headerScore === 1 && written >= VALUE_SCORE_MIN
    const value = isEmpty ? emptyScore : isOwnWord ? 1 : written
    const isPoor = value < VALUE_SCORE_MIN
    const isNamed = isPoor && headerScore === 1 && rank !== SAVED_RANK && hasSomeValues(target, sample, style, factor)
    if (isPoor && !isNamed) return []
    const fit = isNamed ? IMPORT_CONFIRM_SCORE : headerScore * (0.4 + 0.6 * value)
    const isUncertain = isDoubted || isForeignState || (header.period < 0 && target !== 'ignore')
    const score = rank === SAVED_RANK ? 1 : isUncertain ? Math.min(fit, UNCERTAIN_SCORE_MAX) : fit
    const { words, period, source } = header
    const facts = { words, period, source, hidden: column.hidden ?? false, filled: read.filled, isEmpty, ...amounts }
    return [{ index, target, score, headerScore, rank, ...facts }]
  })
}

/**
 * What a column without values may be: the one field that its header names, also in an earlier import. Only values show which of several fields
 * is meant, such as the number and the name of a building, unless the header is the label of one.
 */
function fieldsOfEmpty(header: string, scores: readonly HeaderScore[]): ReadonlySet<HeaderTarget> {
  const exact = scores.filter(({ score }) => score === 1)
  const named = exact.filter(({ rank }) => rank !== SAVED_RANK)
  const isClear = ({ target }: HeaderScore) => target === 'ignore' || (isFieldName(target) && propertyField(target).label === header)
  return new Set((named.length > 1 ? exact.filter(isClear) : exact).map(({ target }) => target))
}

const isTarget = (known: string | undefined): known is HeaderTarget =>
  known !== undefined && (isFieldName(known) || known === 'ignore' || isSplitTarget(known))

/** What was learned of the header in earlier files, unless the cells of this one have something else. */
function learnedTarget(
  known: string | undefined,
  { scored, sample }: ReadColumn,
  cells: HeaderScore | undefined,
): HeaderTarget | undefined {
  const isOtherField = cells !== undefined && known !== undefined && known !== cells.target && isFieldName(known)
  const isOther = isOtherField || (known === 'property_name' && areNumbersOf(sample, scored))
  return isTarget(known) && !isOther ? known : undefined
}

/** Whether cells without any letter are below a header of numbers: what was learned of “Location” above names does not apply to “Loc” above 1, 2, 3. */
const areNumbersOf = (sample: readonly Cell[], scored: readonly HeaderScore[]): boolean =>
  scored.some(({ target, score }) => target === 'location_number' && score === 1) &&
  sample.length > 0 &&
  !sample.some((cell) => /\p{L}/u.test(cellText(cell)))

const BUILDING = 'building'

const COUNTED = /\b(id|count|counts|number|code|permit|tag)\b/

/**
 * Whether “Building” alone is above numbers that count on, and nothing announces thousands. Values in thousands may count on, too, next to the
 * numbers of the buildings, if no other column has their values.
 */
const isAboveNumbers = ({ normalized, sample }: ReadColumn, factor: number, { isNumbered, lacksBuildings }: FileFacts): boolean =>
  normalized.words === BUILDING && factor === 1 && countOn(sample) && !(isNumbered && lacksBuildings && exceedCodes(sample))

/**
 * Whether “Building” is above amounts, although it was the number or the name of the building in an earlier file: otherwise no column has the values
 * of the buildings. They may be as small as numbers, in thousands.
 */
const mayBeValues = (words: string, known: string | undefined, sample: readonly Cell[], { lacksBuildings }: FileFacts): boolean =>
  words === BUILDING && (known === 'building_number' || known === 'property_name') && lacksBuildings && exceedCodes(sample)

const isBlanket = (words: string, sample: readonly Cell[]): boolean =>
  /\bblanket\b/.test(words) && sample.length > 1 && new Set(sample.map(cellText)).size === 1

/** Targets that a period, a currency or a factor in the header excludes: only values have one. */
const NAMES: ReadonlySet<HeaderTarget> = new Set(['building_number', 'property_name'] as const)

/**
 * Columns that must be confirmed: values of the last period, and states of other countries, of which only is recognized that they are
 * words.
 */
const UNCERTAIN_SCORE_MAX = 0.8
