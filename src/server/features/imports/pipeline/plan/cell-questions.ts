import { formatNumber } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import { propertyField } from '#contract/property-fields.ts'
import type { PlannedColumn } from '#server/features/imports/pipeline/map/read-plan.ts'
import { isFieldName } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { numberOfDate } from '#server/features/imports/pipeline/validate/ambiguous-texts.ts'
import { DATED_FIELDS } from '#server/features/imports/pipeline/validate/read-cell.ts'
import { suggestDateOrder, type DateFacts } from './date-order.ts'

type Question = Import['questions'][number]

export const kindOf = (target: string) => (isFieldName(target) ? propertyField(target).kind : undefined)

/** Cells that can be read in two ways, if no other cell of their column shows which one is meant. */
export const cellQuestions = (columns: readonly PlannedColumn[], dates?: UnclearDates): Question[] => [
  ...dateQuestion(columns, dates),
  ...numberQuestion(columns),
  ...dotQuestion(columns),
]

/** Whether a column has dates that can be read in two ways, and no date that shows which one is meant. */
export const hasUnclearDates = ({ target, style }: PlannedColumn): boolean => kindOf(target) === 'date' && style.unclearDates

/** What is known about dates that can be read in two ways. */
export interface UnclearDates {
  facts: DateFacts
  /** A date of a divested sheet, with the name of the sheet. */
  divested?: { sheet: string; date: string } | undefined
}

function dateQuestion(columns: readonly PlannedColumn[], { facts, divested }: Partial<UnclearDates> = {}): Question[] {
  const unclear = columns.find(hasUnclearDates)
  if (!unclear && !divested) return []
  const { place, date } = unclear
    ? { place: `column ${unclear.column}`, date: unclear.style.examples?.date }
    : { place: `sheet “${divested?.sheet}”`, date: divested?.date }
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
