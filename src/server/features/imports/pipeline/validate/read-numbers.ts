import { formatNumber } from '#contract/format.ts'
import { MONEY_MAX, PROPERTY_FIELDS } from '#contract/property-fields.ts'
import { hasCurrency, splitMultiple, withoutCurrency } from '#server/features/imports/pipeline/read/amount-notation.ts'
import { parseNumber } from '#server/features/imports/pipeline/read/cells.ts'
import { hasThousandths, hasUnclearDot } from './ambiguous-texts.ts'
import { withoutNotes } from './amount-notes.ts'
import { missingValue, problemOf, tidy, warning, type CellResult, type ColumnStyle, type FilledCell } from './results.ts'

const INCLUDED =
  /^\(?(incl(uded|\.|uding)?\b.*|in (bldg|building|contents|tiv|above).*|w(ith|\/) ?(bldg|building)|see (above|building|bldg).*)\)?$/i
const NIL = /^(-+|–|—|nil|none|zero|no value)$/i
/** What the dot in a text like `12.000` separates; undefined if the text is another one. */
const dotOf = (text: string, { dots, european }: ColumnStyle) => (european || !hasUnclearDot(text) ? undefined : (dots ?? 'unclear'))

function unclearDot(text: string): CellResult {
  const digits = text.replace('.', '')
  const message = `“${text}” may have a dot for thousands or for decimals, so the field stays empty. Type the number without a dot.`
  return { ...problemOf('warning', 'not_a_number', message, digits), isUnclear: true }
}

const mistypedDot = (text: string): CellResult =>
  warning('not_a_number', `“${text}” may have a dot in place of a comma, so the field stays empty. Type the number without a dot.`)

/** Whole currency units; half a unit rounds up. */
export function readMoney(cell: FilledCell, style: ColumnStyle, yearFactor = 1): CellResult {
  const scaled = (amount: number) => amount * style.factor * bareFactor(amount, style) * yearFactor
  if (typeof cell === 'number') return isNoAmount(cell, style) ? notAnAmount(String(cell)) : checkedMoney(scaled(cell), String(cell))
  const whole = tidy(cell)
  const { text, isEstimate } = withoutNotes(whole)
  // `$ -` is how spreadsheet programs print 0 in their format for accounting.
  if (NIL.test(text) || NIL.test(withoutCurrency(text))) return { value: 0 }
  if (INCLUDED.test(text))
    return warning(
      'included_elsewhere',
      `“${text}” means the value is part of another column, so this one stays empty. Type an amount if it is separate.`,
    )
  const missing = missingValue(text)
  if (missing) return missing
  const dot = dotOf(text, style)
  // Next to `12.5M`, a user who multiplies 3.000 by a million reads it as 3.
  if (dot === 'unclear' && !style.bare?.isMultiplied) return unclearDot(text)
  if (style.rareThousandths && hasThousandths(text)) return mistypedDot(text)
  const amount = parseMoney(text, style.european || dot === 'thousands', style.factor)
  const { unit, multiple } = multipleIn(text)
  const hasMultiple = multiple > 1
  if (unit === 'm' && style.unclearM && amount !== undefined && amount / multiple >= UNCLEAR_M_MIN)
    return warning(
      'not_a_number',
      `“${text}” may be in thousands, since other amounts of the file have MM for millions, so the field stays empty. Type the full amount.`,
    )
  if (amount !== undefined && !(isNoAmount(amount, style) && !hasMultiple))
    return asEstimate(checkedMoney(hasMultiple ? amount * yearFactor : scaled(amount), text), whole, isEstimate)
  return notAnAmount(text)
}

/** `850M` next to `12.5MM` may be in thousands; `1.5M` is hardly a thousand and a half. */
const UNCLEAR_M_MIN = 20

const notAnAmount = (text: string): CellResult =>
  warning('not_a_number', `“${text}” is not an amount, so the field stays empty. Type a number such as 1,250,000.`)

/** Smaller fractions are what formulas leave of 0. */
const SHARE_MIN = 0.005
/** Whether a number is a share next to full amounts, such as 50%, or lacks the multiple that others have. */
const isNoAmount = (number: number, { factor, hasFullAmounts = false, unitBelow = 0 }: ColumnStyle): boolean =>
  factor === 1 && number >= SHARE_MIN && ((hasFullAmounts && number < 1) || number < unitBelow)

/** By which an amount without a multiple is multiplied because others in its column have one. */
const bareFactor = (amount: number, { bare }: ColumnStyle): number => (bare?.isMultiplied && amount < bare.below ? bare.multiple : 1)

function asEstimate(result: CellResult, text: string, isEstimate: boolean): CellResult {
  if (!isEstimate || typeof result.value !== 'number') return result
  return warning('estimate', `“${text}” is an estimate. It is read as ${formatNumber(result.value)}.`, result.value)
}

