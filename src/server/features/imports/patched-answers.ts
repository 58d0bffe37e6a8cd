import type { ImportPatch } from '#contract/import-inputs.ts'
import { isTivPart } from '#contract/property-fields.ts'
import { amountOf } from '#server/features/imports/pipeline/map/sum-columns.ts'
import { isOutlier } from '#server/features/imports/pipeline/plan/value-scale.ts'
import { withoutRowAnswers, withoutSheetAnswers } from '#server/features/imports/staging/row-answers.ts'
import type { ImportRecord } from './imports.queries.ts'

type Answered = Pick<ImportRecord, 'constants' | 'mapping'>
type Counted = Answered & { counts: Pick<ImportRecord['counts'], 'tally'> }

/** The constants with single answers. An empty one is none, so that its question is open. */
export function withAnswers(
  { constants: before }: Pick<Answered, 'constants'>,
  { answers, constants, ...patch }: ImportPatch,
): ImportPatch {
  if (answers === undefined && constants === undefined) return patch
  const all = Object.entries({ ...(constants ?? before), ...answers })
  return { ...patch, constants: Object.fromEntries(all.flatMap(([name, value]) => (value?.trim() ? [[name, value]] : []))) }
}

interface ChangedCell {
  target: string | undefined
  value: string
}

/** Larger amounts are never multiplied like others of their column. */
const BARE_MAX = 10_000
const NUMBERS: ReadonlySet<string | undefined> = new Set(['location_number', 'building_number', 'location_building'])
const ADDRESSES: ReadonlySet<string | undefined> = new Set(['address', 'full_address'])

/** Answers about cells, and whether a changed cell is one that they were not about. */
const REOPENED_BY = {
  unread_amounts: ({ target, value }) => isTivPart(target) && value.trim() !== '' && !((amountOf(value) ?? -1) >= 0),
  bare_amounts: ({ target, value }) => isTivPart(target) && (amountOf(value) ?? BARE_MAX) < BARE_MAX,
  repeated_locations: ({ target }) => NUMBERS.has(target),
  blank_addresses: ({ target, value }) => ADDRESSES.has(target) && value.trim() === '',
} as const satisfies Record<string, (cell: ChangedCell) => boolean>

/** Whether a cell is probably changed to a full amount in a file in thousands. */
const isTooLarge = ({ target, value }: ChangedCell, factor: number, { tally }: Counted['counts']): boolean =>
  factor > 1 && isTivPart(target) && isOutlier(tally, (amountOf(value) ?? 0) * factor)

/** The patch without the answers before it that were not about the cells that it changes: their questions are open again. */
export function withReopened({ constants: before, mapping, counts }: Counted, patch: ImportPatch): ImportPatch {
  const texts = [...(patch.edits ?? []), ...(patch.replace ? [{ column: patch.replace.column, value: patch.replace.to }] : [])]
  const cells = texts.map(({ column, value }): ChangedCell => ({ target: mapping[column], value }))
  const isIncluded = patch.exclusions?.some((row) => !('excluded' in row && row.excluded)) ?? false
  const reopened = Object.entries(REOPENED_BY).flatMap(([name, isOther]) => {
    const isAnswered = before[name] !== undefined && patch.constants?.[name] === undefined
    return isAnswered && (cells.some(isOther) || (isIncluded && name === 'repeated_locations')) ? [name] : []
  })
  if (cells.some((cell) => isTooLarge(cell, Number(before['factor'] ?? 1), counts))) reopened.push('factor')
  // The unit was that of torn amounts.
  if ((patch.constants?.['split_amounts'] ?? before['split_amounts']) !== before['split_amounts']) reopened.push('factor')
  if (reopened.length === 0) return patch
  const constants = Object.entries(patch.constants ?? before).filter(([name]) => !reopened.includes(name))
  return { ...patch, constants: Object.fromEntries(constants) }
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
  // These answers were about the cells of the columns that were mapped then.
  const anew = Object.entries(mapping).filter(([letter, target]) => target !== 'ignore' && target !== (before.mapping[letter] ?? null))
  const outdated = [
    ...(anew.length > 0 ? ['unread_amounts'] : []),
    ...(anew.some(([, target]) => isTivPart(target)) ? ['factor', 'bare_amounts'] : []),
  ].filter((name) => constants[name] !== undefined && constants[name] === before.constants[name])
  return outdated.length > 0 ? Object.fromEntries(Object.entries(constants).filter(([name]) => !outdated.includes(name))) : patch.constants
}
