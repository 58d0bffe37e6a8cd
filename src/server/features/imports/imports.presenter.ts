import type { z } from 'zod'
import type { HistoryItem, Import, ImportColumn, ImportField } from '#contract/imports.ts'
import { PROPERTY_FIELDS, PROPERTY_SECTIONS } from '#contract/property-fields.ts'
import type { Context } from '#server/engines/context.ts'
import { HEADER_SYNONYMS } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { isOtherYear } from '#server/features/imports/pipeline/read/survey-sheets.ts'
import { earlierImport, firstErrors, newestCommitted, type ImportRecord, type StoredColumn, type StoredSheet } from './imports.queries.ts'
import { divestedSheets, selectedSheets, usedDivestedSheets } from './selected-sheets.ts'

export async function presentImport(ctx: Context, record: ImportRecord): Promise<Import> {
  const [repeats, errors] = await Promise.all([
    earlierImport(ctx.db, record),
    (record.counts.tabs.errors ?? 0) > 0 ? firstErrors(ctx.db, record.id) : [],
  ])
  return {
    ...presentHistory(record, await newestCommitted(ctx.db, record.account_id)),
    progress: { done: record.progress_done, total: record.progress_total },
    failure: record.failure,
    repeats: repeats ? { file_name: repeats.file_name, created_at: repeats.created_at.toISOString() } : null,
    sheets: presentSheets(record),
    sold_sheets: presentDivestedSheets(record),
    ticked: record.counts.ticked,
    sheet: record.sheet_index,
    header_row: record.header_row,
    columns: record.columns.map((column) => presentColumn(column, record.mapping[column.column])),
    constants: record.constants,
    questions: record.counts.questions,
    mode: record.mode,
    empty_clears: record.empty_clears,
    sums: record.sums,
    issues: record.counts.issues,
    errors: errors.map(({ row_number, sheet_index, sheet_row, field, message }) => ({
      row: row_number,
      sheet: record.sheets.find(({ index }) => index === sheet_index)?.name ?? '',
      sheet_row,
      field,
      message,
    })),
    version: record.version,
  }
}

export function presentHistory(record: ImportRecord, newest: string | undefined): HistoryItem {
  const { tabs } = record.counts
  const counts = { add: 0, change: 0, unchanged: 0, remove: 0, conflict: 0, excluded: 0, errors: 0, ...tabs }
  const isDone = record.state === 'committed' || record.state === 'undone'
  return {
    id: record.id,
    account_id: record.account_id,
    state: record.state,
    status: record.state,
    activity: record.activity,
    file_name: record.file_name,
    file_id: record.file_id,
    total: record.counts.lastRow,
    counts,
    created: isDone ? counts.add : 0,
    updated: isDone ? counts.change : 0,
    failed: counts.errors,
    created_by: record.created_by_name,
    created_at: record.created_at.toISOString(),
    committed_at: record.committed_at?.toISOString() ?? null,
    undoable: record.state === 'committed' && record.id === newest,
  }
}

function presentSheets(record: ImportRecord): Import['sheets'] {
  const taken = selectedSheets(record)
  const [first] = taken
  return record.sheets.map((sheet) => {
    const { index, name, rows, hidden, layout } = sheet
    const isJoinable = layout !== '' && layout === first?.layout
    return { index, name, rows, hidden, taken: taken.some((own) => own.index === index), joinable: isJoinable, note: noteOn(sheet, taken) }
  })
}

function presentDivestedSheets(record: ImportRecord): Import['sold_sheets'] {
  const used = new Set(usedDivestedSheets(record).map(({ index }) => index))
  return divestedSheets(record).map(({ index, name, rows }) => {
    const found = record.counts.sold.find((sheet) => sheet.index === index)
    return {
      index,
      name,
      used: used.has(index),
      rows: found?.rows ?? rows,
      found: found?.found ?? 0,
      still_listed: found?.stillListed ?? 0,
    }
  })
}

/** Why a sheet with the columns of the schedule is not taken along, or should not be. */
function noteOn({ index, name, layout, alike }: StoredSheet, taken: readonly StoredSheet[]): string | null {
  const others = taken.filter((sheet) => sheet.index !== index && sheet.layout === layout && layout !== '')
  const twin = others.find((other) => alike.includes(other.index))
  if (twin) return `Two sheets alike: it lists the same locations as “${twin.name}”. Take only one of them.`
  const later = others.find((other) => isOtherYear(name, other.name))
  return later ? `Of another year than “${later.name}”.` : null
}

function presentColumn(column: StoredColumn, target: string | undefined): ImportColumn {
  const { column: letter, header, samples, filled, score, note, status } = column
  const state =
    target === 'ignore'
      ? 'ignored'
      : target === 'custom'
        ? 'custom'
        : target === undefined
          ? 'unmapped'
          : status === 'confirm'
            ? 'confirm'
            : 'mapped'
  return { letter, header, samples, filled, score, note, state, field: state === 'mapped' || state === 'confirm' ? (target ?? null) : null }
}

/** Every field a column may be mapped to, with the headers it is recognised by. */
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
