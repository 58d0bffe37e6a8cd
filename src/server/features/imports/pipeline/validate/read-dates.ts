import { YEAR_AHEAD, YEAR_MIN } from '#contract/property-fields.ts'
import { doubtIn } from './doubtful-words.ts'
import { missingValue, problemOf, tidy, warning, type CellResult, type ColumnStyle, type FilledCell } from './results.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const EXCEL_EPOCH_MS = Date.UTC(1899, 11, 30)
const DAY_MS = 86_400_000
const SERIAL_MIN = 20_000
const SERIAL_MAX = 80_000

const UNCLEAR = 'unclear'

/** A calendar day as YYYY-MM-DD, not after today. */
export function readDate(cell: FilledCell, style: ColumnStyle): CellResult {
  const text = tidy(cell)
  const missing = missingValue(text)
  if (missing) return missing
  const year = /^(?:fy ?)?((?:19|20)\d\d)(?:\.0+)?$/i.exec(text)?.[1]
  if (year !== undefined)
    return notAfterToday(`${year}-01-01`, style, `“${text}” is read as January 1 of that year. Type the full date if you know it.`)
  const date = dateOf(text, style)
  if (date === UNCLEAR) {
    const message = `“${text}” has either the day or the month first, so the field stays empty. Answer the question about the order, or type the date as YYYY-MM-DD.`
    return { ...warning('bad_date', message), isUnclear: true }
  }
  if (date === undefined)
    return warning('bad_date', `“${text}” is not a date, so the field stays empty. Type it as YYYY-MM-DD or MM/DD/YYYY.`)
  return notAfterToday(date, style)
}

/** Whether a cell says a day after today. */
export function isAfterToday(cell: FilledCell, style: ColumnStyle): boolean {
  const date = dateOf(tidy(cell), style)
  return date !== undefined && date !== UNCLEAR && date > style.today
}

function notAfterToday(date: string, { today }: ColumnStyle, note?: string): CellResult {
  if (date > today) return warning('bad_date', `${date} is in the future, so the field stays empty. Correct the date.`)
  return note === undefined ? { value: date } : warning('bad_date', note, date)
}

/** `14:15`, `2:15:00 PM` after a date. */
const TIME = /[ T,]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[ap]\.?m\.?)?(?:\s*(?:Z|UTC|[+-]\d{2}:?\d{2}))?$/i

function dateOf(written: string, { dayFirst, unclearDates }: ColumnStyle): string | undefined {
  const text = written.replace(TIME, '')
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ].*)?$/.exec(text)
  if (iso) return calendarDay(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const numeric = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})$/.exec(text)
  if (numeric) {
    const [first, second] = [Number(numeric[1]), Number(numeric[2])]
    const isUnclear = first <= 12 && second <= 12 && first !== second
    if (isUnclear && unclearDates) return UNCLEAR
    const isDayFirst = isUnclear ? dayFirst : first > 12
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
  // A day that its month does not have is in the next month.
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1
  return isReal ? date.toISOString().slice(0, 10) : undefined
}

const UNKNOWN_YEARS = new Set([0, 1111, 9999])

/** Says only what the year is not: earlier or later than the one named. */
const BOUND =
  /^(?:pre|prior to|before|bef\.?|until|after|aft\.?|post|since|older than|newer than|earlier than|later than|by|<=?|>=?|≤|≥)[ -]*(\d{4})$|^(\d{4})\s*(?:\+|or (?:before|earlier|older|after|later|newer)|and (?:before|earlier|older|after|later|newer))$/i
const TWO_YEARS =
  /^(\d{4})\s*[([]?\s*(?:[/,;&]|renovated|renovation|renov\.?|reno\.?|upgraded|updated|remodel(?:ed)?|rehab(?:bed)?)+\s*\D*(\d{4})\s*[)\]]?$/i
const RANGE = /^(\d{4})\s*(?:-|–|to)\s*(\d{4})$/i
const SINGLE =
  /^(?:c\.?|ca\.?|circa|approx\.?|about|est\.?|abt\.?|~|(?:year |yr\.? )?(?:built|constructed|erected)(?: in)?:?)?\s*(\d{1,4}|[12],\d{3})(?:\.0+)?\s*(?:\(?est\.?\)?|\?)?$/i

