import { type PropertyFieldName, propertyField } from '#contract/property-fields.ts'
import { stateFromText } from '#contract/regions.ts'
import { splitFullAddress } from '#server/engines/address/split-full-address.ts'
import { cellText, isNumeric, parseNumber, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import type { HeaderTarget } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { readCell } from '#server/features/imports/pipeline/validate/read-cell.ts'
import type { ColumnStyle } from '#server/features/imports/pipeline/validate/results.ts'

const ALL_ZERO_SCORE = 0.8
const IMPLAUSIBLE_SCORE = 0.3
/** Insured values are never this small, even in thousands; codes and factors are. */
const SMALLEST_MONEY = 20
const SMALLEST_AREA = 20

/** How far the sampled cells of a column look like the target, 0 to 1. */
export function valueScore(target: HeaderTarget, cells: readonly Cell[], style: ColumnStyle): number {
  const texts = cells.map(cellText)
  switch (target) {
    case 'ignore':
    case 'notes':
    case 'status':
      return 1
    case 'divested_on':
      return shareOf(texts, (text) => readCell(text, 'valuation_date', { ...style, today: '9999-12-31' }).value !== null)
    case 'full_address':
      return shareOf(texts, (text) => splitFullAddress(text) !== undefined)
    case 'address':
      return mean(texts, (text) => (/\d/.test(text) && /\p{L}/u.test(text) ? 1 : /\p{L}{3}/u.test(text) ? 0.5 : 0))
    case 'city':
    case 'county':
      return shareOf(texts, (text) => /\p{L}{2}/u.test(text) && !/\d/.test(text))
    case 'state':
      return shareOf(texts, (text) => stateFromText(text) !== undefined || stateFromText(text, 'CA') !== undefined)
    case 'postal_code':
      return shareOf(texts, (text) => /^\d{3,5}(\.0)?$|^\d{5}-?\d{4}$|^[A-Z]\d[A-Z] ?\d[A-Z]\d$|^(?=.*\d)[A-Z\d -]{4,10}$/i.test(text))
    case 'location_number':
      return identifierScore(texts, 20, 0.2)
    case 'building_number':
      return identifierScore(texts, 8, 0)
    case 'property_name':
      return mean(texts, (text) => (/\p{L}/u.test(text) ? 1 : 0.5))
    case 'legal_entity':
    case 'division':
    case 'tenants':
    case 'description':
      return mean(texts, (text) => (/\p{L}{2}/u.test(text) ? 1 : 0.6))
    case 'property_type':
      return mean(cells.filter(isReadable), (cell) => gradeOf(cell, target, style, 'other'))
    default:
      return fieldScore(target, cells, style)
  }
}

const isReadable = (cell: Cell): cell is string | number | boolean => cell !== null && typeof cell !== 'object'
const mean = <T>(items: readonly T[], grade: (item: T) => number) =>
  items.length === 0 ? 0 : items.reduce((sum, item) => sum + grade(item), 0) / items.length
const shareOf = (texts: readonly string[], test: (text: string) => boolean) => mean(texts, (text) => (test(text) ? 1 : 0))

/** Numbers and codes of locations: short, and not the same all the way down. */
function identifierScore(texts: readonly string[], max: number, distinctAtLeast: number): number {
  const short = shareOf(texts, (text) => text.length <= max && !text.startsWith('$'))
  const distinct = new Set(texts).size / Math.max(1, texts.length)
  return texts.length > 5 && distinct < distinctAtLeast ? IMPLAUSIBLE_SCORE : short
}

function gradeOf(cell: string | number | boolean, field: PropertyFieldName, style: ColumnStyle, fallback?: string): number {
  const { value, problem } = readCell(cell, field, style)
  if (problem?.severity === 'error') return 0
  if (value === fallback) return 0.5
  return value === null && problem?.code === 'unknown_code' ? 0 : problem && value === null ? 0.7 : 1
}

function fieldScore(field: PropertyFieldName, cells: readonly Cell[], style: ColumnStyle): number {
  const { kind } = propertyField(field)
  const readable = cells.filter(isReadable)
  const formulas = cells.length - readable.length
  const readableScore = readable.reduce<number>((sum, cell) => sum + gradeOf(cell, field, style), 0)
  const score = (readableScore + (kind === 'money' && cells.some(isNumeric) ? formulas : 0)) / Math.max(1, cells.length)
  if (kind !== 'money' && kind !== 'area') return score
  const numbers = readable
    .map((cell) => parseNumber(cellText(cell).replace(/[^\d.,()-]/g, ''), style.european))
    .filter((number) => number !== undefined && number !== 0)
  if (numbers.length === 0) return formulas > 0 ? score : Math.min(score, ALL_ZERO_SCORE)
  const largest = Math.max(...numbers.map((number) => number ?? 0))
  return largest <= (kind === 'money' ? SMALLEST_MONEY : SMALLEST_AREA) ? Math.min(score, IMPLAUSIBLE_SCORE) : score
}
