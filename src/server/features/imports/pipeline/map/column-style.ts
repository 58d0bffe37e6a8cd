import {
  cellText,
  hasUnclearComma,
  looksAmerican,
  looksEuropean,
  parseNumber,
  type Cell,
} from '#server/features/imports/pipeline/read/cells.ts'
import { isTivPart } from '#contract/property-fields.ts'
import { factorOf } from '#server/features/imports/pipeline/read/amount-notation.ts'
import { isMoneyField } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { normalizeHeader, scoreHeader, type NormalizedHeader } from '#server/features/imports/pipeline/read/headers.ts'
import {
  hasDottedThousands,
  hasThousandths,
  hasThreeDecimals,
  hasUnclearDot,
  isDateOfNumber,
  showsOrder,
} from '#server/features/imports/pipeline/validate/ambiguous-texts.ts'
import { observeBareAmounts } from './bare-amounts.ts'
import type { FileSettings } from './file-settings.ts'
import { isDitto } from '#server/features/imports/pipeline/validate/ditto.ts'
import { isOccupancyCode } from '#server/features/imports/pipeline/validate/read-occupancy.ts'
import type { ColumnStyle } from '#server/features/imports/pipeline/validate/results.ts'

type Amounts = Readonly<{ header: string; target: string | null }>

/** The columns with parts of the TIV whose headers announce a factor, if others announce none or another one and no title does. */
export function columnsWithFactor<C extends Amounts>(columns: readonly C[], titles: readonly string[]): C[] {
  const amounts = columns.filter(({ target }) => isTivPart(target))
  const announced = amounts.filter(({ header }) => normalizeHeader(header).factor > 1)
  const isSame = announced.length === amounts.length && new Set(announced.map(({ header }) => normalizeHeader(header).factor)).size <= 1
  return isSame || titles.some((title) => factorOf(title) > 1) ? [] : announced
}

/** Tests a cell; a text that is not a number has the number NaN. */
type Test = (text: string, number: number) => boolean

const SLASH_DATE = /^(\d{1,2})[/.-](\d{1,2})[/.-]\d{2,4}$/
/** Whether both orders are a day, and not the same one. */
const isUnclearDate: Test = (text) => {
  const [first = 0, second = 0] = SLASH_DATE.exec(text)?.slice(1).map(Number) ?? []
  return first !== second && [first, second].every((part) => part >= 1 && part <= 12)
}
const is1900: Test = (_, number) => number === 1900
const isHazus: Test = (text) => isOccupancyCode(text, 'hazus')
const codes =
  (from: number, to: number): Test =>
  (_, number) =>
    number >= from && number <= to && Number.isInteger(number)

/** Which codes a scheme has, the most specific first. */
const CONSTRUCTION_CODES = [
  ['oed', codes(5000, 5999)],
  ['air', codes(100, 199)],
  ['rms', codes(0, 9)],
  ['iso', codes(1, 6)],
] as const
const OCCUPANCY_CODES = [
  ['hazus', isHazus],
  ['oed', codes(1000, 1399)],
  ['air', codes(300, 399)],
  ['atc', codes(0, 30)],
] as const
/** Their codes are small numbers, so the header must name one of them, too. */
const NAMED_SCHEMES: ReadonlySet<string> = new Set(['rms', 'atc'])

const CODES = [...CONSTRUCTION_CODES, ...OCCUPANCY_CODES].map(([, test]) => test).filter((test) => test !== isHazus)
/** One such cell between whole numbers may as well lack a zero: `20,00`. */
const isShort: Test = (text) => /^\D*\d{1,3},\d\d\D*$/.test(text)
const NUMBER_TESTS = [looksEuropean, looksAmerican, hasUnclearComma, is1900, ...CODES]
const TEXT_TESTS = [looksEuropean, looksAmerican, hasUnclearComma, isShort, isUnclearDate, isHazus, isDateOfNumber]
/** Of cells that are not numbers for the spreadsheet program. */
const DOT_TESTS = [hasUnclearDot, hasThousandths, hasThreeDecimals, hasDottedThousands]

