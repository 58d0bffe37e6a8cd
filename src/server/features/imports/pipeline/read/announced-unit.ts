import { factorOf, hasCurrency } from './amount-notation.ts'
import { cellText, isFilled, isNumeric, type SheetRow } from './cells.ts'

/** A text that may say in which unit the amounts are. */
export interface UnitText {
  text: string
  /** Where it is, such as `row 26`; null above the header. */
  place: string | null
}

const AMOUNTS =
  /\b(values?|amounts?|figures?|numbers|limits?|sums?|tiv|insured|sov|schedule|dollars?|euros?|buildings?|contents|stock|bi|business income|rents?)\b/i

/** Whether a text that is not above the header says that amounts are in thousands or millions. */
export const announcesUnit = (text: string): boolean => factorOf(text) > 1 && (AMOUNTS.test(text) || hasCurrency(text))

const NUMBERS_SHARE_MAX = 0.1

/** The text of a cover or of instructions that says in which unit amounts are; a sheet with numbers means its own. */
export function unitNoteOf(head: readonly SheetRow[]): string {
  const filled = head.flatMap(({ cells }) => cells.filter(isFilled))
  if (filled.filter(isNumeric).length > filled.length * NUMBERS_SHARE_MAX) return ''
  return filled.map(cellText).find(announcesUnit) ?? ''
}

/** The text that announces the unit, with its place; undefined if one above the header does. */
export function unitSource(texts: readonly UnitText[]): string | undefined {
  const announced = texts.filter(({ text }) => factorOf(text) > 1)
  const [first] = announced
  return first === undefined || announced.some(({ place }) => place === null) ? undefined : `“${first.text}” (${first.place})`
}