function checkedMoney(amount: number, text: string): CellResult {
  if (amount < 0)
    return warning('out_of_range', `${text} is negative, so the field stays empty. Insured values are 0 or more: correct the amount.`)
  if (amount > MONEY_MAX)
    return warning('out_of_range', `${text} is more than a property can be worth, so the field stays empty. Check the amount and its unit.`)
  return { value: Math.floor(amount + 0.5) }
}

/** Their comma separates decimals in any number: `1,125 Mio.` */
const WITH_DECIMAL_COMMA: ReadonlySet<string> = new Set(['tsd', 'mio', 'millionen', 'mrd', 'milliarden'])
/** The multiple of an amount such as `900K`, which the unit of the file does not change; 1 without one. */
export const multipleIn = (text: string): ReturnType<typeof splitMultiple> => splitMultiple(withoutCurrency(text.replace(/[()]/g, '')))

const SEVERAL_NUMBERS = /\d\s+\d/
const GROUPS = /^[+\-−–]?\s*\d{1,3}(?:\s\d{3})+(?:[.,]\d*)?$/
/** Two dots never separate decimals, and neither does one before a comma: `900.000,00`. */
const DOTTED_GROUPS = /^\d{1,3}(?:(?:\.\d{3}){2,}(?:,\d{1,2})?|\.\d{3},\d{1,2})$/

/**
 * The amount in a text, with a currency or a multiple such as `$4.50M` and `900K`.
 * @param factor by which amounts are multiplied: without one, `€ 1.137` has thousands, since euros have no thousandths
 */
export function parseMoney(text: string, european: boolean, factor = 1): number | undefined {
  const { text: noted } = withoutNotes(text)
  const negative = /^\(.*\)$/.test(noted)
  const bare = noted.replace(/^\(|\)$/g, '')
  const body = withoutCurrency(bare)
  const { number, unit, multiple } = splitMultiple(body)
  const hasThousands = factor === 1 && unit === '' && hasCurrency(bare) && !/[$£]/.test(bare) && /^\d{1,3}\.\d{3}$/.test(body)
  if (SEVERAL_NUMBERS.test(number) && !GROUPS.test(number)) return undefined
  const isEuropean = unit === '' ? european || hasThousands || DOTTED_GROUPS.test(number) : hasDecimalComma(number, unit, european)
  const amount = parseNumber(number, isEuropean)
  if (amount === undefined) return undefined
  return (negative ? -amount : amount) * multiple
}

/** Whether a comma separates the decimals of a number before a multiple. A dot before one or two digits does, in any column: `Fr. 2.5 Mio.` */
function hasDecimalComma(number: string, unit: string, european: boolean): boolean {
  if (/^\d+\.\d{1,2}$/.test(number)) return false
  const isDecimal = WITH_DECIMAL_COMMA.has(unit) ? /^\d{1,3},\d{1,3}$/ : /^\d{1,3},\d{1,2}$/
  return european || DOTTED_GROUPS.test(number) || isDecimal.test(number)
}

const SQUARE_FEET_PER_SQUARE_METER = 10.7639
const FEET = /^(sf|sq\.? ?ft\.?|sqft|square feet|sq\.? feet|gsf|rsf|ft2|ft²)$/
const METERS = /^(m2|m²|sqm|sq\.? ?m\.?|square met(er|re)s?)$/

