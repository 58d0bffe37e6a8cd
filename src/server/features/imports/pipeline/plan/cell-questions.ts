import { formatNumber } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import { propertyField } from '#contract/property-fields.ts'
import type { PlannedColumn } from '#server/features/imports/pipeline/map/read-plan.ts'
import { isFieldName } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { numberOfDate } from '#server/features/imports/pipeline/validate/ambiguous-texts.ts'
import { DATED_FIELDS } from '#server/features/imports/pipeline/validate/read-cell.ts'
import { suggestDateOrder, type DateFacts } from './date-order.ts'

type Question = Import['questions'][number]

export const kindOf = (target: string) => (isFieldName(target) ? propertyField(target).kind : undefined)

/** Cells that can be read in two ways, if no other cell of their column shows which one is meant. */
export const cellQuestions = (columns: readonly PlannedColumn[], known?: UnclearCells): Question[] => [
  ...dateQuestion(columns, known),
  ...areaQuestion(columns, known?.facts.countries),
  ...numberQuestion(columns),
  ...dotQuestion(columns),
  ...bareQuestion(columns),
  ...incomeQuestion(columns),
]

/** Whether a column has dates that can be read in two ways, and no date that shows which one is meant. */
export const hasUnclearDates = ({ target, style }: PlannedColumn): boolean => kindOf(target) === 'date' && style.unclearDates

/** What is known about dates that can be read in two ways, and about areas without a unit. */
export interface UnclearCells {
  facts: DateFacts
  /** A date of divestment and where it is: a divested sheet, or a column that is not mapped. */
  divested?: { place: string; date: string } | undefined
}

function dateQuestion(columns: readonly PlannedColumn[], { facts, divested }: Partial<UnclearCells> = {}): Question[] {
  const unclear = columns.find(hasUnclearDates)
  if (!unclear && !divested) return []
  const { place, date } = unclear
    ? { place: `column ${unclear.column}`, date: unclear.style.examples?.date }
    : { place: divested?.place, date: divested?.date }
  const dates = `Dates in ${place}${date === undefined ? '' : ` such as ${date}`} can be read in two ways.`
  const suggested = facts && suggestDateOrder(facts)
  if (!suggested) {
    const options = { mdy: 'Month first', dmy: 'Day first' }
    return [{ constant: 'date_order', suggestion: null, message: `${dates} Does the month or the day come first?`, options }]
  }
  const { order, reason } = suggested
  const message = `${dates} ${reason} Do they have ${order === 'mdy' ? 'the month' : 'the day'} first, too?`
  const options = order === 'mdy' ? { mdy: 'Yes, month first', dmy: 'No, day first' } : { dmy: 'Yes, day first', mdy: 'No, month first' }
  return [{ constant: 'date_order', suggestion: order, message, options }]
}

/** Square feet are usual, so there is no question. */
const IN_SQUARE_FEET = new Set('US CA AS GU MP PR VI'.split(' '))
/** Both units are usual. */
const IN_BOTH = new Set('GB IE IM JE GG HK SG IN MY AE BS BM JM KY TT BB'.split(' '))
const MOSTLY = 0.8

export const hasUnclearAreas = ({ target, style }: PlannedColumn): boolean => kindOf(target) === 'area' && style.unclearUnit === true

/** A schedule from a country with square meters rarely names them. */
function areaQuestion(columns: readonly PlannedColumn[], countries: ReadonlyMap<string, number> = new Map()): Question[] {
  const unclear = columns.find(hasUnclearAreas)
  const abroad = [...countries].filter(([country]) => !IN_SQUARE_FEET.has(country))
  const count = (rows: typeof abroad) => rows.reduce((sum, [, some]) => sum + some, 0)
  if (!unclear || count(abroad) === 0 || count(abroad) < MOSTLY * count([...countries])) return []
  const column = `Column ${unclear.column}, “${unclear.header}”, does not name a unit.`
  if (abroad.some(([country]) => IN_BOTH.has(country))) {
    const options = { m2: 'Square meters', sqft: 'Square feet' }
    return [{ constant: 'area_unit', suggestion: null, message: `${column} Are the areas in square meters or in square feet?`, options }]
  }
  const options = { m2: 'Yes, square meters', sqft: 'No, square feet' }
  return [
    { constant: 'area_unit', suggestion: 'm2', message: `${column} Are the areas in square meters, as is usual in the country?`, options },
  ]
}