/** A year, also as `c. 1985`, `Built 1985`, `1985/2015`, `1985 (reno 2015)`, `1960s`, a date or two digits. */
export function readYear(cell: FilledCell, style: ColumnStyle): CellResult {
  if (typeof cell === 'number') return yearOfSerial(cell, style) ?? checkedYear(cell, style)
  const text = tidy(cell)
  const missing = missingValue(text, /^(-+|none|various|varies)$/i)
  if (missing) return missing
  const date = /^(\d{4})-\d{2}-/.exec(text) ?? /^\d{1,2}[/-]\d{1,2}[/-](\d{4})$/.exec(text)
  if (date) return checkedYear(Number(date[1]), style)
  const bound = BOUND.exec(text)
  if (bound) return unclearYear(text, bound[1] ?? bound[2] ?? '')
  const two = doubtIn(text.toLowerCase()) === undefined ? TWO_YEARS.exec(text) : null
  if (two) return withRenovation(checkedYear(Number(two[1]), style), Number(two[2]), style)
  const range = RANGE.exec(text)
  if (range) {
    const { value, problem } = checkedYear(Number(range[1]), style)
    const message = `“${text}” is read as ${range[1]}, the first year. Type the year if that is wrong, and the other one if it is a renovation.`
    return value === null && problem ? { value, problem } : warning('placeholder_value', message, value)
  }
  const decade = /^(?:the )?(\d{3})0'?s$/i.exec(text)
  if (decade) {
    const middle = Number(decade[1]) * 10 + 5
    return warning('placeholder_value', `“${text}” is read as ${middle}. Type the year if you know it.`, middle)
  }
  const single = SINGLE.exec(text)?.[1]
  if (single !== undefined) return checkedYear(Number(single.replace(',', '')), style)
  return warning('not_a_number', `“${text}” is not a year, so the field stays empty. Type four digits such as 1985.`)
}

/** The first day that a number in a column of years may be, in 1927. Smaller ones are years with a typing error. */
const YEAR_SERIAL_MIN = 10_000

/** The year of a date that a spreadsheet program stores as its number of days: 31413 is January 1, 1986. Undefined for other numbers. */
function yearOfSerial(days: number, { thisYear }: ColumnStyle): CellResult | undefined {
  if (days < YEAR_SERIAL_MIN || days > SERIAL_MAX) return undefined
  const year = new Date(EXCEL_EPOCH_MS + Math.floor(days) * DAY_MS).getUTCFullYear()
  if (year > thisYear + YEAR_AHEAD) return undefined
  return warning(
    'placeholder_value',
    `${days} is the number of a day in ${year} and is read as ${year}. Type the year if that is wrong.`,
    year,
  )
}

/** The year of the last replacement or renovation: of `2010/2015` and `2010-2015` the later one, with a warning. */
export function readLastYear(cell: FilledCell, style: ColumnStyle): CellResult {
  const text = tidy(cell)
  const several = doubtIn(text.toLowerCase()) === undefined ? (TWO_YEARS.exec(text) ?? RANGE.exec(text)) : null
  if (!several) return readYear(cell, style)
  const later = Math.max(Number(several[1]), Number(several[2]))
  const { value, problem } = checkedYear(later, style)
  if (value === null && problem) return { value, problem }
  return warning('placeholder_value', `“${text}” is read as ${later}, the later year. Type the year if that is wrong.`, value)
}

function unclearYear(text: string, year: string): CellResult {
  const message = `“${text}” only limits the year, so the field stays empty. Type the year if you know it.`
  return { ...problemOf('warning', 'placeholder_value', message, year), isUnclear: true }
}

/** A renovation that cannot be a year is left out, with the text as a warning. */
function withRenovation(built: CellResult, year: number, style: ColumnStyle): CellResult {
  const renovated = checkedYear(year, style)
  if (typeof renovated.value === 'number') return { ...built, derived: { year_upgraded: renovated.value } }
  return built.problem || !renovated.problem ? built : { ...built, problem: renovated.problem }
}

function checkedYear(year: number, { thisYear, repeats1900, age }: ColumnStyle): CellResult {
  if (age && year < 200) return { value: thisYear - Math.round(year) }
  if (UNKNOWN_YEARS.has(year))
    return warning('placeholder_value', `${year} means “unknown”, so the year stays empty. Type the year if you know it.`)
  if (!Number.isInteger(year))
    return warning('not_an_integer', `${year} is not a year, so the field stays empty. Type four digits such as 1985.`)
  if (year > 9 && year < 100) {
    const full = year + (year > thisYear % 100 ? 1900 : 2000)
    return warning('placeholder_value', `${year} is read as ${full}. Type four digits if that is wrong.`, full)
  }
  const max = thisYear + YEAR_AHEAD
  if (year < YEAR_MIN || year > max)
    return warning('out_of_range', `${year} is not between ${YEAR_MIN} and ${max}, so the field stays empty. Correct the year.`)
  if (year === 1900 && repeats1900)
    return warning('placeholder_value', '1900 occurs in several rows and is probably a placeholder. Check the year.', year)
  return { value: year }
}
