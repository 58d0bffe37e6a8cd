import { cellText, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import type { HeaderScore } from '#server/features/imports/pipeline/read/headers.ts'
import { readCurrency } from '#server/features/imports/pipeline/validate/read-currency.ts'

const SHARE_MIN = 0.9
/** Codes that are words or common abbreviations, too: with these alone a column has no currencies. */
const WORDS = new Set('ALL AMD ANG BAM COP CUP GEL LAK MAD MOP PEN RON SOS STD TOP TRY VES XXX'.split(' '))
/** After every synonym of a header. */
const RANK = 1_000

/** The currency as a meaning of a column whose cells are nearly all codes of currencies, with any header. */
export function namedByCells(cells: readonly Cell[], named: readonly HeaderScore[]): HeaderScore[] {
  if (named.some(({ target }) => target === 'currency')) return []
  const texts = cells.map(cellText)
  const isCode = (text: string) => /\p{L}/u.test(text) && readCurrency(text).value !== null
  const isEvident = texts.some((text) => isCode(text) && !WORDS.has(text.trim().toUpperCase()))
  return isEvident && texts.filter(isCode).length >= texts.length * SHARE_MIN ? [{ target: 'currency', score: 0.9, rank: RANK }] : []
}
