import { formatNumber, plural } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import { PROPERTY_DEFAULTS, TIV_PARTS } from '#contract/property-fields.ts'
import type { PlannedRow } from './planned-row.ts'

type Question = Import['questions'][number]
type ScaledRow = Pick<PlannedRow, 'fields' | 'property'>

/** Below this value per square foot the values are probably in thousands. */
const VALUE_PER_SQUARE_FOOT_MIN = 2
/** Below these values of a whole building, most of them are probably in thousands, or in millions. */
const BUILDING_VALUE_MIN = 5_000
const BUILDING_VALUE_TINY = 20
/** Such values may as well be in millions as in thousands. */
const BUILDING_VALUE_UNCLEAR = 150
/** A building is hardly worth more, in currencies with units like these. */
const VALUE_PER_SQUARE_FOOT_MAX = 20_000
const BUILDING_VALUE_MAX = 1_000_000_000
const LARGE_UNITS: ReadonlySet<string> = new Set(['USD', 'CAD', 'AUD', 'NZD', 'EUR', 'GBP', 'CHF'])
/** How far a change may be from exactly a thousand or a million: values of another year are higher or lower. */
const TOLERANCE = 2
const NEARLY_ALL = 0.8

const COMPARED = 'compared values'
const SCALES = [
  { key: 'values to a thousandth', ratio: 1_000, factor: '1000', change: 'fall to a thousandth', question: 'Are they in thousands?' },
  { key: 'values to a millionth', ratio: 1_000_000, factor: '1000000', change: 'fall to a millionth', question: 'Are they in millions?' },
  { key: 'values times a thousand', ratio: 1 / 1_000, factor: '1', change: 'rise to a thousandfold', question: 'Import them as written?' },
  {
    key: 'values times a million',
    ratio: 1 / 1_000_000,
    factor: '1',
    change: 'rise to a millionfold',
    question: 'Import them as written?',
  },
] as const

/** The answers to a question without a suggestion. */
export const factorOptions = (factors: readonly number[]): Record<string, string> => ({
  1: 'No, as written',
  ...Object.fromEntries(factors.map((factor) => [factor, `Yes, × ${formatNumber(factor)}`])),
})

const MULTIPLIED = 'multiplied values'
const tooLarge = (factor: number) => `too large times ${factor}`

const digitsOf = (amount: number): number => String(Math.trunc(amount)).length
const withDigits = (digits: number) => `buildings with ${digits} digits`
/** Outliers are amounts from a hundred million on, with at least two digits more than the median. */
const OUTLIER_FROM = 100_000_000
const OUTLIER_DIGITS = 2
const DIGITS_MAX = 15

/** From how many digits on a building value would be far larger than those of most others if it was multiplied. */
function outlierDigits(tally: Readonly<Record<string, number>>, factor: number): number {
  const counts = Array.from({ length: DIGITS_MAX }, (_, digits) => tally[withDigits(digits)] ?? 0)
  let rest = (tally[MULTIPLIED] ?? 0) / 2
  const median = counts.findIndex((count) => (rest -= count) < 0)
  return median === -1 ? Infinity : Math.max(median + OUTLIER_DIGITS, digitsOf(OUTLIER_FROM / factor))
}

/** Whether an amount is far larger than most building values, so that it may be in another unit. */
export const isOutlier = (tally: Readonly<Record<string, number>>, amount: number): boolean =>
  amount >= BUILDING_VALUE_MAX || digitsOf(amount) >= outlierDigits(tally, 1)

/** What a building value says about an announced factor: whether it would be too large. */
function* multipliedSigns({ building_value: building, floor_area: area, currency }: ScaledRow['fields']): Generator<string> {
  if (!building || !LARGE_UNITS.has(currency ?? PROPERTY_DEFAULTS.currency)) return
  yield MULTIPLIED
  yield withDigits(digitsOf(building))
  const [value, max] = area ? [building / area, VALUE_PER_SQUARE_FOOT_MAX] : [building, BUILDING_VALUE_MAX]
  for (const factor of [1_000, 1_000_000]) if (value * factor >= max) yield tooLarge(factor)
}

/** Whether the amounts are full ones although the file announces a factor: a number format such as `#,##0,` only shows thousands. */
export const isFullAlready = (tally: Readonly<Record<string, number>>, factor: number): boolean =>
  (tally[tooLarge(factor)] ?? 0) * 2 > (tally[MULTIPLIED] ?? 0)