/** Location 1, building 2 was written as 1-2 before a spreadsheet program made a date of it. */
function numberQuestion(columns: readonly PlannedColumn[]): Question[] {
  const dated = columns.find(({ target, style }) => DATED_FIELDS.has(target) && style.unclearNumbers)
  if (!dated) return []
  const { number: example = '2026-01-02' } = dated.style.examples ?? {}
  const [monthFirst, dayFirst] = [numberOfDate(example, 'month_day') ?? '', numberOfDate(example, 'day_month') ?? '']
  const message = `Column ${dated.column}, “${dated.header}”, contains dates such as ${example}, probably numbers such as ${monthFirst} that a spreadsheet program changed. Read them as ${monthFirst}, by month and day?`
  const options = {
    month_day: `Yes, as ${monthFirst}`,
    day_month: `As ${dayFirst}, by day and month`,
    text: 'No, as the dates in the file',
  }
  return [{ constant: 'number_dates', suggestion: 'month_day', message, options }]
}

function dotQuestion(columns: readonly PlannedColumn[]): Question[] {
  const unclear = columns.find(({ target, style }) => ['money', 'area'].includes(kindOf(target) ?? '') && style.unclearDots)
  if (!unclear) return []
  const { dot: example = '12.000' } = unclear.style.examples ?? {}
  const digits = /[\d.]+/.exec(example)?.[0] ?? ''
  const [thousands, decimals] = [formatNumber(Number(digits.replace('.', ''))), String(Number(digits))]
  const message = `Column ${unclear.column}, “${unclear.header}”, contains numbers such as ${example}. Read them as ${thousands}?`
  return [
    { constant: 'dots', suggestion: 'thousands', message, options: { thousands: `Yes, as ${thousands}`, decimals: `No, as ${decimals}` } },
  ]
}

/** Amounts such as 101 next to others such as `123 K`. */
function bareQuestion(columns: readonly PlannedColumn[]): Question[] {
  const unclear = columns.filter(({ target, style }) => kindOf(target) === 'money' && style.bare?.isMultiplied === null)
  const [first] = unclear
  if (!first?.style.bare) return []
  const { multiple, below, examples } = first.style.bare
  const others =
    unclear.length === 1 ? '' : ` So ${unclear.length === 2 ? 'does another column' : `do ${unclear.length - 1} other columns`}.`
  const message = `Column ${first.column}, “${first.header}”, has amounts such as ${examples.bare} next to others such as ${examples.multiple}.${others} Multiply those below ${formatNumber(below)} by ${formatNumber(multiple)}?`
  const options = { multiply: `Yes, × ${formatNumber(multiple)}`, written: 'No, as written' }
  return [{ constant: 'bare_amounts', suggestion: 'multiply', message, options }]
}

/** Business income that a user mapped although its header names another span than a year. Only for named periods it is usual to multiply. */
function incomeQuestion(columns: readonly PlannedColumn[]): Question[] {
  const named = columns.flatMap(({ target, column, header, style }) => {
    const part = target === 'bi_value' && style.yearFactor === undefined ? normalizeHeader(header).partOfYear : null
    return part ? [{ ...part, place: `column ${column}, “${header}”,` }] : []
  })
  if (named.length === 0) return []
  const places = named.map(({ place, name }) => `${place} are those of ${name}`).join(', and those in ')
  const factors = [...new Set(named.map(({ factor }) => formatFactor(factor)))].join(' and ')
  const message = `The amounts in ${places}, but business income is that of twelve months. Multiply them by ${factors}?`
  const suggestion = named.every(({ name }) => name.startsWith('a ')) ? 'year' : null
  return [
    { constant: 'income_span', suggestion, message, options: { year: `Yes, × ${factors}`, written: 'No, they are annual as written' } },
  ]
}

const formatFactor = (factor: number): string => formatNumber(Math.round(factor * 1_000) / 1_000)