/** Square feet of all floors; square meters are converted. */
export function readArea(cell: FilledCell, style: ColumnStyle): CellResult {
  const { squareMeters, areaFactor = 1 } = style
  if (typeof cell === 'number') return checkedArea(cell * areaFactor, squareMeters)
  const text = tidy(cell).toLowerCase()
  const missing = missingValue(text)
  if (missing) return missing
  const [, number = '', unit = ''] = /^(?:approx\.?|~|\+\/-)?\s*([\d.,' ]+?)\s*(?:\+\/-)?\s*([a-z].*)?$/.exec(text) ?? []
  const dot = dotOf(text, style)
  if (dot === 'unclear') return unclearDot(text)
  const area = parseNumber(number, style.european || dot === 'thousands')
  if (area === undefined)
    return warning('not_a_number', `“${text}” is not an area, so the field stays empty. Type square feet such as 24,000.`)
  if (unit !== '' && !FEET.test(unit) && !METERS.test(unit))
    return warning('unit', `“${unit}” is not a unit of floor area, so the field stays empty. Type the area of all floors in square feet.`)
  return unit === '' ? checkedArea(area * areaFactor, squareMeters) : checkedArea(area, METERS.test(unit))
}

function checkedArea(area: number, squareMeters: boolean): CellResult {
  if (area === 0)
    return warning('placeholder_value', 'A floor area of 0 means “unknown”, so the field stays empty. Type the area if you know it.')
  const { max } = PROPERTY_FIELDS.floor_area
  const feet = squareMeters ? Math.round(area * SQUARE_FEET_PER_SQUARE_METER) : area
  if (feet >= 0 && feet <= max) return { value: feet }
  const range = `1 and ${formatNumber(max)} square feet`
  return warning('out_of_range', `${area} is not between ${range}, so the field stays empty. Correct the area.`)
}

/** 0 to 100; in a column that never exceeds 1 the numbers are shares. */
export function readPercent(cell: FilledCell, { share, inverted, european }: ColumnStyle): CellResult {
  const text = String(cell).trim()
  const missing = missingValue(text)
  if (missing) return missing
  const number = typeof cell === 'number' ? cell : parseNumber(text.replace(/\s*(%|percent|pct)$/i, ''), european)
  if (number === undefined)
    return warning('not_a_number', `“${text}” is not a percentage, so the field stays empty. Type a number from 0 to 100.`)
  const percent = share && !/%|percent|pct/i.test(text) ? number * 100 : number
  if (percent < 0 || percent > 100)
    return warning('out_of_range', `${text} is not between 0 and 100 %, so the field stays empty. Correct the percentage.`)
  const rounded = Math.round(percent * 100) / 100
  return { value: inverted ? 100 - rounded : rounded }
}

const NUMBER_WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  )

/** Stories above grade, also as `two`, `G+3`, `2 + bsmt` and `1-3`. */
export function readStories(cell: FilledCell, style: ColumnStyle): CellResult {
  if (typeof cell === 'number') return checkedStories(cell)
  const text = tidy(cell).toLowerCase()
  const missing = missingValue(text, /^(-+|none)$/)
  if (missing) return missing
  if (/^(low|mid|high)[ -]?rise$|^various$|^varies$/.test(text))
    return warning('placeholder_value', `“${text}” is not a number of stories, so the field stays empty. Type the number if you know it.`)
  const basement = /^(.+?)\s*(?:\+|&|and|with|w\/)\s*(?:a )?(?:bsmt|basement|b)\.?$/.exec(text)
  if (basement) return { ...readStories(basement[1] ?? '', style), derived: { basement_levels: 1 } }
  const ground = /^g\s*\+\s*(\d+)$/.exec(text)
  if (ground) return checkedStories(Number(ground[1]) + 1)
  const range = /^(\d+)\s*(?:-|to|–|\/)\s*(\d+)(?: (?:stories|story|floors))?$/.exec(text)
  if (range) {
    const highest = Math.max(Number(range[1]), Number(range[2]))
    return warning('placeholder_value', `“${text}” is read as ${highest}, the highest. Type one number if that is wrong.`, highest)
  }
  const bare = text.replace(/\s*(stor(y|ies|ey|eys)|floors?|fl)\.?$/, '')
  const number = NUMBER_WORDS.includes(bare) ? NUMBER_WORDS.indexOf(bare) : parseNumber(bare, style.european)
  return number === undefined
    ? warning('not_a_number', `“${text}” is not a number of stories, so the field stays empty. Type a number such as 2.`)
    : checkedStories(number)
}

function checkedStories(stories: number): CellResult {
  const { max } = PROPERTY_FIELDS.stories
  if (stories === 0)
    return warning('placeholder_value', '0 stories means “unknown”, so the field stays empty. Type the number if you know it.')
  if (stories < 0 || stories > max)
    return warning('out_of_range', `${stories} is not between 1 and ${max} stories, so the field stays empty. Correct the number.`)
  if (!Number.isInteger(stories))
    return warning('not_an_integer', `${stories} stories is imported as written. Type a whole number if that is wrong.`, stories)
  return { value: stories }
}

const SEXAGESIMAL =
  /^([NSEW])?\s*(-?\d{1,3})\s*(?:°|º|d|\s)\s*(\d{1,2}(?:\.\d+)?)\s*(?:'|′|’|m|\s)?\s*(?:(\d{1,2}(?:\.\d+)?)\s*(?:"|″|”|'')?)?\s*([NSEW])?$/i

/** Decimal degrees, also from degrees, minutes and seconds. Whether latitude and longitude fit together is checked for the row. */
export function readCoordinate(cell: FilledCell): CellResult {
  if (typeof cell === 'number') return { value: cell }
  const text = String(cell).trim()
  const missing = missingValue(text)
  if (missing) return missing
  const decimal = /^([NSEW])?\s*(-?\d{1,3}(?:[.,]\d+)?)\s*°?\s*([NSEW])?$/i.exec(text)
  if (decimal) return { value: signed(Number((decimal[2] ?? '').replace(',', '.')), decimal[1] ?? decimal[3]) }
  const parts = SEXAGESIMAL.exec(text)
  if (!parts) return warning('bad_coordinates', `“${text}” is not a coordinate, so it is left out. Type decimal degrees such as 40.7128.`)
  const degrees = Number(parts[2])
  const fraction = Number(parts[3]) / 60 + Number(parts[4] ?? 0) / 3600
  return { value: signed(degrees < 0 ? degrees - fraction : degrees + fraction, parts[1] ?? parts[5]) }
}

function signed(value: number, side: string | undefined): number {
  const rounded = Math.round(value * 1e7) / 1e7
  return /[SW]/i.test(side ?? '') ? -Math.abs(rounded) : rounded
}