/** That some buildings would be worth too much if all values were multiplied, so that the cells may have more than one unit; empty if none would. */
export function tooLargeNote(tally: Readonly<Record<string, number>>, factor: number): string {
  const { [tooLarge(factor)]: count = 0 } = tally
  if (count > 0)
    return ` ${plural(count, 'building')} would then be worth more than a building can be, so correct the cells first if their units differ.`
  const from = outlierDigits(tally, factor)
  const outliers = Array.from({ length: DIGITS_MAX }, (_, digits) => (digits < from ? 0 : (tally[withDigits(digits)] ?? 0)))
  const sum = outliers.reduce((all, one) => all + one, 0)
  return sum === 0
    ? ''
    : ` ${plural(sum, 'building')} would then be worth far more than most others, so check first whether ${sum === 1 ? 'its cell has' : 'their cells have'} another unit.`
}

/** What the values of a row say about their unit, as names to count. */
export function* scaleSigns({ fields, property }: ScaledRow): Generator<string> {
  const { building_value: building, floor_area: area, property_name: name, address } = fields
  yield* multipliedSigns(fields)
  if (building && area) {
    yield 'valued areas'
    if (building / area < VALUE_PER_SQUARE_FOOT_MIN) yield 'low values'
    if ((building * 1_000) / area < VALUE_PER_SQUARE_FOOT_MIN) yield 'very low values'
  }
  if (building && (area || name || address)) {
    yield 'valued buildings'
    if (building < BUILDING_VALUE_MIN) yield 'small buildings'
    if (building < BUILDING_VALUE_UNCLEAR) yield 'unclear buildings'
    if (building < BUILDING_VALUE_TINY) yield 'tiny buildings'
  }
  const parts = TIV_PARTS.filter((part) => fields[part] && property?.values[part])
  if (!property || parts.length === 0) return
  const sumOf = (values: ScaledRow['fields']) => parts.reduce((sum, part) => sum + (values[part] ?? 0), 0)
  const ratio = sumOf(property.values) / sumOf(fields)
  yield COMPARED
  for (const scale of SCALES) if (ratio > scale.ratio / TOLERANCE && ratio < scale.ratio * TOLERANCE) yield scale.key
}

/** The question about the unit of the values, if those of the register or the size of buildings contradict the one in the file. */
export function scaleQuestion(tally: Readonly<Record<string, number>>): Question[] {
  const { [COMPARED]: compared = 0, 'valued areas': areas = 0, 'valued buildings': buildings = 0 } = tally
  const isMost = (key: string, all: number) => (tally[key] ?? 0) > Math.floor(all / 2)
  const ask = (suggestion: string, message: string): Question[] => {
    const note = tooLargeNote(tally, Number(suggestion))
    if (note === '') return [{ constant: 'factor', suggestion, message }]
    return [{ constant: 'factor', suggestion: null, message: message + note, options: factorOptions([Number(suggestion)]) }]
  }
  const scale = SCALES.find(({ key }) => compared > 0 && (tally[key] ?? 0) >= compared * NEARLY_ALL)
  if (scale !== undefined) {
    const count = `${formatNumber(tally[scale.key] ?? 0)} of ${plural(compared, 'matched property', 'matched properties')}`
    return ask(scale.factor, `The values of ${count} would ${scale.change}. ${scale.question}`)
  }
  if (isMost('low values', areas)) {
    const [factor, unit] = isMost('very low values', areas) ? ['1000000', 'millions'] : ['1000', 'thousands']
    return ask(factor, `Half of the buildings are worth less than ${VALUE_PER_SQUARE_FOOT_MIN} per square foot. Are the values in ${unit}?`)
  }
  // The register already has values like these, or the buildings are as small as their values.
  const isPlausible = compared > 0 || areas * 2 > buildings
  if (isPlausible || !isMost('small buildings', buildings)) return []
  const isTiny = isMost('tiny buildings', buildings)
  if (!isTiny && isMost('unclear buildings', buildings)) {
    const message = `Most buildings are worth less than ${BUILDING_VALUE_UNCLEAR}. Are the values in thousands or in millions?`
    return [{ constant: 'factor', suggestion: null, message, options: factorOptions([1_000, 1_000_000]) }]
  }
  const [factor, unit] = isTiny ? ['1000000', 'millions'] : ['1000', 'thousands']
  return ask(factor, `Most buildings are worth less than ${formatNumber(BUILDING_VALUE_MIN)}. Are the values in ${unit}?`)
}
