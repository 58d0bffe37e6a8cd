import { propertyFieldSchema } from '#contract/account-properties.ts'
import { countryFromText } from '#contract/countries.ts'
import { formatNumber, plural } from '#contract/format.ts'
import { NO_CODE } from '#contract/import-words.ts'
import { IMPORT_READ_CHARACTERS } from '#contract/reading-limits.ts'
import { PROPERTY_FIELDS, type PropertyField, type PropertyFieldName, propertyField } from '#contract/property-fields.ts'
import { isFormulaError, parseNumber } from '#server/features/imports/pipeline/read/cells.ts'
import { isDateOfNumber, numberOfDate } from './ambiguous-texts.ts'
import { isDitto } from './ditto.ts'
import { ownCode, readChoice } from './read-choice.ts'
import { readConstruction } from './read-construction.ts'
import { readOccupancy } from './read-occupancy.ts'
import { readCurrency } from './read-currency.ts'
import { readDate, readLastYear, readYear } from './read-dates.ts'
import { readArea, readCoordinate, readMoney, readPercent, readStories } from './read-numbers.ts'
import { LENGTH_UNITS, lengthConverter } from './read-lengths.ts'
import { readSprinklered } from './read-sprinklers.ts'
import {
  NO_VALUE,
  problemOf,
  isPlaceholder,
  missingValue,
  tidy,
  warning,
  type CellResult,
  type ColumnStyle,
  type FilledCell,
} from './results.ts'

const DAYS_PER_MONTH = 365 / 12

type Reader = (cell: FilledCell, style: ColumnStyle) => CellResult

/** Fields that are not read by their kind alone. */
const READERS: Partial<Record<PropertyFieldName, Reader>> = {
  year_built: readYear,
  stories: readStories,
  sprinklered: readSprinklered,
  percent_sprinklered: readSprinklered,
  construction_class: (cell, style) => withOriginal(readConstruction(cell, style.constructionScheme), 'construction_original', cell),
  property_type: (cell, style) => withOriginal(readOccupancy(cell, style.occupancyScheme), 'occupancy_original', cell),
  bi_months: readMonths,
  bi_value: (cell, style) => readMoney(cell, style, style.yearFactor),
  wind_tier: readWindTier,
  basement_levels: readBasement,
}

/** `Y` says something only below a header that names the tier: `Tier 1 (Y/N)`. */
function readWindTier(cell: FilledCell, { headerWords }: ColumnStyle): CellResult {
  const text = String(cell).trim()
  const tier = /\btier (\d)\b/.exec(headerWords)?.[1]
  if (/^(y|yes|x|true)$/i.test(text))
    return tier === undefined
      ? warning('unknown_code', `“${text}” does not say which tier, so the field stays empty. Type it.`)
      : { value: `Tier ${tier}` }
  return /^(n|no|false)$/i.test(text) ? NO_VALUE : readText(cell, PROPERTY_FIELDS.wind_tier)
}

const PLACE_CHARACTERS_MAX = 60
const readPlace: Reader = (cell) => readText(cell, { max: PLACE_CHARACTERS_MAX, level: 'required' })

const KIND_READERS: Record<Exclude<PropertyField['kind'], 'text' | 'choice' | 'integer' | 'number'>, Reader> = {
  state: readPlace,
  postal_code: (cell, style) => readPlace(withoutPostalSign(String(cell)), style),
  year: readLastYear,
  area: readArea,
  percent: readPercent,
  money: readMoney,
  date: readDate,
  latitude: readCoordinate,
  longitude: readCoordinate,
  country: readCountry,
  currency: readCurrency,
}

/** A postal code without the sign that is before it in Japan: `〒100-0005`. */
export const withoutPostalSign = (text: string): string => text.replace(/^\s*〒\s*/, '')

/** `1.2E4`: programs that write files without a format print numbers like this. */
const SCIENTIFIC = /^\s*[+-]?\d+(?:\.\d+)?e[+-]?\d{1,3}\s*$/i

/** A mark without a value above that may be repeated, see `dittoReader`. */
function readDitto(text: string, { level }: PropertyField): CellResult {
  const [severity, effect] = level === 'required' ? (['error', ''] as const) : (['warning', ', so the field stays empty'] as const)
  return {
    value: null,
    problem: { code: 'placeholder_value', severity, message: `“${text}” refers to the row above${effect}. Type the value itself.` },
  }
}

