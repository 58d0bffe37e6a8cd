import { countryFromText } from '#contract/countries.ts'
import { type PropertyFieldName, propertyField } from '#contract/property-fields.ts'
import { stateFromText } from '#contract/regions.ts'
import { cellText, isLiteral, lineText, looksEuropean, parseNumber, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { isFieldName, type HeaderTarget } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { hasUnclearDot } from '#server/features/imports/pipeline/validate/ambiguous-texts.ts'
import { isHouseNumber } from '#server/features/imports/pipeline/validate/house-number.ts'
import { readCell, takesLiteral, withoutPostalSign } from '#server/features/imports/pipeline/validate/read-cell.ts'
import { splitAddress, splitPlace } from '#server/features/imports/pipeline/validate/read-parts.ts'
import { parseMoney } from '#server/features/imports/pipeline/validate/read-numbers.ts'
import { isUnreadable, type ColumnStyle } from '#server/features/imports/pipeline/validate/results.ts'

const ALL_ZERO_SCORE = 0.8
const IMPLAUSIBLE_SCORE = 0.3
/** Insured values and areas are never this small, even in thousands; codes and factors are. */
const CODE_MAX = 20

const share = (isLikely: boolean, otherwise = 0) => (isLikely ? 1 : otherwise)
const withLetters = (text: string) => share(/\p{L}{2}/u.test(text), 0.6)
/** An answer, also with a reason: `N - self insured`. */
const FLAG = /^(y|n|yes|no|true|false|excluded|included)(\s*[-–(:,].*)?$/i
/** `Leased` below `Building` is no name or number. */
const INTEREST = /^(owned|leased|rented|yes|no)$/i
/** `$750,000 incl. TI` below `Building` is no name. */
const AMOUNT = /^[\s(~]*(?:\p{Sc}\s?\d|\d{1,3}(?:,\d{3})+)/u
/** Buildings with such short texts are numbered by letters. */
const BUILDING_LETTERS_MAX = 2
const placeName = (text: string) => share(/\p{L}{2}/u.test(text) && !/\d/.test(text))
const POSTAL_CODE = /^\d{3,5}(\.0)?$|^\d{5}-?\d{4}$|^[A-Z]\d[A-Z] ?\d[A-Z]\d$|^(?=.*\d)[A-Z\d -]{4,10}$/i

/** How far one text looks like the target, 0 to 1. */
const TEXT_SCORES: Partial<Record<HeaderTarget, (text: string, style: ColumnStyle) => number>> = {
  ignore: () => 1,
  notes: () => 1,
  // "Insured" above amounts says what they are, not which locations are insured.
  status: (text) => share(!isLargeAmount(text)),
  divested_on: (text, style) =>
    share(readCell(text, 'valuation_date', { ...style, unclearDates: false, today: '9999-12-31' }).value !== null),
  full_address: (text) => share(splitAddress(text) !== undefined),
  house_number: (text) => share(isHouseNumber(text)),
  city_state_zip: (text) => share(splitPlace(text) !== undefined),
  location_building: (text) => share(/^\S{1,20}$/.test(text)),
  address: (text) => share(/\d/.test(text) && /\p{L}/u.test(text), share(/\p{L}{3}/u.test(text)) / 2),
  city: placeName,
  county: placeName,
  state: (text) => share(stateFromText(text) !== undefined || stateFromText(text, 'CA') !== undefined),
  postal_code: (text) => share(POSTAL_CODE.test(withoutPostalSign(text))),
  property_name: (text) =>
    INTEREST.test(text) || AMOUNT.test(text) ? 0 : share(/\p{L}/u.test(text) && text.length > BUILDING_LETTERS_MAX, 0.5),
  legal_entity: (text) => (FLAG.test(text) ? 0 : withLetters(text)),
  division: withLetters,
  tenants: withLetters,
  description: withLetters,
}

/**
 * How far the sampled cells of a column look like the target, 0 to 1.
 * @param factor what the file announces for amounts: 1.14 may be an amount if it is in millions
 */
export function valueScore(target: HeaderTarget, cells: readonly Cell[], style: ColumnStyle, factor = 1): number {
  const literals = cells.filter(isLiteral)
  if (literals.length === 0) return writtenScore(target, cells, style, factor)
  const others = cells.filter((cell) => !isLiteral(cell))
  const fitting = literals.filter(({ literal }) => isFieldName(target) && takesLiteral(literal, target)).length
  return (fitting + others.length * writtenScore(target, others, style, factor)) / cells.length
}

function writtenScore(target: HeaderTarget, cells: readonly Cell[], style: ColumnStyle, factor: number): number {
  const texts = cells.map(target === 'full_address' || target === 'city_state_zip' ? lineText : cellText)
  const textScore = TEXT_SCORES[target]
  if (textScore) return mean(texts, (text) => textScore(text, style))
  if (target === 'location_number') return identifierScore(texts, 20, 0.2) * mean(texts, (text) => share(/\d/.test(text), 0.7))
  if (target === 'building_number') return identifierScore(texts, 8, 0)
  if (target === 'property_type') return mean(cells.filter(isReadable), (cell) => gradeOf(cell, target, style, 'other'))
  return isFieldName(target) ? fieldScore(target, cells, style, factor) : 0
}

const isReadable = (cell: Cell): cell is string | number | boolean => typeof cell !== 'object'
const mean = <T>(items: readonly T[], grade: (item: T) => number) =>
  items.length === 0 ? 0 : items.reduce((sum, item) => sum + grade(item), 0) / items.length

/** Numbers and codes of locations: short, and not the same all the way down, unless the rows of each location follow one another. */
function identifierScore(texts: readonly string[], max: number, distinctAtLeast: number): number {
  const short = mean(texts, (text) => share(text.length <= max && !text.startsWith('$') && !INTEREST.test(text)))
  const distinct = new Set(texts).size / Math.max(1, texts.length)
  return texts.length > 5 && distinct < distinctAtLeast && !areGroups(texts) ? IMPLAUSIBLE_SCORE : short
}

/** Whether several numbers each fill rows that follow one another, as those of locations with many buildings do. */
function areGroups(texts: readonly string[]): boolean {
  const groups = texts.filter((text, index) => text !== texts[index - 1])
  return groups.length > 1 && new Set(groups).size === groups.length && groups.every((text) => /\d/.test(text))
}

function gradeOf(cell: string | number | boolean, field: PropertyFieldName, style: ColumnStyle, fallback?: string): number {
  const result = readCell(cell, field, style)
  const { value, problem } = result
  if (value === fallback) return 0.5
  if (result.isUnclear) return 0.8
  if (isUnreadable(result)) return 0
  return value === null && problem?.code === 'unknown_code' ? 0 : problem && value === null ? 0.7 : 1
}

function fieldScore(field: PropertyFieldName, cells: readonly Cell[], style: ColumnStyle, factor: number): number {
  const { kind } = propertyField(field)
  const readable = cells.filter(isReadable)
  const formulas = cells.length - readable.length
  const readableScore = readable.reduce<number>((sum, cell) => sum + gradeOf(cell, field, style), 0)
  const score = (readableScore + (kind === 'money' ? formulas : 0)) / Math.max(1, cells.length)
  if (kind !== 'money' && kind !== 'area') return score
  const numbers = numbersIn(readable, kind, style).filter((number) => number !== 0)
  if (numbers.length === 0) return formulas > 0 ? score : Math.min(score, ALL_ZERO_SCORE)
  const largest = Math.max(...numbers.map(Math.abs))
  const isAmount = largest > codeMax(kind, style, factor) || (kind === 'money' && areFractions(readable))
  return isAmount ? score : Math.min(score, IMPLAUSIBLE_SCORE)
}

const codeMax = (kind: 'money' | 'area', { areaFactor = 1 }: ColumnStyle, factor: number) =>
  CODE_MAX / (kind === 'money' ? factor : areaFactor)

const numbersIn = (cells: readonly Cell[], kind: 'money' | 'area', { european, dots }: ColumnStyle): number[] =>
  cells.flatMap((cell) => {
    const text = cellText(cell)
    // What an unclear dot separates is a question to the user; thousands are plausible values, too.
    const isEuropean = european || (dots === null && typeof cell === 'string' && hasUnclearDot(text))
    return (kind === 'money' ? parseMoney(text, isEuropean) : undefined) ?? parsedDigits(text, isEuropean) ?? []
  })

const READABLE_SHARE_MIN = 0.1

/**
 * Whether a column with the name of the target has some of its values. What the other cells mean is for the user to decide. Amounts up to 20
 * are codes, unless most cells are 0.
 */
export function hasSomeValues(target: HeaderTarget, cells: readonly Cell[], style: ColumnStyle, factor = 1): boolean {
  if (!isFieldName(target) || TEXT_SCORES[target]) return false
  const { kind } = propertyField(target)
  if (kind === 'text') return false
  const readable = cells.filter(isReadable)
  const values = readable.map((cell) => readCell(cell, target, style).value).filter((value) => value !== null && value !== 'other')
  if (values.length < Math.max(1, cells.length * READABLE_SHARE_MIN)) return false
  if (kind !== 'money' && kind !== 'area') return true
  const numbers = numbersIn(readable, kind, style)
  const max = codeMax(kind, style, factor)
  return numbers.some((number) => Math.abs(number) > max) || numbers.filter((number) => number === 0).length * 2 > cells.length
}

const parsedDigits = (text: string, european: boolean) =>
  parseNumber(text, european) ?? parseNumber(text.replace(/[^\d.,()-]/g, ''), european)

const isMost = (cells: readonly Cell[], test: (text: string) => boolean): boolean =>
  cells.filter((cell) => test(cellText(cell))).length * 2 > cells.length

const BUILDING_NUMBER_MAX = 10_000

/** Whether most cells are amounts, also negative ones, that are larger than the numbers of buildings. */
export const hasAmounts = (cells: readonly Cell[]): boolean => isMost(cells, isLargeAmount)
const isAmountAbove = (text: string, limit: number): boolean =>
  Math.abs(parseMoney(text, looksEuropean(text) || hasUnclearDot(text)) ?? 0) > limit
const isLargeAmount = (text: string): boolean => isAmountAbove(text, BUILDING_NUMBER_MAX)

/** Whether most cells are numbers that are larger than the numbers of the buildings of a location usually are. */
export const exceedCodes = (cells: readonly Cell[]): boolean => isMost(cells, (text) => isAmountAbove(text, CODE_MAX))

/**
 * Whether most cells are amounts in millions: they have decimals, and are no numbers of a location and its building such as 1.1, 1.2, 2.1, which
 * increase from 1 on.
 */
export function areFractions(cells: readonly Cell[]): boolean {
  const numbers = cells.flatMap((cell) => parsedDigits(cellText(cell), false) ?? [])
  const fractions = numbers.filter((number) => !Number.isInteger(number))
  return fractions.length * 2 > cells.length && numbers.some((number, at) => number < Math.max(1, numbers[at - 1] ?? 1))
}

/** The longest step from one number of a row of buildings to the next. */
const NUMBER_STEP_MAX = 10

/** Whether the cells are whole numbers that count on, such as 101, 102, 104 or 1001 to 1004: numbers of buildings, not amounts. */
export function countOn(cells: readonly Cell[]): boolean {
  const numbers = [...new Set(cells.map(cellText))].map(Number).sort((a, b) => a - b)
  const isNumber = (number: number) => Number.isInteger(number) && number > 0 && number <= BUILDING_NUMBER_MAX
  return (
    numbers.length > 2 &&
    numbers.every((number, at) => isNumber(number) && (at === 0 || number - (numbers[at - 1] ?? 0) <= NUMBER_STEP_MAX))
  )
}

/** Whether most cells have a word and another text after it, as names of places do and numbers do not. */
export const hasNames = (cells: readonly Cell[]): boolean => isMost(cells, (text) => /\p{L}{3,}\.? \S/u.test(text))

const MONEY_FORMAT = /^\p{Sc}\s?\d|\d\s?(?:[km]|[tk](?:eur|€|chf|usd|gbp|£))$/iu
const CERTAIN_AMOUNT = 1_000_000

/** Whether most cells can be nothing else than money: they are written with a currency or a multiple, or are above a million. */
export const isCertainMoney = (cells: readonly Cell[]): boolean =>
  isMost(cells, (text) => (parseMoney(text, looksEuropean(text)) ?? 0) > (MONEY_FORMAT.test(text) ? BUILDING_NUMBER_MAX : CERTAIN_AMOUNT))

const GROUPED = /^\(?\d{1,3}(?:[,.]\d{3})+(?:[.,]\d{1,2})?\)?$/
const SOME_SHARE_MIN = 0.2

/** Whether some cells can be nothing else than money. The others may be notes in place of an amount. */
export function hasSomeMoney(cells: readonly Cell[]): boolean {
  const isMoney = (text: string) => {
    const min = MONEY_FORMAT.test(text) || GROUPED.test(text) ? BUILDING_NUMBER_MAX : CERTAIN_AMOUNT
    return (parseMoney(text, looksEuropean(text)) ?? 0) > min
  }
  const count = cells.filter((cell) => isMoney(cellText(cell))).length
  return count > 0 && count >= cells.length * SOME_SHARE_MIN
}

export const meanAmount = (cells: readonly Cell[]): number =>
  mean(cells.map(cellText), (text) => parseMoney(text, looksEuropean(text)) ?? 0)

/** Whether most cells are countries other than the United States and Canada. */
export const areForeignCountries = (cells: readonly Cell[]): boolean =>
  isMost(cells, (text) => !['US', 'CA', undefined].includes(countryFromText(text)))

/** Whether most cells are days: a year alone is none. */
export const areDays = (cells: readonly Cell[], style: ColumnStyle): boolean =>
  isMost(cells, (text) => {
    const { value, problem } = readCell(text, 'valuation_date', { ...style, unclearDates: false, today: '9999-12-31' })
    return value !== null && problem === undefined
  })
