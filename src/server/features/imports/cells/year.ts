import { YEAR_AHEAD, YEAR_MIN } from '#contract/property-fields.ts'
import { failure, isPlaceholder, NOTHING, placeholder, warning, type ColumnStyle, type Reading } from './reading.ts'

const UNKNOWN_YEARS = new Set([0, 1111, 9999])

/** A year; `c. 1985`, `1985/2015`, `1960s`, a date and two digits are understood. */
export function readYear(cell: string | number | boolean, style: ColumnStyle): Reading {
  if (typeof cell === 'number') return checked(cell, style)
  const text = String(cell).replace(/\s+/g, ' ').trim()
  if (/^(-+|none|various|varies)$/i.test(text)) return NOTHING
  if (isPlaceholder(text)) return placeholder(text)
  const date = /^(\d{4})-\d{2}-\d{2}/.exec(text) ?? /^\d{1,2}[/-]\d{1,2}[/-](\d{4})$/.exec(text)
  if (date) return checked(Number(date[1]), style)
  const two = /^(\d{4})\s*(?:[/,;&-]|renovated|reno\.?|upgraded|updated|rehab)+\s*\D*(\d{4})$/i.exec(text)
  if (two) return { ...checked(Number(two[1]), style), also: { year_upgraded: Number(two[2]) } }
  const decade = /^(?:the )?(\d{3})0'?s$/i.exec(text)
  if (decade) {
    const middle = Number(decade[1]) * 10 + 5
    return warning('placeholder_value', `“${text}” is read as ${middle}. Type the year if you know it.`, middle)
  }
  const single = /^(?:c\.?|ca\.?|circa|approx\.?|about|est\.?|abt\.?|~|pre-?)?\s*(\d{1,4})(?:\.0+)?\s*(?:\+|\(?est\.?\)?|\?)?$/i.exec(text)
  if (single) return checked(Number(single[1]), style)
  return failure('not_a_number', `“${text}” is not a year. Type four digits such as 1985, or leave the cell empty.`)
}

function checked(year: number, { thisYear, repeats1900, age }: ColumnStyle): Reading {
  if (age && year < 200) return { value: thisYear - Math.round(year) }
  if (UNKNOWN_YEARS.has(year))
    return warning('placeholder_value', `${year} stands for “unknown”, so the year stays empty. Type the year if you know it.`)
  if (!Number.isInteger(year)) return failure('not_an_integer', `${year} is not a year. Type four digits such as 1985.`)
  if (year > 9 && year < 100) {
    const full = year + (year > thisYear % 100 ? 1900 : 2000)
    return warning('placeholder_value', `${year} is read as ${full}. Type four digits if that is wrong.`, full)
  }
  if (year < YEAR_MIN || year > thisYear + YEAR_AHEAD) {
    return failure(
      'out_of_range',
      `${year} is not between ${YEAR_MIN} and ${thisYear + YEAR_AHEAD}. Correct the year or leave the cell empty.`,
    )
  }
  if (year === 1900 && repeats1900)
    return warning('placeholder_value', '1900 stands in several rows and is probably a placeholder. Check the year.', year)
  return { value: year }
}