/** Reads one filled cell as a field of the property. A word of the product itself needs no confirmation. */
export function readCell(cell: FilledCell, field: PropertyFieldName, style: ColumnStyle): CellResult {
  const result = readWritten(cell, field, style)
  const own = style.isOwn && result.problem ? ownCode(cell, field) : undefined
  return own === undefined ? result : readChosen(tidy(cell), field, own)
}

/** State and postal code are returned as text, since their format depends on the country. */
function readWritten(cell: FilledCell, field: PropertyFieldName, style: ColumnStyle): CellResult {
  const definition = propertyField(field)
  if (typeof cell === 'string' && cell.length > IMPORT_READ_CHARACTERS) {
    const text = tidy(cell)
    const max = definition.kind === 'text' ? definition.max : IMPORT_READ_CHARACTERS
    return text.length > IMPORT_READ_CHARACTERS ? tooLong(text, max, definition.level) : readCell(text, field, style)
  }
  if (definition.kind !== 'text' && typeof cell === 'string' && SCIENTIFIC.test(cell)) return readCell(Number(cell), field, style)
  if (typeof cell === 'string' && isDitto(cell)) return readDitto(tidy(cell), definition)
  const reader = READERS[field]
  if (reader) return reader(cell, style)
  switch (definition.kind) {
    case 'text':
      return (DATED_FIELDS.has(field) && readDateOfNumber(cell, style)) || readText(cell, definition)
    case 'choice':
      return readChoice(cell, field, style.headerWords)
    case 'integer':
    case 'number':
      return readNumber(cell, definition, style, lengthConverter(field, tidy(cell), style.headerWords))
    default:
      return KIND_READERS[definition.kind](cell, style)
  }
}

const TEXT_KINDS: ReadonlySet<PropertyField['kind']> = new Set(['text', 'state', 'postal_code'])

/** Whether a value as it is written can be one of the field. */
export const takesLiteral = (literal: string | number, field: PropertyFieldName): boolean =>
  typeof literal === 'number' ? propertyField(field).kind === 'percent' : TEXT_KINDS.has(propertyField(field).kind)

/** Floating-point noise of a share times 100 is beyond these. */
const SHARE_DIGITS = 12

/** The only text with lines; others have them only by mistake. */
const DESCRIPTION = propertyFieldSchema(PROPERTY_FIELDS.description, 'description')

/** Reads a value as it is written. A field with a notation of its own reads it like others. */
export function readLiteral(literal: string | number, field: PropertyFieldName, style: ColumnStyle): CellResult {
  if (!takesLiteral(literal, field)) return readCell(literal, field, style)
  if (typeof literal === 'number') {
    const result = readCell(literal, field, style)
    const percent = Number((literal * 100).toPrecision(SHARE_DIGITS))
    if (percent < 0 || percent > 100) return result
    return field === 'percent_sprinklered' ? { ...result, derived: { percent_sprinklered: percent } } : { ...result, value: percent }
  }
  const description = field === 'description' ? DESCRIPTION.safeParse(literal).data : undefined
  if (typeof description === 'string') return { value: description }
  const definition = propertyField(field)
  const text = tidy(literal)
  const max = definition.kind === 'text' ? definition.max : PLACE_CHARACTERS_MAX
  return text.length > max ? tooLong(text, max, definition.level) : { value: text === '' ? null : text }
}

/** Texts such as 1-2, which spreadsheet programs turn into dates. */
export const DATED_FIELDS: ReadonlySet<string> = new Set<PropertyFieldName | 'location_building' | 'house_number'>([
  'location_number',
  'house_number',
  'building_number',
  'location_building',
  'external_id',
  'address_2',
  'protection_class',
])

/** The number that a date was typed as; undefined if the cell is no such date. */
export function readDateOfNumber(cell: FilledCell, { numberDates }: ColumnStyle): CellResult | undefined {
  const text = tidy(cell)
  if (numberDates === 'text' || !isDateOfNumber(text)) return undefined
  if (numberDates) return { value: numberOfDate(text, numberDates) ?? null }
  const typed = numberOfDate(text, 'month_day')
  const message = `“${text}” may be ${typed}, changed into a date by a spreadsheet program, so the field stays empty. Answer the question about these dates, or type the number.`
  return { ...problemOf('warning', 'bad_date', message, typed ?? ''), isUnclear: true }
}

