import { parseNumber } from './number-text.ts'
import { failure, isPlaceholder, NOTHING, placeholder, type ColumnStyle, type Reading } from './reading.ts'

/** 0 to 100; in a column that never exceeds 1 the numbers are shares. */
export function readPercent(cell: string | number | boolean, style: ColumnStyle): Reading {
  const text = String(cell).trim()
  if (/^(-+|none|nil)$/i.test(text)) return NOTHING
  if (isPlaceholder(text)) return placeholder(text)
  const number = typeof cell === 'number' ? cell : parseNumber(text.replace(/\s*(%|percent|pct)$/i, ''), style.european)
  if (number === undefined)
    return failure('not_a_number', `“${text}” is not a percentage. Type a number from 0 to 100, or leave the cell empty.`)
  const percent = style.share && !/%|percent|pct/i.test(text) ? number * 100 : number
  if (percent < 0 || percent > 100)
    return failure('out_of_range', `${text} is not between 0 and 100 %. Correct the percentage or leave the cell empty.`)
  const rounded = Math.round(percent * 100) / 100
  return { value: style.inverted ? 100 - rounded : rounded }
}
