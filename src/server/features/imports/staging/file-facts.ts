import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Reader } from '#server/access/viewer.ts'
import type { ImportRecord } from '#server/features/imports/imports.queries.ts'
import { columnsWithFactor } from '#server/features/imports/pipeline/map/column-style.ts'
import { factorOf } from '#server/features/imports/pipeline/read/amount-notation.ts'
import { fileSettings, type FileSettings } from '#server/features/imports/pipeline/map/file-settings.ts'
import { columnCurrencies } from '#server/features/imports/pipeline/map/column-currency.ts'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { amountOf } from '#server/features/imports/pipeline/map/sum-columns.ts'
import { checkedMapping } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { sheetPlans } from '#server/features/imports/pipeline/map/sheet-plan.ts'
import { constantFields, createReadPlan, type ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { textsAboutAll, unitNotes, type UnitNotes } from '#server/features/imports/pipeline/read/unit-notes.ts'
import { announcesUnit, unitInFileName, type UnitText } from '#server/features/imports/pipeline/read/announced-unit.ts'
import { cellText, isFilled, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { isOwnFile } from '#server/features/imports/pipeline/read/own-file.ts'
import { isRowOfUnits } from '#server/features/imports/pipeline/read/group-labels.ts'
import { isUnitsRow } from '#server/features/imports/pipeline/read/units-row.ts'
import { unitsOf, type AskedUnits, type SectionText } from '#server/features/imports/pipeline/read/title-units.ts'
import { coverageOf } from '#server/features/imports/pipeline/validate/coverage-rows.ts'
import { readRow } from '#server/features/imports/pipeline/validate/read-row.ts'
import type { ColumnStyle, ReadRow } from '#server/features/imports/pipeline/validate/results.ts'
import { rowNames, selectedSheets } from '#server/features/imports/selected-sheets.ts'
import { askedBySheet } from './asked-units.ts'
import { wordCodes } from './import-words.ts'
import { DATA_ROWS, SKIPPED_ROWS } from './staged-rows.ts'

/** By letter of the column. */
export const headersOf = ({ columns }: ImportRecord) => new Map(columns.map(({ column, header }) => [column, header]))

/** The currencies of the mapped columns. */
export const mappedCurrencies = ({ columns, mapping }: ImportRecord) => columnCurrencies(columns, (column) => mapping[column])

/** What the user decided for the whole file. Exposure files have the unit of the floor area in its own column: 1 or m2, 11 or square feet. */
export function settingsOf({ constants, columns }: ImportRecord, titles: readonly string[], now: Date): FileSettings {
  const settings = fileSettings(constants, now)
  const { samples = [] } = columns.find(({ header }) => /^(floor ?)?area ?unit$/i.test(header.trim())) ?? {}
  const isAll = (unit: RegExp) => samples.length > 0 && samples.every((text) => unit.test(text))
  const named = isAll(/^(1(\.0)?|m2|sqm|sq ?m)$/i) ? 'm2' : isAll(/^(11(\.0)?|ft2|sqft|sq ?ft)$/i) ? 'sqft' : undefined
  const factorByHeader = columnsWithFactor(columns, titles).length > 0
  const isOwn = isOwnFile(columns.map(({ header }) => header))
  return { ...settings, isOwn, factorByHeader, areaUnit: settings.areaUnit ?? named }
}

/** `register_version` is read before the register: a commit fails if it changes in between. */
export async function figuresOf(db: Reader, { id, account_id }: ImportRecord) {
  const { rows } = await sql<{ register_version: number; total: number; skipped: number }>`
    SELECT (SELECT register_version FROM accounts WHERE id = ${account_id}) AS register_version,
      count(*) FILTER (WHERE ${sql.raw(DATA_ROWS)})::int AS total, count(*) FILTER (WHERE ${sql.raw(SKIPPED_ROWS)})::int AS skipped
      FROM import_rows WHERE import_id = ${id}`.execute(db)
  return rows[0] ?? { register_version: 0, total: 0, skipped: 0 }
}

/** The cells of the last totals row of each sheet. Empty unless every sheet with locations has one, since the sums would be incomplete. */
export async function totalsCells(db: Reader, importId: string): Promise<{ sheet: number; cells: Cell[] }[]> {
  const { rows } = await sql<{ sheet: number; cells: Cell[] | null }>`
    SELECT sheet_index AS sheet, (array_agg(cells ORDER BY row_number DESC) FILTER (WHERE kind = 'total' AND NOT included))[1] AS cells FROM import_rows
      WHERE import_id = ${importId} AND kind IN ('data', 'total') GROUP BY sheet_index`.execute(db)
  const totals = rows.flatMap(({ sheet, cells }) => (cells === null ? [] : [{ sheet, cells }]))
  return totals.length === rows.length ? totals : []
}

export async function totalsRows(db: Reader, importId: string, plan: ReadPlan): Promise<ReadRow[]> {
  const planOf = sheetPlans(plan)
  return (await totalsCells(db, importId)).map(({ sheet, cells }) => readRow(cells, { ...planOf(sheet), coverage: undefined }))
}

/** Those of the columns that a totals row has an amount for. */
export async function columnsWithTotal(db: Reader, record: ImportRecord, letters: readonly string[]): Promise<string[]> {
  const totals = letters.length === 0 ? [] : await totalsCells(db, record.id)
  const isTotaled = (letter: string) => {
    const index = record.columns.findIndex(({ column }) => column === letter)
    return totals.some(({ cells }) => Boolean(amountOf(cells[index])))
  }
  return letters.filter(isTotaled)
}

type Sheets = NonNullable<ReadPlan['sheets']>

/** What the texts of each sheet of the schedule say about its amounts; a cover says it of all. */
export async function sheetUnits(db: Reader, record: ImportRecord): Promise<Sheets> {
  const rows = await textRows(db, record)
  const isByColumn = columnUnits(record, rows) !== undefined
  const asked = askedUnits(record, rows)
  const unitsAt = (sheet: { index: number; name: string }) => {
    const { titles = [], notes = [] } = Object.groupBy(
      rows.filter((row) => row.sheet === sheet.index),
      ({ kind }) => (kind === 'title' ? 'titles' : 'notes'),
    )
    const units = unitsOf(
      titles.map(({ cells }) => cells),
      [...textsBeside(record, sheet), ...notes.flatMap(({ cells }) => cells.map(cellText))].filter(announcesUnit),
      sheet.name,
      notes.filter(({ kind }) => kind === 'note').flatMap(({ cells }) => cells.filter(isFilled).map(cellText)),
    )
    const sections = notes.flatMap(sectionText)
    const questioned = asked.get(sheet.index)
    if (questioned) return { ...units, factor: 1, sections, asked: questioned }
    if (isByColumn) return { ...units, factor: 1, sections }
    const own = unitNotes(textsOf(record, rows, sheet))
    return { ...units, ...(own && { factor: own.others, columnFactors: own.columns }), sections }
  }
  return new Map(selectedSheets(record).map((sheet) => [sheet.index, unitsAt(sheet)]))
}

/** The names of a sheet and of the file, and what covers say of all sheets. */
function textsBeside(record: ImportRecord, { name }: { name: string }): string[] {
  const selected = new Set(selectedSheets(record).map(({ index }) => index))
  return [name, unitInFileName(record.file_name), ...record.sheets.flatMap(({ index, unitNote }) => (selected.has(index) ? [] : unitNote))]
}

const textsOf = (record: ImportRecord, rows: readonly TextRow[], sheet: { index: number; name: string }): string[] => [
  ...textsBeside(record, sheet),
  ...cellsOfTexts(rows.filter((row) => row.sheet === sheet.index)),
]

const cellsOfTexts = (rows: readonly TextRow[]): string[] => rows.flatMap(({ cells }) => cells.filter(isFilled).map(cellText))

function askedUnits(record: ImportRecord, rows: readonly TextRow[]): Map<number, AskedUnits> {
  const sheets = selectedSheets(record).map((sheet) => {
    const own = rows.filter((row) => row.sheet === sheet.index)
    const titles = cellsOfTexts(own.filter(({ kind }) => kind === 'title'))
    const notes = [...textsBeside(record, sheet), ...cellsOfTexts(own.filter(({ kind }) => kind !== 'title'))]
    return { index: sheet.index, name: sheet.name, titles, notes }
  })
  return askedBySheet(sheets, record.constants)
}

/** The factors that texts name without saying clearly for which columns. */
export async function unclearFactors(db: Reader, record: ImportRecord): Promise<number[]> {
  const asked = askedUnits(record, await textRows(db, record))
  return [...asked.values()].flatMap(({ factors }) => factors)
}

/** The texts that name a unit, if a user says column by column whether its values are in it; empty otherwise. */
export async function textsAskedByColumn(db: Reader, record: ImportRecord): Promise<string[]> {
  const asked = askedUnits(record, await textRows(db, record))
  return [...asked.values()].flatMap(({ texts }) => texts)
}

/** The same of all sheets; undefined if they differ. */
function columnUnits(record: ImportRecord, rows: readonly TextRow[]): UnitNotes | undefined {
  if (askedUnits(record, rows).size > 0) return undefined
  const [first, ...others] = selectedSheets(record).map((sheet) => unitNotes(textsOf(record, rows, sheet)))
  return others.every((notes) => isDeepStrictEqual(notes, first)) ? first : undefined
}

/** The units that notes and titles name for single columns. */
export const columnUnitsOf = async (db: Reader, record: ImportRecord): Promise<UnitNotes | undefined> =>
  columnUnits(record, await textRows(db, record))

interface TextRow {
  row: number
  sheet: number
  kind: string
  included: boolean
  cells: Cell[]
}

/** A row that a user includes is a location. */
function sectionText({ row, kind, included, cells }: TextRow): SectionText[] {
  const at = cells.findIndex(isFilled)
  return kind === 'section' && !included && at !== -1 ? [{ number: row, column: columnLetters(at + 1), text: cellText(cells[at]) }] : []
}

/** Two units in a title may be those of the file, such as “in thousands” and “USD”. */
const UNITS_MIN = 3

async function textRows(db: Reader, record: ImportRecord): Promise<TextRow[]> {
  const { rows } = await sql<TextRow>`SELECT row_number AS row, sheet_index AS sheet, kind, included, cells FROM import_rows
    WHERE import_id = ${record.id} AND kind IN ('title', 'note', 'section') ORDER BY row_number`.execute(db)
  const [first] = selectedSheets(record)
  const labels = record.columns.map(({ header }) => header)
  const isOfColumns = ({ row, kind, cells }: TextRow) =>
    (cells.filter(isFilled).length >= UNITS_MIN && isUnitsRow({ cells })) ||
    (kind === 'title' && row + 1 === record.header_row && isRowOfUnits({ number: row, cells }, labels, first?.merges ?? []))
  // The units of single columns are parts of their names.
  return rows.filter((row) => row.kind === 'section' || !isOfColumns(row))
}

/** The texts that may say that all values are in thousands: titles, notes, names of the sheets, and covers. */
export async function unitTexts(db: Reader, record: ImportRecord): Promise<UnitText[]> {
  const { rowLabel } = rowNames(record)
  const rows = await textRows(db, record)
  const texts = rows.flatMap(({ row, kind, cells }) =>
    cells.map((cell): UnitText => ({ text: cellText(cell), place: kind === 'title' ? null : rowLabel(row) })),
  )
  const selected = new Set(selectedSheets(record).map(({ index }) => index))
  const sheets = record.sheets.map(({ index, name, unitNote }): UnitText =>
    selected.has(index) ? { text: name, place: 'name of the sheet' } : { text: unitNote, place: `sheet “${name}”` },
  )
  const named: UnitText = { text: unitInFileName(record.file_name), place: 'name of the file' }
  const announcing = [...texts, ...sheets, named].filter(({ text, place }) => text !== '' && (place === null || announcesUnit(text)))
  if (askedUnits(record, rows).size > 0) return announcing.filter(({ text }) => factorOf(text) === 1)
  return textsAboutAll(announcing, ({ text }) => text, columnUnits(record, rows))
}

export const titlesOf = async (db: Reader, record: ImportRecord): Promise<string[]> => (await unitTexts(db, record)).map(({ text }) => text)

type Styles = NonNullable<ImportRecord['counts']['styles']>

/** How the mapped columns were read in the last preview. Null if a change may have altered that since, and on another day: reading depends on it. */
export const stylesOfToday = ({ counts: { styles, validatedAt } }: ImportRecord, now: Date): Styles | null =>
  validatedAt?.slice(0, 10) === now.toISOString().slice(0, 10) ? styles : null

/** The read plan with the styles of all mapped columns. */
export function storedPlan(record: ImportRecord, styles: Readonly<Styles>, sheets: Sheets, now: Date): ReadPlan {
  const headers = headersOf(record)
  const styleOf = (index: number): ColumnStyle => {
    const style = styles[columnLetters(index + 1)]
    if (style === undefined) throw new Error(`The style of column ${columnLetters(index + 1)} was not stored.`)
    return style
  }
  const constants = constantFields(record.constants, now)
  const plan = createReadPlan(checkedMapping(record.mapping), (column) => headers.get(column) ?? '', styleOf, constants)
  return { ...plan, words: wordCodes(record.words), sheets, width: headerWidth(record), coverage: storedCoverage(record, plan) }
}

/** Undefined for a workbook, whose cells stay below their header, also with others on their right. */
function headerWidth(record: ImportRecord): ReadPlan['width'] {
  const [first] = selectedSheets(record)
  const cells = first?.widths.find(({ row }) => row === record.header_row)?.width
  return cells === undefined ? undefined : { cells, isJoined: record.constants['split_amounts'] === 'join' }
}

function storedCoverage({ columns, constants, counts }: ImportRecord, plan: ReadPlan): ReadPlan['coverage'] {
  const index = columns.findIndex(({ column }) => column === counts.coverageColumn)
  const found = columns[index]
  return constants['coverage_rows'] === 'ignore' || !found ? undefined : coverageOf({ ...found, index }, plan.columns)
}
