import type { z } from 'zod'
import { plural } from '#contract/format.ts'
import type { ImportField } from '#contract/import-calls.ts'
import type { Import, ImportColumn } from '#contract/imports.ts'
import { NO_CODE, wordField, wordKey, type ColumnWord } from '#contract/import-words.ts'
import { PROPERTY_FIELDS, PROPERTY_SECTIONS } from '#contract/property-fields.ts'
import type { Context } from '#server/engines/context.ts'
import { currencyConflict } from '#server/features/imports/pipeline/plan/account-currency.ts'
import { HEADER_SYNONYMS } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { isSplitTarget } from '#server/features/imports/pipeline/map/propose-split.ts'
import { isOtherYear, sheetYear } from '#server/features/imports/pipeline/read/sheet-year.ts'
import { isUnlikelyName } from '#server/features/imports/pipeline/read/sheet-names.ts'
import { splitSamples } from '#server/features/imports/pipeline/validate/read-parts.ts'
import { columnState, presentHistory } from './import-history.presenter.ts'
import { earlierImport, firstErrors, isRegisterChanged, undoableImport, type ImportRecord, type StoredColumn } from './imports.queries.ts'
import type { StoredSheet } from './stored-sheet.ts'
import { divestedSheets, locationsOn, selectedSheets, sheetName, usedDivestedSheets } from './selected-sheets.ts'

export async function presentImport(ctx: Context, record: ImportRecord): Promise<Import> {
  const [undoable, repeats, errors, register_changed] = await Promise.all([
    undoableImport(ctx.db, record.account_id),
    earlierImport(ctx, record),
    firstErrors(ctx.db, record.id),
    isRegisterChanged(ctx.db, record),
  ])
  return {
    ...record,
    ...presentHistory(record, undoable),
    progress: { done: record.progress_done, total: record.progress_total },
    repeats,
    register_changed,
    currency_conflict: record.state === 'validated' ? currencyConflict(record.counts.tally, record.counts.questions) : null,
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

function presentSheets(record: ImportRecord): Import['sheets'] {
  const selected = selectedSheets(record)
  const [first] = selected
  return record.sheets.map((sheet) => {
    const { index, name, hidden, layout } = sheet
    const rows = locationsOn(sheet)
    const taken = selected.some((other) => other.index === index)
    return { index, name, rows, hidden, taken, joinable: layout !== '' && layout === first?.layout, note: noteOn(sheet, selected) }
  })
}

function presentDivestedSheets(record: ImportRecord): Import['sold_sheets'] {
  const used = new Set(usedDivestedSheets(record).map(({ index }) => index))
  return divestedSheets(record).map((divested) => {
    const { index, name } = divested
    const counts = record.counts.sold.find((sheet) => sheet.index === index) ?? { rows: locationsOn(divested), found: 0, stillListed: 0 }
    return { index, name, used: used.has(index), rows: counts.rows, found: counts.found, still_listed: counts.stillListed }
  })
}

/** Why a sheet that may belong to the schedule is not selected, or should not be. */
function noteOn(sheet: StoredSheet, selected: readonly StoredSheet[]): string | null {
  const { index, name, hidden, sold, schedule, numbered, transposed, layout, alike, valued } = sheet
  if (transposed) return 'This sheet lists the locations in columns. Turn it (Transpose) and import it again.'
  const others = selected.filter((other) => other.index !== index && other.layout === layout && layout !== '')
  const newer = olderThan(sheet, selected)
  if (newer) return newer
  const older = newerWithoutValues(sheet, selected)
  if (older) return older
  const twin = others.find((other) => alike.includes(other.index))
  if (twin) return `It lists the same locations as “${twin.name}”. Import only one of them.`
  const isSelected = selected.some((other) => other.index === index)
  const isNewer = (other: StoredSheet) => !isSelected || (sheetYear(other.name) ?? 0) > (sheetYear(name) ?? 0)
  const later = others.find((other) => isOtherYear(name, other.name) && isNewer(other))
  if (later) return `It is for a different year than “${later.name}”.`
  if (numbered && !schedule && !sold && !isSelected && !hidden && selected[0])
    return `It has amounts by location number, but no addresses, so it cannot be imported alone. Add them to “${selected[0].name}” if they belong to the schedule.`
  if (!schedule || sold || isSelected) return null
  const count = plural(locationsOn(sheet), 'row')
  const isUnlikely = isUnlikelyName(name)
  if (others.length > 0 && isUnlikely) return `Its name says that it may not belong to the schedule. It has ${count}.`
  if (others.length > 0) return hidden ? `It is hidden in the file. It has ${count}.` : null
  const [first] = selected
  if (!first || hidden || isUnlikely) return null
  if (!alike.includes(first.index))
    return `Its columns are not those of “${first.name}”, or in another order. Import its ${count} in a second import.`
  return valued === 0
    ? null
    : `It lists locations of “${first.name}” with other columns. Import it in a second import, unless “${first.name}” has its values, too.`
}

/** Which newer sheet lists the same locations as an older one. */
function olderThan(sheet: StoredSheet, selected: readonly StoredSheet[]): string | undefined {
  const yearOf = ({ year, name }: StoredSheet) => year ?? sheetYear(name) ?? 0
  const isNewer = (other: StoredSheet) => yearOf(other) > yearOf(sheet) && sheet.alike.includes(other.index)
  const newer = yearOf(sheet) > 0 && sheet.schedule ? selected.find(isNewer) : undefined
  return newer && `It has the values of ${yearOf(sheet)}, and “${newer.name}” those of ${yearOf(newer)}. Import only the newer ones.`
}

/** Which older sheet has the values of the same locations, where a newer one has none yet. */
function newerWithoutValues(sheet: StoredSheet, selected: readonly StoredSheet[]): string | undefined {
  const yearOf = ({ year, name }: StoredSheet) => year ?? sheetYear(name) ?? 0
  const isValued = (other: StoredSheet) => yearOf(other) < yearOf(sheet) && sheet.alike.includes(other.index)
  const older = sheet.valued === 0 && !sheet.taken ? selected.find((other) => yearOf(other) > 0 && isValued(other)) : undefined
  return older && `It has no values yet, so those of ${yearOf(older)} on “${older.name}” are imported.`
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
  const split = field !== null && field !== 'house_number' && isSplitTarget(field) ? splitSamples(field, column.samples, numberDates) : null
  return { ...column, letter: column.column, state, field, split }
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
