import { MONEY_MAX } from '#contract/property-fields.ts'
import { parseNumber } from './number-text.ts'
import { failure, isPlaceholder, placeholder, warning, type ColumnStyle, type Reading } from './reading.ts'

const INCLUDED =
  /^\(?(incl(uded|\.|uding)?\b.*|in (bldg|building|contents|tiv|above).*|w(ith|\/) ?(bldg|building)|see (above|building|bldg).*)\)?$/i
const NIL = /^(-+|–|—|nil|none|zero|no value)$/i
const SUFFIXES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mm: 1e6,
  mil: 1e6,
  mio: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
}
const CURRENCY = /^(us\$|usd|cad|c\$|eur|gbp|\$|€|£)\s*|\s*(usd|cad|eur|gbp|dollars)$/gi

/** Whole currency units; half a unit rounds up. */
export function readMoney(cell: string | number | boolean, style: ColumnStyle): Reading {
  if (typeof cell === 'number') return inRange(cell * style.factor, String(cell))
  const text = String(cell).replace(/\s+/g, ' ').trim()
  if (NIL.test(text)) return { value: 0 }
  if (INCLUDED.test(text)) {
    return warning(
      'included_elsewhere',
      `“${text}” means the value is part of another column, so this one stays empty. Type an amount if it is separate.`,
    )
  }
  if (isPlaceholder(text)) return placeholder(text)
  const amount = parseMoney(text, style.european)
  if (amount === undefined)
    return failure('not_a_number', `“${text}” is not an amount. Type a number such as 1,250,000, or leave the cell empty.`)
  return inRange(amount * style.factor, text)
}

function parseMoney(text: string, european: boolean): number | undefined {
  const negative = /^\(.*\)$/.test(text)
  const body = text
    .replace(/^\(|\)$/g, '')
    .replace(CURRENCY, '')
    .replace(CURRENCY, '')
    .trim()
  const suffixed = /^(.*\d\.?)\s*(k|thousand|mm|mil|mio|m|million|bn|b|billion)\.?$/i.exec(body)
  const amount = parseNumber(suffixed?.[1] ?? body, european)
  if (amount === undefined) return undefined
  const factor = SUFFIXES[suffixed?.[2]?.toLowerCase() ?? ''] ?? 1
  return (negative ? -amount : amount) * factor
}

function inRange(amount: number, text: string): Reading {
  if (amount < 0)
    return failure('out_of_range', `${text} is negative. Insured values are 0 or more: correct the amount or leave the cell empty.`)
  if (amount > MONEY_MAX) return failure('out_of_range', `${text} is more than a property can be worth. Check the amount and its unit.`)
  return { value: Math.floor(amount + 0.5) }
}
