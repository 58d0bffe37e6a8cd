import { failure, isPlaceholder, NOTHING, placeholder, warning, type ColumnStyle, type Reading } from './reading.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const EXCEL_EPOCH_MS = Date.UTC(1899, 11, 30)
const DAY_MS = 86_400_000
const SERIAL_MIN = 20_000
const SERIAL_MAX = 80_000

/** A calendar day as YYYY-MM-DD, not after today. */
export function readDate(cell: string | number | boolean, style: ColumnStyle): Reading {
  const text = String(cell).replace(/\s+/g, ' ').trim()
  if (/^(-+|none|nil)$/i.test(text)) return NOTHING
  if (isPlaceholder(text)) return placeholder(text)
  const year = /^(?:fy ?)?((?:19|20)\d\d)(?:\.0+)?$/i.exec(text)?.[1]
  if (year !== undefined)
    return notAfterToday(`${year}-01-01`, style, `“${text}” is read as January 1 of that year. Type the full date if you know it.`)
  const date = dateOf(text, style.dayFirst)
  if (date === undefined)
    return failure('bad_date', `“${text}” is not a date. Type it as YYYY-MM-DD or MM/DD/YYYY, or leave the cell empty.`)
  return notAfterToday(date, style)
}

function notAfterToday(date: string, { today }: ColumnStyle, note?: string): Reading {
  if (date > today) return failure('bad_date', `${date} lies in the future. Correct the date or leave the cell empty.`)
  return note === undefined ? { value: date } : warning('bad_date', note, date)
}

function dateOf(text: string, dayFirst: boolean): string | undefined {
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ].*)?$/.exec(text)
  if (iso) return calendarDay(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const numeric = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})$/.exec(text)
  if (numeric) {
    const [first, second] = [Number(numeric[1]), Number(numeric[2])]
    const isDayFirst = dayFirst || first > 12
    return calendarDay(fullYear(numeric[3]), isDayFirst ? second : first, isDayFirst ? first : second)
  }
  const named = /^(\d{1,2})[ -]?([a-z]{3})[a-z]*\.?[ ,-]*(\d{2}|\d{4})$/i.exec(text)
  if (named) return calendarDay(fullYear(named[3]), monthOf(named[2]), Number(named[1]))
  const american = /^([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i.exec(text)
  if (american) return calendarDay(Number(american[3]), monthOf(american[1]), Number(american[2]))
  const serial = Number(text)
  if (serial >= SERIAL_MIN && serial <= SERIAL_MAX) return new Date(EXCEL_EPOCH_MS + Math.floor(serial) * DAY_MS).toISOString().slice(0, 10)
  return undefined
}

const fullYear = (year = ''): number => (year.length === 2 ? Number(year) + (Number(year) > 70 ? 1900 : 2000) : Number(year))
const monthOf = (name = ''): number => MONTHS.indexOf(name.toLowerCase()) + 1

function calendarDay(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.toISOString().slice(0, 10) : undefined
}
