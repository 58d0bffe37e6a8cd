import type { Import } from '#contract/imports.ts'
import { cellText, isFilled, looksEuropean, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { parseMoney } from '#server/features/imports/pipeline/validate/read-numbers.ts'

/** Words of headers above amounts. Codes, counts, areas and shares have other words. */
const MONEY_WORDS =
  /\b(values?|insured|insurable|tiv|tsi|sum|cost|rents?|income|revenue|contents|stock|inventory|machinery|equipment|edp|bi|bpp|ffe|improvements|expense|amount|tools|art|damage|pd|cont|bldg|building|buildings|rcv|rcn)\b/
const OTHER_WORDS = /\b(date|year|age|percent|per|type|source|basis|months|days|factor)\b/
/** Words of headers above numbers that may be large and round, but are no amounts. */
const NUMBER_WORDS =
  /\b(number|code|name|description|limit|deductible|phone|fax|zip|postal|parcel|apn|id|ref|reference|policy|account|area|square|feet|gfa|units?|rooms|beds|seats|headcount|population|acres|elevation|distance)\b/
const SIGN = /[$€£]|\b(usd|eur|cad|gbp)\b/i
const MULTIPLE = /^[$€£(\s-]*[\d.,]+\s*(k|mm?|mil|mio|million|bn)\.?\)?$/i
/** Smaller numbers are codes, counts or factors. */
const AMOUNT_MIN = 1_000
/** Numbers below an unknown header are amounts from here on, if most of them are round. */
const LARGE_AMOUNT = 10_000
const ROUND = 100

interface UnmappedColumn {
  index: number
  column: string
  header: string
}

/** Adds up the columns without a mapping, row by row, and reports those that contain money, which would be missing in the register. */
export function sumUnmapped(columns: readonly UnmappedColumn[]) {
  const seen = columns.map((column) => ({ ...column, filled: 0, amounts: 0, signed: 0, large: 0, total: 0 }))
  const add = (cells: readonly (Cell | undefined)[]) => {
    for (const column of seen) {
      const cell = cells[column.index]
      if (!isFilled(cell)) continue
      const text = cellText(cell)
      const amount = typeof cell === 'number' ? cell : parseMoney(text, looksEuropean(text))
      column.filled += 1
      if (SIGN.test(text) || MULTIPLE.test(text)) column.signed += 1
      if (amount === undefined) continue
      if (Math.abs(amount) >= AMOUNT_MIN) column.amounts += 1
      if (Math.abs(amount) >= LARGE_AMOUNT && amount % ROUND === 0) column.large += 1
      column.total += amount
    }
  }
  const found = (): Import['unmapped_money'] =>
    seen.flatMap(({ column, header, filled, amounts, signed, large, total }) => {
      const { words } = normalizeHeader(header)
      const isNamed = MONEY_WORDS.test(words) && !OTHER_WORDS.test(words) && amounts * 2 >= filled
      const isLikely = signed * 2 >= filled || ((isNamed || large * 2 >= filled) && !NUMBER_WORDS.test(words))
      return amounts > 0 && isLikely ? [{ letter: column, header, total: Math.round(total) }] : []
    })
  return { add, found }
}
