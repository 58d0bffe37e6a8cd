import type { ImportPatch } from '#contract/import-inputs.ts'
import { isTivPart } from '#contract/property-fields.ts'
import { looksEuropean } from '#server/features/imports/pipeline/read/cells.ts'
import { parseMoney } from '#server/features/imports/pipeline/validate/read-numbers.ts'
import { withoutRowAnswers, withoutSheetAnswers } from '#server/features/imports/staging/row-answers.ts'
import type { ImportRecord } from './imports.queries.ts'

type Answered = Pick<ImportRecord, 'constants' | 'mapping'>

/** The constants with single answers. An empty one is none, so that its question is open. */
export function withAnswers(
  { constants: before }: Pick<Answered, 'constants'>,
  { answers, constants, ...patch }: ImportPatch,
): ImportPatch {
  if (answers === undefined && constants === undefined) return patch
  const all = Object.entries({ ...(constants ?? before), ...answers })
  return { ...patch, constants: Object.fromEntries(all.flatMap(([name, value]) => (value?.trim() ? [[name, value]] : []))) }
}

const isReadable = (text: string): boolean => text.trim() === '' || (parseMoney(text, looksEuropean(text)) ?? -1) >= 0

/** A cell of amounts that is changed to a text which cannot be read needs an answer, although others are left empty. */
export function withOpenAmounts({ constants: before, mapping }: Answered, patch: ImportPatch): ImportPatch {
  const changed = [...(patch.edits ?? []), ...(patch.replace ? [{ column: patch.replace.column, value: patch.replace.to }] : [])]
  const { unread_amounts: answer, ...others } = patch.constants ?? before
  const isAnswered = answer !== undefined && patch.constants?.['unread_amounts'] === undefined
  const isOpen = changed.some(({ column, value }) => isTivPart(mapping[column]) && !isReadable(value))
  return isAnswered && isOpen ? { ...patch, constants: others } : patch
}

const MODE_ANSWERS = {
  new_numbers: { answer: 'use', mode: 'full_replacement' },
  many_divested: { answer: 'add_and_update', mode: 'add_and_update' },
  older_values: { answer: 'add_only', mode: 'add_only' },
} as const

/** Some answers choose another mode instead: one that makes numbers free, one for files that are not complete, one that changes nothing. */
export function withModeAnswer(patch: ImportPatch): ImportPatch {
  for (const [name, { answer, mode }] of Object.entries(MODE_ANSWERS)) {
    const { [name]: given, ...constants } = patch.constants ?? {}
    if (given === answer) return { ...patch, constants, mode }
  }
  return patch
}

/** A user who chooses the sheets needs no question about them. */
const CHOSEN_SHEETS = { other_sheets: 'include' }

/** The constants after a patch; undefined if they stay. Other sheets keep only what is sent with them, and the values of fields. */
export function constantsAfter(before: Answered, patch: ImportPatch, otherSheets: ImportPatch | undefined): ImportPatch['constants'] {
  const chosen = patch.sheets && CHOSEN_SHEETS
  if (otherSheets !== undefined) {
    const { constants: given = {} } = withAnswers({ constants: {} }, otherSheets)
    return { ...(otherSheets.constants ? {} : withoutSheetAnswers(before.constants)), ...withoutRowAnswers(given), ...chosen }
  }
  const { constants = before.constants, mapping = {}, header_row } = patch
  if (header_row !== undefined) return { ...withoutRowAnswers(constants), ...chosen }
  // The answer was about the cells of the columns that were mapped then.
  const { unread_amounts: answer, ...others } = constants
  const isMappedAnew = Object.entries(mapping).some(
    ([letter, target]) => target !== 'ignore' && target !== (before.mapping[letter] ?? null),
  )
  return isMappedAnew && answer !== undefined && answer === before.constants['unread_amounts'] ? others : patch.constants
}
