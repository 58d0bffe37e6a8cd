import { countryFromText } from '#contract/countries.ts'
import { formatNumber, plural } from '#contract/format.ts'
import { PROPERTY_FIELDS, type PropertyField, type PropertyFieldName, propertyField } from '#contract/property-fields.ts'
import { parseNumber } from '#server/features/imports/pipeline/read/cells.ts'
import { wordTable } from '#server/features/imports/pipeline/read/word-table.ts'
import { readChoice, readSprinklered } from './read-choice.ts'
import { readConstruction, readOccupancy } from './read-codes.ts'
import { readDate, readYear } from './read-dates.ts'
import { readArea, readCoordinate, readMoney, readPercent, readStories } from './read-numbers.ts'
import {
  NO_VALUE,
  failure,
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
  stories: readStories,
  sprinklered: readSprinklered,
  percent_sprinklered: readSprinklered,
  construction_class: (cell, style) => withOriginal(readConstruction(cell, style.constructionScheme), 'construction_original', cell),
  property_type: (cell, style) => withOriginal(readOccupancy(cell, style.occupancyScheme), 'occupancy_original', cell),
  bi_months: readMonths,
  basement_levels: readBasement,
}

const PLACE_CHARACTERS_MAX = 60
const readPlace: Reader = (cell) => readText(cell, PLACE_CHARACTERS_MAX)

const KIND_READERS: Record<Exclude<PropertyField['kind'], 'text' | 'choice' | 'integer' | 'number'>, Reader> = {
  state: readPlace,
  postal_code: readPlace,
  year: readYear,
  area: readArea,
  percent: readPercent,
  money: readMoney,
  date: readDate,
  latitude: readCoordinate,
  longitude: readCoordinate,
  country: readCountry,
  currency: readCurrency,
}

/** Reads one filled cell as a field of the property. State and postal code are returned as text, since their format depends on the country. */
export function readCell(cell: FilledCell, field: PropertyFieldName, style: ColumnStyle): CellResult {
  const reader = READERS[field]
  if (reader) return reader(cell, style)
  const definition = propertyField(field)
  switch (definition.kind) {
    case 'text':
      return readText(cell, definition.max)
    case 'choice':
      return readChoice(cell, field)
    case 'integer':
    case 'number':
      return readNumber(cell, definition, style)
    default:
      return KIND_READERS[definition.kind](cell, style)
  }
}

/** The original text is imported together with the code. */
const withOriginal = (result: CellResult, field: 'construction_original' | 'occupancy_original', cell: FilledCell): CellResult => ({
  ...result,
  derived: { [field]: tidy(cell).slice(0, PROPERTY_FIELDS[field].max) },
})

function readText(cell: FilledCell, max: number): CellResult {
  const text = tidy(cell)
  if (/^(n\/?a|none|null|nil|-+|–|\?+|#n\/a)$/i.test(text)) return NO_VALUE
  if (text.length > max)
    return failure(
      'too_long',
      `The text has ${plural(text.length, 'character')}; ${formatNumber(max)} fit. Shorten it.`,
      text.slice(0, max).trim(),
    )
  return { value: text }
}

type Measured = Extract<PropertyField, { min: number }>

function readNumber(cell: FilledCell, { kind, min, max, label }: Measured, style: ColumnStyle): CellResult {
  const text = tidy(cell)
  const missing = missingValue(text)
  if (missing) return missing
  const number =
    typeof cell === 'number'
      ? cell
      : parseNumber(text.replace(/\s*(ft|feet|'|mi|miles?|months?|mos?|units?|rooms?|beds?)\.?$/i, ''), style.european)
  if (number === undefined)
    return failure('not_a_number', `“${text}” is not a number for ${label}. Type a number, or leave the cell empty.`)
  if (number < min || number > max)
    return failure('out_of_range', `${text} is not between ${min} and ${max} for ${label}. Correct it or leave the cell empty.`)
  if (kind === 'integer' && !Number.isInteger(number))
    return failure('not_an_integer', `${text} is not a whole number for ${label}. Correct it or leave the cell empty.`)
  return { value: number }
}

function readMonths(cell: FilledCell, style: ColumnStyle): CellResult {
  const number = typeof cell === 'number' ? cell : parseNumber(String(cell).replace(/\s*(days?)$/i, ''), style.european)
  if (number === 0) return NO_VALUE
  const months = number !== undefined && style.days ? Math.max(1, Math.round(number / DAYS_PER_MONTH)) : cell
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
  if (isPlaceholder(text)) return NO_VALUE
  return failure('unknown_code', `“${text}” is not a known country. Type its name or two-letter code, such as US.`)
}

const CURRENCY_WORDS = wordTable('USD:$,US$,DOLLARS,DOLLAR,US DOLLARS; CAD:C$,CA$; EUR:€,EURO; GBP:£')

function readCurrency(cell: FilledCell): CellResult {
  const text = String(cell).trim()
  const word = text.toUpperCase()
  const code = CURRENCY_WORDS.get(word) ?? (/^[A-Z]{3}$/.test(word) ? word : undefined)
  if (code !== undefined) return { value: code }
  return warning('unknown_code', `“${text}” is not a known currency. Type its three-letter code, such as USD.`)
}
