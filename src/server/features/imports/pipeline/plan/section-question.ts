import type { Import } from '#contract/imports.ts'
import type { ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import type { SheetPart } from '#server/features/imports/pipeline/read/title-units.ts'
import { listNames, unitOf } from './factor-question.ts'

/** Some titles of sections name a unit and others none, so only a user can say which amounts are in it. */
export function sectionQuestion(constants: Readonly<Record<string, string>>, { sheets }: ReadPlan): Import['questions'] {
  const parts = [...(sheets?.values() ?? [])].flatMap((units) => units.parts ?? [])
  const unclear = parts.filter(({ isUnclear }) => isUnclear)
  if (constants['section_units'] !== undefined || unclear.length === 0) return []
  const named = parts.filter(({ factor = 1 }) => factor > 1)
  const units = [...new Set(named.map(({ factor = 1 }) => unitOf(factor)))].join(' or ')
  const titles = unclear.filter(({ number }) => number > 0).map(({ title }) => title)
  const others = [
    ...(titles.length > 0 ? [listNames(titles)] : []),
    ...(titles.length < unclear.length ? ['the rows above the first title'] : []),
  ]
  const message = `The values below ${listNames(named.map(({ title }) => title))} are in ${units}. Nothing says it of ${others.join(' and ')}. Are those in ${units}, too?`
  const below = unclear.some((part) => isBelowNamed(part, parts))
    ? { below: 'Only those between such a title and the next one with a unit' }
    : {}
  return [
    { constant: 'section_units', suggestion: null, message, options: { all: 'Yes, all of them', ...below, only: 'No, none of them' } },
  ]
}

const isBelowNamed = (part: SheetPart, parts: readonly SheetPart[]): boolean =>
  (parts.slice(0, parts.indexOf(part)).findLast(({ isUnclear }) => !isUnclear)?.factor ?? 1) > 1
