import { hasCurrency, unitsIn, type Factor } from './amount-notation.ts'
import { currenciesIn, type SectionText, type SheetPart } from './title-units.ts'
import { columnsIn, isOfOtherAmounts, withoutFilling } from './unit-notes.ts'

/** What the title of a section says about the amounts below it. */
interface TitleUnit {
  /** 1 for full amounts. */
  factor: Factor | undefined
  currency: string | undefined
}

/** Of a section whose title names no unit, if others name one: that of all such sections, of those below a title with a unit, or of none. */
export const SECTION_DECISIONS = ['all', 'below', 'only'] as const
export type SectionDecision = (typeof SECTION_DECISIONS)[number]

export interface TitledSection extends SectionText {
  /** Whether locations are below it, before the next one. */
  hasRows: boolean
  /** Whether it is the first one of its sheet, with locations above it. */
  hasRowsAbove: boolean
}

/** Full amounts: `Nevada ($)`, `Utah (actual)`. */
const FULL_IN_BRACKETS = /[([]\s*(?:in )?(?:full|whole|actuals?|exact)\s*[)\]]/iu
const IN_BRACKETS = /[([]([^()[\]]*)[)\]]/gu
const isFull = (title: string): boolean =>
  FULL_IN_BRACKETS.test(title) ||
  [...title.matchAll(IN_BRACKETS)].some(
    ([, inside = '']) => hasCurrency(inside) && withoutFilling(inside.replace(/\p{Sc}/gu, '')).length <= 3,
  )

/** A title that only names a unit, or that of a column, is about the whole sheet. */
function namesSection(rest: string): boolean {
  const name = withoutFilling(rest.replace(/[()[\]]/g, ' '))
  return /\p{L}/u.test(name) && columnsIn(rest).length === 0
}

/** The unit that the title of a section names for the amounts below it; undefined if it names none of its own. */
export function unitOfTitle(title: string): TitleUnit | undefined {
  const { units, after } = unitsIn(title)
  const [unit, ...others] = units
  const [currency, ...more] = new Set(currenciesIn(title))
  const rest = unit === undefined ? title.replace(IN_BRACKETS, ' ') : `${unit.before} ${after}`
  if (others.length > 0 || more.length > 0 || !namesSection(rest) || isOfOtherAmounts(title)) return undefined
  const factor = unit?.factor ?? (isFull(title) ? 1 : undefined)
  return factor === undefined && currency === undefined ? undefined : { factor, currency }
}

/**
 * The parts of a sheet whose titles of sections name units or currencies of their own; empty if none does.
 * @param factor that the texts of the whole sheet announce
 */
export function sheetParts(sections: readonly TitledSection[], factor: number, decision: SectionDecision | undefined): SheetPart[] {
  const titles = sections.map(({ number, text, hasRows }) => ({ number, title: text, hasRows, unit: unitOfTitle(text) }))
  const hasRowsAbove = sections.some((section) => section.hasRowsAbove)
  const all = [...(hasRowsAbove ? [{ number: 0, title: '', hasRows: true, unit: undefined }] : []), ...titles]
  const largest = Math.max(1, ...all.map(({ unit }) => unit?.factor ?? 1))
  if (largest === 1 && all.every(({ unit }) => unit?.currency === undefined)) return []
  let above: number | undefined
  return all.map(({ number, title, hasRows, unit }) => {
    above = unit?.factor ?? above
    const decided = { all: largest, below: above ?? 1, only: 1 }[decision ?? 'only']
    const isSaid = largest === 1 || unit?.factor !== undefined || factor > 1
    return {
      number,
      title,
      factor: largest === 1 ? undefined : (unit?.factor ?? (factor > 1 ? factor : decided)),
      isUnclear: hasRows && !isSaid && decision === undefined,
      currency: unit?.currency,
    }
  })
}

/** The parts of a sheet with what their titles say only, if something else says which unit the amounts of the others are in. */
export const partsAsTitled = (sections: readonly TitledSection[]): SheetPart[] =>
  sections.map(({ number, text }) => ({
    number,
    title: text,
    isUnclear: false,
    factor: undefined,
    currency: undefined,
    ...unitOfTitle(text),
  }))

/** The part of a sheet that a row is in. */
export const partOf = (parts: readonly SheetPart[], number: number): SheetPart | undefined => parts.findLast((part) => part.number < number)
