import { countryFromText } from '#contract/countries.ts'
import { PROPERTY_FIELDS, propertyField, type PropertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { readConstruction } from '#server/features/imports/codes/construction.ts'
import { readOccupancy } from '#server/features/imports/codes/occupancy.ts'
import { readArea } from './area.ts'
import { readChoice } from './choice.ts'
import { readCoordinate } from './coordinate.ts'
import { readDate } from './date.ts'
import { readMoney } from './money.ts'
import { parseNumber } from './number-text.ts'
import { readPercent } from './percent.ts'
import { failure, isPlaceholder, NOTHING, placeholder, warning, type ColumnStyle, type Reading } from './reading.ts'
import { readSprinklered } from './sprinkler.ts'
import { readStories } from './stories.ts'
import { readYear } from './year.ts'

type Filled = string | number | boolean

const DAYS_PER_MONTH = 365 / 12

/** Reads one filled cell as a field of the property. State and postal code come back as text: only the row knows the country. */
export function readCell(cell: Filled, field: PropertyFieldName, style: ColumnStyle): Reading {
  switch (field) {
    case 'stories':
      return readStories(cell, style)
    case 'sprinklered':
    case 'percent_sprinklered':
      return readSprinklered(cell, style)
    case 'construction_class':
      return withOriginal(readConstruction(cell, style.constructionScheme), 'construction_original', cell)
    case 'property_type':
      return withOriginal(readOccupancy(cell, style.occupancyScheme), 'occupancy_original', cell)
    case 'bi_months':
      return readMonths(cell, style)
    case 'basement_levels':
      return readBasement(cell, style)
    case 'interest':
      return /^0(\.0+)?$/.test(String(cell)) ? NOTHING : readChoice(cell, field)
    default:
      return readByKind(cell, field, style)
  }
}

function readByKind(cell: Filled, field: PropertyFieldName, style: ColumnStyle): Reading {
  const definition = propertyField(field)
  switch (definition.kind) {
    case 'text':
      return readText(cell, definition.max)
    case 'state':
    case 'postal_code':
      return readText(cell, PLACE_MAX)
    case 'choice':
      return readChoice(cell, field)
    case 'integer':
    case 'number':
      return readNumber(cell, definition, style)
    case 'year':
      return readYear(cell, style)
    case 'area':
      return readArea(cell, style)
    case 'percent':
      return readPercent(cell, style)
    case 'money':
      return readMoney(cell, style)
    case 'date':
      return readDate(cell, style)
    case 'latitude':
    case 'longitude':
      return readCoordinate(cell)
    case 'country':
      return readCountry(String(cell))
    case 'currency':
      return readCurrency(String(cell))
    default:
      return definition satisfies never
  }
}

const PLACE_MAX = 60
const withOriginal = (reading: Reading, field: 'construction_original' | 'occupancy_original', cell: Filled): Reading => ({
  ...reading,
  also: { [field]: String(cell).replace(/\s+/g, ' ').trim().slice(0, PROPERTY_FIELDS[field].max) },
})

function readText(cell: Filled, max: number): Reading {
  const text = String(cell).replace(/\s+/g, ' ').trim()
  if (/^(n\/?a|none|null|nil|-+|–|\?+|#n\/a)$/i.test(text)) return NOTHING
  if (text.length > max)
    return failure('too_long', `The text has ${text.length} characters; ${max} fit. Shorten it.`, text.slice(0, max).trim())
  return { value: text }
}

interface Measured {
  kind: PropertyField['kind']
  min: number
  max: number
  label: string
}

function readNumber(cell: Filled, { kind, min, max, label }: Measured, style: ColumnStyle): Reading {
  const text = String(cell).replace(/\s+/g, ' ').trim()
  if (/^(-+|none|nil)$/i.test(text)) return NOTHING
  if (isPlaceholder(text)) return placeholder(text)
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

function readMonths(cell: Filled, style: ColumnStyle): Reading {
  const number = typeof cell === 'number' ? cell : parseNumber(String(cell).replace(/\s*(days?)$/i, ''), style.european)
  if (number === 0) return NOTHING
  const months = number !== undefined && style.days ? Math.max(1, Math.round(number / DAYS_PER_MONTH)) : cell
  return readNumber(months, PROPERTY_FIELDS.bi_months, style)
}

function readBasement(cell: Filled, style: ColumnStyle): Reading {
  const text = String(cell).trim().toLowerCase()
  if (/^(y|yes|true|t|full|partial)$/.test(text)) return { value: 1 }
  if (/^(n|no|false|f|none|slab)$/.test(text)) return { value: 0 }
  return readNumber(cell, PROPERTY_FIELDS.basement_levels, style)
}

function readCountry(text: string): Reading {
  const code = countryFromText(text)
  if (code !== undefined) return { value: code }
  return isPlaceholder(text.trim())
    ? NOTHING
    : failure('unknown_code', `“${text.trim()}” is no known country. Type its name or two-letter code, such as US.`)
}

const CURRENCY_WORDS: Readonly<Record<string, string>> = {
  $: 'USD',
  US$: 'USD',
  DOLLARS: 'USD',
  DOLLAR: 'USD',
  'US DOLLARS': 'USD',
  C$: 'CAD',
  CA$: 'CAD',
  '€': 'EUR',
  EURO: 'EUR',
  '£': 'GBP',
}

function readCurrency(text: string): Reading {
  const word = text.trim().toUpperCase()
  const code = CURRENCY_WORDS[word] ?? (/^[A-Z]{3}$/.test(word) ? word : undefined)
  if (code !== undefined) return { value: code }
  return warning('unknown_code', `“${text.trim()}” is no known currency. Type its three-letter code, such as USD.`)
}
