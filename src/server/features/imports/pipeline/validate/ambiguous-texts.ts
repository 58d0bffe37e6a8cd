/** A date where a number such as `1-2` is expected: spreadsheet programs turn it into a day (2026-01-02), as text `2-Jan` or `Jan-95`. */
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const SHORT_DAY = new RegExp(String.raw`^(?:(\d{1,2})-(${MONTHS.join('|')})|(${MONTHS.join('|')})-(\d\d))$`)

export type NumberDates = 'month_day' | 'day_month' | 'text'

export const isDateOfNumber = (text: string): boolean => DAY.test(text) || SHORT_DAY.test(text)

/** The number that was typed, with a hyphen; undefined if the text is not such a date. */
export function numberOfDate(text: string, order: 'month_day' | 'day_month'): string | undefined {
  const joined = (month: number, day: number) => (order === 'month_day' ? `${month}-${day}` : `${day}-${month}`)
  const [, year, monthOfYear, dayOfMonth] = DAY.exec(text) ?? []
  if (year !== undefined) {
    const [month, day, short] = [Number(monthOfYear), Number(dayOfMonth), year.slice(2)]
    // `3-95` becomes the first of March 1995, since March has no day 95.
    const isMonthAndYear = day === 1 && (short === '00' || Number(short) > new Date(Date.UTC(Number(year), month, 0)).getUTCDate())
    return isMonthAndYear ? `${month}-${short}` : joined(month, day)
  }
  const [, day, named, first, second] = SHORT_DAY.exec(text) ?? []
  if (named !== undefined) return joined(MONTHS.indexOf(named) + 1, Number(day))
  return first === undefined ? undefined : `${MONTHS.indexOf(first) + 1}-${second}`
}

/** Whether the order of day and month changes what such a date is read as. */
export const showsOrder = (text: string): boolean => numberOfDate(text, 'month_day') !== numberOfDate(text, 'day_month')

const DOTTED = /^[^\d.,]*[1-9]\d{0,2}\.\d{3}\s*([^\d.,]*2?)$/
const MULTIPLE = /^(k|thousand|tsd|mm|mil|mio|m|millions?|millionen|mrd|milliarden|milliards|bn|b|billion)\b/i

/** Whether the dot may separate thousands or decimals: `12.000`, not `1.125M`. */
export const hasUnclearDot = (text: string): boolean => {
  const unit = DOTTED.exec(text)?.[1]
  return unit !== undefined && !MULTIPLE.test(unit)
}

/** Whether the dots of a number certainly separate thousands: two of them do, or one before a comma. */
export const hasDottedThousands = (text: string): boolean => /(?<![\d.,])\d{1,3}\.\d{3}(?:\.\d{3}(?!\d)|,\d{1,2}(?!\d))/.test(text)

/** Whether a number with commas for thousands has three decimals: next to others without, the dot may be typed for a comma. */
export const hasThousandths = (text: string): boolean => /(?<![\d.,])\d{1,3}(?:,\d{3})+\.\d{3}(?!\d)/.test(text)

/** Whether a number is certainly written with three decimals. */
export const hasThreeDecimals = (text: string): boolean => /\d{4}\.\d{3}$|,\d{3}\.\d{3}$|^\D*0\.\d{3}$/.test(text)
