import type { z } from 'zod'
import { plural } from '#contract/format.ts'
import type { HistoryItem, Import, ImportColumn, ImportField } from '#contract/imports.ts'
import { NO_CODE, wordField, wordKey, type ColumnWord } from '#contract/import-words.ts'
import { PROPERTY_FIELDS, PROPERTY_SECTIONS } from '#contract/property-fields.ts'
import type { Context } from '#server/engines/context.ts'
import { HEADER_SYNONYMS } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { isSplitTarget } from '#server/features/imports/pipeline/map/propose-split.ts'
import { isOtherYear, isUnlikelyName } from '#server/features/imports/pipeline/read/survey-sheets.ts'
import { splitSamples } from '#server/features/imports/pipeline/validate/read-parts.ts'
import { earlierImport, firstErrors, undoableImport, type ImportRecord, type StoredColumn, type StoredSheet } from './imports.queries.ts'
import { divestedSheets, selectedSheets, sheetName, usedDivestedSheets } from './selected-sheets.ts'

export async function presentImport(ctx: Context, record: ImportRecord): Promise<Import> {
  const [undoable, repeats, errors] = await Promise.all([
    undoableImport(ctx.db, record.account_id),
    earlierImport(ctx, record),
    firstErrors(ctx.db, record.id),
  ])
  return {
    ...record,
    ...presentHistory(record, undoable),
    progress: { done: record.progress_done, total: record.progress_total },
    repeats: repeats ? { file_name: repeats.file_name, created_at: repeats.created_at.toISOString() } : null,
    sheets: presentSheets(record),
    sheet_rows: record.counts.lastRow,
    sold_sheets: presentDivestedSheets(record),
    ticked: record.counts.ticked,
    undone: record.counts.undone && record.undone_at && { ...record.counts.undone, at: record.undone_at.toISOString() },
    sheet: record.sheet_index,
    columns: record.columns.map((column) => ({
      ...presentColumn(column, record.mapping[column.column], record.constants['number_dates']),
      words: presentWords(record, column.column),
    })),
    questions: record.counts.questions,
    unmapped_money: record.counts.unmappedMoney,
    issues: record.counts.issues,
    errors: errors.map((error) => ({ ...error, sheet: sheetName(record, error.sheet_index) })),
  }
}

/** How many of the selected sheets have a header row. */
const headerRows = (record: ImportRecord): number =>
  selectedSheets(record).filter(({ headerRow }, at) => (at === 0 ? (record.header_row ?? headerRow) : headerRow) !== null).length

export function presentHistory(record: ImportRecord, undoable: string | undefined): HistoryItem {
  const { tabs } = record.counts
  const counts = { add: 0, change: 0, unchanged: 0, remove: 0, conflict: 0, excluded: 0, errors: 0, ...tabs }
  const isDone = record.state === 'committed' || record.state === 'undone'
  return {
    ...record,
    status: record.state,
    total: Math.max(0, record.counts.lastRow - headerRows(record)),
    counts,
    created: isDone ? counts.add : 0,
    updated: isDone ? counts.change : 0,
    failed: counts.errors,
    created_by: record.created_by_name,
    created_at: record.created_at.toISOString(),
    committed_at: record.committed_at?.toISOString() ?? null,
    undoable: record.state === 'committed' && record.id === undoable,
    open: {
      answers: record.counts.questions.length,
      columns: record.columns.filter((column) => columnState(column, record.mapping[column.column]) === 'confirm').length,
      decisions: counts.conflict,
    },
  }
}

function presentSheets(record: ImportRecord): Import['sheets'] {
  const selected = selectedSheets(record)
  const [first] = selected
  return record.sheets.map((sheet) => {
    const { index, name, rows, hidden, layout } = sheet
    const taken = selected.some((other) => other.index === index)
    return { index, name, rows, hidden, taken, joinable: layout !== '' && layout === first?.layout, note: noteOn(sheet, selected) }
  })
}

function presentDivestedSheets(record: ImportRecord): Import['sold_sheets'] {
  const used = new Set(usedDivestedSheets(record).map(({ index }) => index))
  return divestedSheets(record).map(({ index, name, rows }) => {
    const counts = record.counts.sold.find((sheet) => sheet.index === index) ?? { rows, found: 0, stillListed: 0 }
    return { index, name, used: used.has(index), rows: counts.rows, found: counts.found, still_listed: counts.stillListed }
  })
}

/** Why a sheet that may belong to the schedule is not selected, or should not be. */
function noteOn(
  { index, name, rows, hidden, sold, schedule, transposed, layout, alike }: StoredSheet,
  selected: readonly StoredSheet[],
): string | null {
  if (transposed) return 'This sheet lists the locations in columns. Turn it (Transpose) and import it again.'
  const others = selected.filter((sheet) => sheet.index !== index && sheet.layout === layout && layout !== '')
  const twin = others.find((other) => alike.includes(other.index))
  if (twin) return `It lists the same locations as “${twin.name}”. Import only one of them.`
  const later = others.find((other) => isOtherYear(name, other.name))
  if (later) return `It is for a different year than “${later.name}”.`
  if (!schedule || sold || selected.some((sheet) => sheet.index === index)) return null
  const count = plural(rows, 'row')
  const isUnlikely = isUnlikelyName(name)
  if (others.length > 0 && isUnlikely) return `Its name says that it may not belong to the schedule. It has ${count}.`
  if (others.length > 0) return hidden ? `It is hidden in the file. It has ${count}.` : null
  const [first] = selected
  if (!first || hidden || isUnlikely || alike.includes(first.index)) return null
  return `It does not have the columns of “${first.name}”. Import its ${count} in a second import.`
}

/** With the choices of now, so that a choice is shown before the rows are checked again. */
function presentWords({ counts, words, mapping }: ImportRecord, column: string): ColumnWord[] {
  const field = wordField(mapping[column] ?? '')
  return (counts.words[column] ?? []).map(({ word, rows, code, suggestion }) => {
    const chosen = words.find((choice) => choice.field === field && choice.word === wordKey(word))
    if (!chosen) return { word, rows, code, ...(suggestion === undefined ? {} : { suggestion }), choice: null }
    return { word, rows, code: chosen.code === NO_CODE ? null : chosen.code, choice: chosen.remembered ? 'remembered' : 'chosen' }
  })
}

function presentColumn(column: StoredColumn, target: string | undefined, numberDates: string | undefined): Omit<ImportColumn, 'words'> {
  const state = columnState(column, target)
  const field = state === 'mapped' || state === 'confirm' ? (target ?? null) : null
  const split = field !== null && isSplitTarget(field) ? splitSamples(field, column.samples, numberDates) : null
  return { ...column, letter: column.column, state, field, split }
}

function columnState({ status }: StoredColumn, target: string | undefined): ImportColumn['state'] {
  if (target === undefined) return 'unmapped'
  if (target === 'ignore') return 'ignored'
  if (target === 'custom') return 'custom'
  return status === 'confirm' ? 'confirm' : 'mapped'
}

/** The fields that a column can be mapped to, with their known headers. */
export const importFields = (): z.output<typeof ImportField>[] =>
  Object.entries(PROPERTY_FIELDS)
    .filter(([, field]) => field.importable)
    .map(([name, { label, section, level }]) => ({
      name,
      label,
      section: PROPERTY_SECTIONS[section],
      level,
      headers: HEADER_SYNONYMS.filter(({ target }) => target === name).map(({ header }) => header),
    }))
