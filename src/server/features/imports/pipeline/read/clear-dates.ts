import { cellText, type SheetRow } from './cells.ts'

export type DateOrder = 'mdy' | 'dmy'

/** One date for each order that dates of a sheet certainly have. */
export type ClearDates = Partial<Record<DateOrder, string | undefined>>

const WHOLE = /^(\d{1,2})([/.-])(\d{1,2})\2(?:\d{4}|\d{2})$/
const IN_TEXT = /(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(?:19|20)\d\d(?![\d/.-])/g

/** The order of a date of which one number cannot be a month; undefined if both can. */
function orderOf(first: number, second: number): DateOrder | undefined {
  if (first > 12 && first <= 31 && second >= 1 && second <= 12) return 'dmy'
  return second > 12 && second <= 31 && first >= 1 && first <= 12 ? 'mdy' : undefined
}

/** The dates in all cells that show whether the day or the month comes first. */
export function clearDatesIn(rows: readonly Pick<SheetRow, 'cells'>[]): ClearDates {
  const found: ClearDates = {}
  for (const { cells } of rows) {
    for (const cell of cells) {
      if (typeof cell !== 'string') continue
      const text = cellText(cell)
      const whole = WHOLE.exec(text)
      for (const [date, first, , second] of whole ? [whole] : text.matchAll(IN_TEXT)) {
        const order = orderOf(Number(first), Number(second))
        if (order !== undefined) found[order] ??= date
      }
    }
  }
  return found
}
