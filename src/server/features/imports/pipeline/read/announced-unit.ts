import { factorOf, hasCurrency, withoutFactor } from './amount-notation.ts'
import { cellText, isFilled, isNumeric, type SheetRow } from './cells.ts'
import { withoutFilling } from './unit-notes.ts'

/** A text that may say in which unit the amounts are. */
export interface UnitText {
  text: string
  /** Where it is, such as `row 26`; null above the header. */
  place: string | null
}

const AMOUNTS =
  /\b(values?|amounts?|figures?|numbers|limits?|sums?|tiv|insured|sov|schedule|dollars?|euros?|buildings?|contents|stock|bi|business income|rents?)\b/i

const FOREIGN_AMOUNTS =
  /(?<!\p{L})(?:valor(?:es)?|importes?|sumas?|cifras|montants?|valeurs?|sommes?|chiffres|betr[äa]ge?|werte?|importi|valori|bedragen|waarden|warto[śs]ci|summen?|angaben|zahlen)(?!\p{L})/iu

/** Whether a text that is not above the header says that amounts are in thousands or millions, as `* in thousands` does by itself. */
export const announcesUnit = (text: string): boolean =>
  factorOf(text) > 1 &&
  (AMOUNTS.test(text) || FOREIGN_AMOUNTS.test(text) || hasCurrency(text) || withoutFilling(withoutFactor(text)) === '')

/** The name of a file, if it says in which unit the amounts are; otherwise ''. Letters such as MM may be those of a person or a month. */
export function unitInFileName(fileName: string): string {
  const name = fileName.replace(/\.[^.]*$/, '').replace(/_/g, ' ')
  return announcesUnit(name.replace(/(?<!\p{L})mm(?!\p{L})/giu, ' ')) ? name : ''
}

/** Words after which a unit may be that of some rows only, or of another file. */
const DOUBTS =
  /(?<![\p{L}\p{N}])(?:some|several|certain|few|many|most(?:ly)?|part(?:ly|ially)|mixed|either|or|formerly|previously|originally|last year['’]?s|prior|until|ten|hundreds?|if|when|where|may|might|could|sometimes|(?:locations?|loc|rows?|lines?|items?|sites?|buildings?|bldgs?)\.?\s*#?\s?\d+)(?![\p{L}\p{N}])/iu

/** Whether it is doubtful that the unit of a text is that of all amounts. */
export const isDoubtfulUnit = (text: string): boolean => factorOf(text) > 1 && DOUBTS.test(text)

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
