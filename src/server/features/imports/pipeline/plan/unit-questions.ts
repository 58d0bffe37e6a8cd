import type { Import } from '#contract/imports.ts'
import type { ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { columnUnitQuestions, isAskedByColumn } from './column-unit-questions.ts'
import { factorQuestion } from './factor-question.ts'
import { sectionQuestion } from './section-question.ts'
import { smallColumnQuestion } from './small-column-question.ts'

type Questions = Import['questions']

type UnitFacts = Parameters<typeof factorQuestion>[0] & { constants: Readonly<Record<string, string>>; plan: ReadPlan }

/** In which unit the amounts are: those of each column, of some sections, of the whole file, or of one column. */
export function unitQuestions(facts: UnitFacts, split: Questions): Questions {
  const { constants, plan, tally } = facts
  const ofColumns = columnUnitQuestions(plan, constants)
  const sections = sectionQuestion(constants, plan)
  // Torn amounts say nothing about their unit.
  if (isAskedByColumn(plan) || split.length + sections.length > 0) return [...ofColumns, ...sections]
  const ofAll = constants['factor'] === undefined ? factorQuestion(facts) : []
  if (ofAll.length > 0 || Number(constants['factor'] ?? 1) > 1) return ofAll
  return smallColumnQuestion(constants, plan, tally)
}
