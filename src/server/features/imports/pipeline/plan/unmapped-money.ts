import type { Import } from '#contract/imports.ts'
import { cellText, isFilled, parseNumber, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'

/** Words of headers above amounts. Codes, counts, areas and shares have other words. */
const MONEY_WORDS =
  /\b(values?|insured|tiv|tsi|sum|cost|rents?|income|revenue|contents|stock|inventory|machinery|equipment|edp|bi|bpp|ffe|improvements|expense|amount|tools|art|damage|pd|cont|bldg|building|buildings)\b/
const OTHER_WORDS = /\b(date|year|age|number|percent|per|type|source|basis|months|days|code|name|description|factor|limit|deductible)\b/
const SIGN = /[$€£]|\b(usd|eur|cad|gbp)\b/i
/** Smaller numbers are codes, counts or factors. */
const AMOUNT_MIN = 1_000

interface UnmappedColumn {
  index: number
  column: string
  header: string
}

/** Adds up the columns without a mapping, row by row, and reports those that contain money, which would be missing in the register. */
export function sumUnmapped(columns: readonly UnmappedColumn[]) {
  const seen = columns.map((column) => ({ ...column, filled: 0, amounts: 0, signed: 0, total: 0 }))
  const add = (cells: readonly (Cell | undefined)[]) => {
    for (const column of seen) {
      const cell = cells[column.index]
      if (!isFilled(cell)) continue
      const text = cellText(cell)
      const amount = parseNumber(text.replace(/[$€£]|\b(usd|eur|cad|gbp)\b/gi, ''), false)
      column.filled += 1
      if (SIGN.test(text)) column.signed += 1
      if (amount === undefined) continue
      if (Math.abs(amount) >= AMOUNT_MIN) column.amounts += 1
      column.total += amount
    }
  }
  const found = (): Import['unmapped_money'] =>
    seen.flatMap(({ column, header, filled, amounts, signed, total }) => {
      const { words } = normalizeHeader(header)
      const isNamed = MONEY_WORDS.test(words) && !OTHER_WORDS.test(words)
      const isMoney = filled > 0 && amounts > 0 && (signed * 2 >= filled || (isNamed && amounts * 2 >= filled))
      return isMoney ? [{ letter: column, header, total: Math.round(total) }] : []
    })
  return { add, found }
}
