import { columnFactor } from '#contract/column-factor.ts'
import type { Import } from '#contract/imports.ts'
import type { ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { kindOf } from './cell-questions.ts'
import { unitOf } from './factor-question.ts'
import { factorOptions } from './value-scale.ts'

/** Longer texts are cut off in questions. */
const SHOWN_CHARACTERS_MAX = 200
const shown = (text: string) => `“${text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text}”`

/** Whether a text does not say clearly which columns its unit is for, so that no answer can be about all of them. */
export const isAskedByColumn = ({ sheets }: ReadPlan): boolean => [...(sheets?.values() ?? [])].some(({ asked }) => asked !== undefined)

/** Whether the values of each column are in the unit of such a text. Nothing shows which answer is probable. */
export function columnUnitQuestions({ columns, sheets }: ReadPlan, constants: Readonly<Record<string, string>>): Import['questions'] {
  const money = columns.filter(({ target }) => kindOf(target) === 'money')
  return [...(sheets?.values() ?? [])].flatMap(({ asked }) =>
    money.flatMap(({ column, header }) => {
      if (asked === undefined) return []
      const constant = columnFactor(column, asked.index)
      const own = normalizeHeader(header).factor
      const factors = [...new Set([...asked.factors, ...(own > 1 ? [own] : [])])].sort((a, b) => a - b)
      if (constants[constant] !== undefined || factors.length === 0) return []
      const source = asked.sheet === undefined ? 'The file' : `Sheet “${asked.sheet}”`
      const says = asked.texts.length === 0 ? '' : `${source} says ${asked.texts.map(shown).join(', and ')}. `
      const place = asked.sheet === undefined ? '' : ` of sheet “${asked.sheet}”`
      const message = `${says}Are the values in column ${column}, “${header}”,${place} in ${factors.map(unitOf).join(' or ')}?`
      return [{ constant, suggestion: null, message, options: factorOptions(factors) }]
    }),
  )
}