/** The original text is imported together with the code. */
const withOriginal = (result: CellResult, field: 'construction_original' | 'occupancy_original', cell: FilledCell): CellResult => ({
  ...result,
  derived: { [field]: tidy(cell).slice(0, PROPERTY_FIELDS[field].max) },
})

/** The code that a user chose for the text of a cell. */
export function readChosen(text: string, field: PropertyFieldName, code: string): CellResult {
  const result = { value: code === NO_CODE ? null : code }
  if (field === 'construction_class') return withOriginal(result, 'construction_original', text)
  return field === 'property_type' ? withOriginal(result, 'occupancy_original', text) : result
}

function readText(cell: FilledCell, { max, level }: { max: number; level: PropertyField['level'] }): CellResult {
  const text = tidy(cell)
  if (/^(|n\/?a|none|null|nil|-+|–|\?+)$/i.test(text)) return NO_VALUE
  if (isFormulaError(text)) return level === 'required' ? NO_VALUE : (missingValue(text, /^$/) ?? NO_VALUE)
  return text.length > max ? tooLong(text, max, level) : { value: text }
}

function tooLong(text: string, max: number, level: PropertyField['level']): CellResult {
  const effect = level === 'required' ? '' : ', so the field stays empty'
  const message = `The text has ${plural(text.length, 'character')}; ${formatNumber(max)} fit${effect}. Shorten it.`
  return problemOf(level === 'required' ? 'error' : 'warning', 'too_long', message, text.slice(0, max).trim())
}

const UNIT_AFTER = new RegExp(`\\s*(?:${LENGTH_UNITS}|months?|mos?|units?|rooms?|beds?)\\.?$`, 'i')
const same = (length: number) => length

type Measured = Extract<PropertyField, { min: number }>

function readNumber(cell: FilledCell, { kind, min, max, label }: Measured, style: ColumnStyle, convert = same): CellResult {
  const text = tidy(cell)
  const missing = missingValue(text)
  if (missing) return missing
  const written = typeof cell === 'number' ? cell : parseNumber(text.replace(UNIT_AFTER, ''), style.european)
  if (written === undefined)
    return warning('not_a_number', `“${text}” is not a number for ${label}, so the field stays empty. Type a number.`)
  const number = convert(written)
  if (number < min || number > max)
    return warning(
      'out_of_range',
      `${text} is not between ${min} and ${formatNumber(max)} for ${label}, so the field stays empty. Correct it.`,
    )
  if (kind === 'integer' && !Number.isInteger(number))
    return warning('not_an_integer', `${text} is not a whole number for ${label}, so the field stays empty. Correct it.`)
  return { value: number }
}

function readMonths(cell: FilledCell, style: ColumnStyle): CellResult {
  // An `M` means months here, never millions.
  const bare = typeof cell === 'string' ? cell.replace(/\s*(?:m|monate?|mois|meses)\.?\s*$/i, '') : cell
  const number = typeof bare === 'number' ? bare : parseNumber(String(bare).replace(/\s*(days?)$/i, ''), style.european)
  if (number === 0) return NO_VALUE
  const months = number !== undefined && style.days ? Math.max(1, Math.round(number / DAYS_PER_MONTH)) : bare
  return readNumber(months, PROPERTY_FIELDS.bi_months, style)
}

function readBasement(cell: FilledCell, style: ColumnStyle): CellResult {
  const text = String(cell).trim().toLowerCase()
  if (/^(y|yes|true|t|full|partial)$/.test(text)) return { value: 1 }
  if (/^(n|no|false|f|none|slab)$/.test(text)) return { value: 0 }
  return readNumber(cell, PROPERTY_FIELDS.basement_levels, style)
}

function readCountry(cell: FilledCell): CellResult {
  const text = String(cell).trim()
  const code = countryFromText(text)
  if (code !== undefined) return { value: code }
  if (isPlaceholder(text) && text.length > 2) return NO_VALUE
  return warning('unknown_code', `“${text}” is not a known country. Type its name or two-letter code, such as US.`)
}
