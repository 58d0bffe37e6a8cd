import { columnFactors } from '#contract/column-factor.ts'
import { factorOf } from '#server/features/imports/pipeline/read/amount-notation.ts'
import { announcesUnit } from '#server/features/imports/pipeline/read/announced-unit.ts'
import type { AskedUnits } from '#server/features/imports/pipeline/read/title-units.ts'
import { deniesUnit, isOfOtherAmounts, mayLimitUnit, unclearUnits } from '#server/features/imports/pipeline/read/unit-notes.ts'

interface SheetTexts {
  index: number
  name: string
  titles: readonly string[]
  /** All others, which may be about something else. */
  notes: readonly string[]
}

type Constants = Readonly<Record<string, string>>

/** The texts of each sheet that announce a unit, if any of the file does not say clearly which columns it is for; empty otherwise. */
export function askedBySheet(sheets: readonly SheetTexts[], constants: Constants): Map<number, AskedUnits> {
  const found = sheets.map(({ titles, notes, ...sheet }) => {
    const texts = [...titles, ...notes.filter((text) => announcesUnit(text) || mayLimitUnit(text) || deniesUnit(text))]
    return { ...sheet, texts, unclear: unclearUnits(texts) }
  })
  if (found.every(({ unclear }) => unclear.length === 0)) return new Map()
  return new Map(
    found.map(({ index, name, texts, unclear }): [number, AskedUnits] => {
      const clear = texts.filter((text) => factorOf(text) > 1 && !isOfOtherAmounts(text) && !unclear.some((one) => one.text === text))
      const announcing = [...unclear, ...clear.map((text) => ({ text, factors: [factorOf(text)] }))]
      const several = sheets.length > 1 ? { sheet: name, index } : {}
      const factors = [...new Set(announcing.flatMap((one) => one.factors))]
      return [
        index,
        { ...several, texts: [...new Set(announcing.map(({ text }) => text))], factors, answers: columnFactors(constants, several.index) },
      ]
    }),
  )
}