/** A column whose largest indemnity period exceeds this is in days. */
const MONTHS_MAX = 36
const REPEATS_MIN = 3
/** Larger areas of a column were not written in thousands, although its header says so. */
const AREA_MAX = 5_000_000
/** Next to such an amount, less than 1 is none. */
const FULL_AMOUNT = 1_000
const MAJORITY = 0.6
const MILLION = 1_000_000
const SQUARE_FEET = /\b(?:square f(?:ee|oo)t|square footage|sq footage|sqft|gsf|rsf|ft2|pi2|pieds?)\b/

/** Collects how the cells of one column are written, cell by cell. */
export interface StyleObserver {
  add(cell: Cell | undefined): void
  style(settings: FileSettings): ColumnStyle
}

const yearFactorOf = ({ partOfYear }: NormalizedHeader, { incomeSpan }: Pick<FileSettings, 'incomeSpan'>): { yearFactor?: number } =>
  incomeSpan === undefined || partOfYear === null ? {} : { yearFactor: incomeSpan === 'year' ? partOfYear.factor : 1 }

/** Dates that show both orders decide nothing about the others. */
const onlyOrder = (orders: ReadonlySet<boolean>): boolean | undefined => (orders.size === 1 ? orders.has(true) : undefined)

export function observeStyle(header: NormalizedHeader): StyleObserver {
  let texts = 0
  const { count, add: countCell, exampleOf } = testedCells()
  let [max, maxEuropean] = [-Infinity, -Infinity]
  const orders = new Set<boolean>()
  const amounts = observeBareAmounts()
  const isNamed = /\b(rms|atc)\b/.test(header.words)
  const schemeOf = <S extends string>(schemes: readonly (readonly [S, Test])[]) =>
    schemes.find(([scheme, test]) => count(test) / texts >= MAJORITY && (isNamed || !NAMED_SCHEMES.has(scheme)))?.[0] ?? 'words'
  return {
    add(cell) {
      const text = cellText(cell)
      if (text === '' || (typeof cell === 'string' && isDitto(text))) return
      texts += 1
      const number = parseNumber(text, false)
      const tests = number === undefined ? TEXT_TESTS : NUMBER_TESTS
      for (const test of tests) if (test(text, number ?? NaN)) countCell(test, text)
      if (typeof cell === 'string') for (const test of DOT_TESTS) if (test(text)) countCell(test, text)
      amounts.add(text, number)
      max = Math.max(max, number ?? -Infinity)
      const european = count(looksEuropean) > 0 && typeof cell === 'string' ? parseNumber(text, true) : number
      maxEuropean = Math.max(maxEuropean, european ?? -Infinity)
      for (const isDayFirst of ordersIn(text)) orders.add(isDayFirst)
    },
    style({ factor, factorByHeader = false, areaUnit, dateOrder, today, ...settings }) {
      const unit = Math.max(factor, header.factor)
      const european = hasDecimalCommas(count, unit) && !isMistake(count, texts, unit, header)
      const dots = settings.dots ?? (european ? 'thousands' : shownDots(count, unit))
      const largest = european ? maxEuropean : max
      const dayFirst = onlyOrder(orders)
      return {
        share: largest > -Infinity && largest <= 1,
        european,
        dayFirst: dayFirst ?? dateOrder === 'dmy',
        unclearDates: dateOrder === undefined && dayFirst === undefined && count(isUnclearDate) > 0,
        numberDates: settings.numberDates ?? null,
        unclearNumbers: settings.numberDates === undefined && count(isDateOfNumber) > 0,
        dots,
        unclearDots: dots === null && areUnclear(count(hasUnclearDot), texts, header),
        examples: { ...exampleOf('date', isUnclearDate), ...exampleOf('number', isDateOfNumber), ...exampleOf('dot', hasUnclearDot) },
        ...sizesOf(count, texts, largest, header),
        factor: factorByHeader ? Math.min(factor, header.factor) : factor,
        ...amounts.found(unit, settings.bareAmounts),
        ...yearFactorOf(header, settings),
        squareMeters: areaUnit ? areaUnit === 'm2' : header.squareMeters,
        unclearUnit: areaUnit === undefined && !header.squareMeters && !SQUARE_FEET.test(header.words) && largest > -Infinity,
        age: /\bage\b/.test(header.words),
        days: largest > MONTHS_MAX || header.words.includes('days'),
        inverted: header.words.includes('vacan'),
        repeats1900: count(is1900) >= REPEATS_MIN,
        constructionScheme: settings.constructionScheme ?? schemeOf(CONSTRUCTION_CODES),
        occupancyScheme: settings.occupancyScheme ?? schemeOf(OCCUPANCY_CODES),
        ...(settings.isOwn ? { isOwn: true } : {}),
        headerWords: header.words,
        thisYear: Number(today.slice(0, 4)),
        today,
      }
    },
  }
}

type Count = (test: Test) => number

type Sizes = Pick<ColumnStyle, 'threeDecimals' | 'rareThousandths' | 'hasFullAmounts' | 'areaFactor'>

/** What the numbers show about their decimals and their unit. */
const sizesOf = (count: Count, texts: number, largest: number, { factor }: NormalizedHeader): Sizes => ({
  ...(count(hasUnclearComma) > 0 && count(looksAmerican) <= count(hasUnclearComma) ? { threeDecimals: true } : {}),
  ...(count(hasThousandths) > 0 && count(hasThousandths) * 2 <= texts ? { rareThousandths: true } : {}),
  ...(largest >= FULL_AMOUNT ? { hasFullAmounts: true } : {}),
  ...(factor > 1 && largest * factor <= AREA_MAX ? { areaFactor: factor } : {}),
})

/** Whether what the dots separate must be known: if they repeat, or if most amounts below the name of a value have one. */
const areUnclear = (dots: number, texts: number, header: NormalizedHeader): boolean =>
  dots >= REPEATS_MIN || (dots * 2 > texts && namesMoney(header))

const namesMoney = (header: NormalizedHeader): boolean =>
  scoreHeader(header).some(({ target, score }) => score >= 0.9 && isMoneyField(target))

/** Whether only one of several amounts seems to have a decimal comma, which may as well be a mistake. Amounts in millions have decimals. */
const isMistake = (count: Count, texts: number, factor: number, header: NormalizedHeader): boolean =>
  texts >= REPEATS_MIN &&
  count(looksEuropean) === 1 &&
  count(isShort) === 1 &&
  count(hasUnclearDot) === 0 &&
  factor < MILLION &&
  namesMoney(header)

/**
 * Whether commas separate decimals. Those before three digits may, too, unless they are more frequent than certain ones, or other cells have
 * dots for thousands: such amounts have no thousandths. Amounts in millions have, and no thousands.
 */
function hasDecimalCommas(count: Count, factor: number): boolean {
  const [european, unclear] = [count(looksEuropean), count(hasUnclearComma)]
  if (unclear > 0 && count(hasDottedThousands) > 0) return false
  if (factor >= MILLION && unclear > 0) return count(looksAmerican) <= unclear
  return european > 0 && unclear <= european && count(looksAmerican) <= unclear
}

/** What dots separate in a column whose commas do not show it. Amounts in millions have decimals; 12.500 may be 12.5 thousand, or 12,500. */
function shownDots(count: Count, factor: number): ColumnStyle['dots'] {
  const hasDecimals = count(hasThreeDecimals) > 0
  if (count(hasDottedThousands) > 0 && !hasDecimals) return 'thousands'
  return hasDecimals || factor >= MILLION ? 'decimals' : null
}

/** How many cells pass each test, and one of them. */
function testedCells() {
  const counts = new Map<Test, number>()
  const examples = new Map<Test, string>()
  const count: Count = (test) => counts.get(test) ?? 0
  const add = (test: Test, text: string) => {
    counts.set(test, count(test) + 1)
    const before = examples.get(test)
    // A day such as 2026-01-01 does not show the order of its parts.
    if (before === undefined || (test === isDateOfNumber && !showsOrder(before) && showsOrder(text))) examples.set(test, text)
  }
  const exampleOf = (name: keyof NonNullable<ColumnStyle['examples']>, test: Test) => {
    const text = examples.get(test)
    return text === undefined ? {} : { [name]: text }
  }
  return { count, add, exampleOf }
}

export function columnStyle(header: NormalizedHeader, cells: readonly Cell[], settings: FileSettings): ColumnStyle {
  const observer = observeStyle(header)
  cells.forEach(observer.add)
  return observer.style(settings)
}

/** A number above 12 decides whether day or month comes first. */
function ordersIn(text: string): boolean[] {
  const [first = 0, second = 0] = SLASH_DATE.exec(text)?.slice(1).map(Number) ?? []
  return first > 12 || second > 12 ? [first > 12] : []
}
