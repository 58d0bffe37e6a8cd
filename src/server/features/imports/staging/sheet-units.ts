import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Reader } from '#server/access/viewer.ts'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import type { ImportRecord } from '#server/features/imports/imports.queries.ts'
import { SETTINGS } from '#server/features/imports/pipeline/map/file-settings.ts'
import type { ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { factorOf } from '#server/features/imports/pipeline/read/amount-notation.ts'
import { announcesUnit, unitInFileName, type UnitText } from '#server/features/imports/pipeline/read/announced-unit.ts'
import { cellText, isFilled, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { isRowOfUnits } from '#server/features/imports/pipeline/read/group-labels.ts'
import { partsAsTitled, sheetParts, unitOfTitle, type TitledSection } from '#server/features/imports/pipeline/read/section-units.ts'
import { unitsOf, type AskedUnits } from '#server/features/imports/pipeline/read/title-units.ts'
import { textsAboutAll, unitNotes, type UnitNotes } from '#server/features/imports/pipeline/read/unit-notes.ts'
import { isUnitsRow } from '#server/features/imports/pipeline/read/units-row.ts'
import { rowNames, selectedSheets } from '#server/features/imports/selected-sheets.ts'
import { askedBySheet } from './asked-units.ts'

type Sheets = NonNullable<ReadPlan['sheets']>

/** What the texts of each sheet of the schedule say about its amounts; a cover says it of all. */
export async function sheetUnits(db: Reader, record: ImportRecord): Promise<Sheets> {
  const { rows, sections: all } = await textRows(db, record)
  const decision = sectionDecision(record)
  const isByColumn = columnUnits(record, { rows, sections: all }) !== undefined
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
    const sections = all.filter((section) => section.sheet === sheet.index)
    const questioned = asked.get(sheet.index)
    if (questioned) return { ...units, factor: 1, sections, asked: questioned, parts: partsAsTitled(sections) }
    // No title of a section names a factor, but one may name a currency.
    if (isByColumn) return { ...units, factor: 1, sections, parts: partsAsTitled(sections) }
    const own = unitNotes(textsOf(record, rows, sheet))
    const said = { ...units, ...(own && { factor: own.others, columnFactors: own.columns }), sections }
    return { ...said, parts: sheetParts(sections, said.factor, decision) }
  }
  return new Map(selectedSheets(record).map((sheet) => [sheet.index, unitsAt(sheet)]))
}

const sectionDecision = ({ constants }: ImportRecord) => SETTINGS.section_units.find((answer) => answer === constants['section_units'])

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
  const asked = askedUnits(record, (await textRows(db, record)).rows)
  return [...asked.values()].flatMap(({ factors }) => factors)
}

/** The texts that name a unit, if a user says column by column whether its values are in it; empty otherwise. */
export async function textsAskedByColumn(db: Reader, record: ImportRecord): Promise<string[]> {
  const asked = askedUnits(record, (await textRows(db, record)).rows)
  return [...asked.values()].flatMap(({ texts }) => texts)
}

/** The same of all sheets; undefined if they differ, or if sections of a sheet do. */
function columnUnits(record: ImportRecord, { rows, sections }: SheetTexts): UnitNotes | undefined {
  if (askedUnits(record, rows).size > 0 || sections.some(({ text }) => unitOfTitle(text)?.factor !== undefined)) return undefined
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
  cells: Cell[]
}

/** With what is around it, if it is the title of a section. A row that a user includes is a location. */
interface StoredText extends TextRow, Pick<TitledSection, 'hasRows' | 'hasRowsAbove'> {
  isTitle: boolean
}

interface SheetSection extends TitledSection {
  sheet: number
}

interface SheetTexts {
  rows: TextRow[]
  sections: SheetSection[]
}

/** Two units in a title may be those of the file, such as “in thousands” and “USD”. */
const UNITS_MIN = 3

/** The rows with texts about the amounts of their whole sheet, and the titles of sections, some of which are about their section only. */
async function textRows(db: Reader, record: ImportRecord): Promise<SheetTexts> {
  const all = await storedTexts(db, record)
  const sections = all.flatMap(sectionOf)
  const [first] = selectedSheets(record)
  const labels = record.columns.map(({ header }) => header)
  const isOfColumns = ({ row, kind, cells }: TextRow) =>
    (cells.filter(isFilled).length >= UNITS_MIN && isUnitsRow({ cells })) ||
    (kind === 'title' && row + 1 === record.header_row && isRowOfUnits({ number: row, cells }, labels, first?.merges ?? []))
  const ofSections = new Set(sections.flatMap(({ number, text }) => (unitOfTitle(text) ? [number] : [])))
  // The units of single columns are parts of their names.
  return { rows: all.filter((row) => (row.kind === 'section' ? !ofSections.has(row.row) : !isOfColumns(row))), sections }
}

async function storedTexts(db: Reader, { id }: ImportRecord): Promise<StoredText[]> {
  const { rows } = await sql<StoredText>`
    SELECT row_number AS row, sheet_index AS sheet, kind, cells, "isTitle",
      "isTitle" AND before IS NULL AND EXISTS (${locations} AND d.row_number < t.row_number) AS "hasRowsAbove",
      "isTitle" AND EXISTS (${locations} AND d.row_number > t.row_number AND (next IS NULL OR d.row_number < next)) AS "hasRows"
    FROM (SELECT *, kind = 'section' AND NOT included AS "isTitle", lead(row_number) OVER texts AS next, lag(row_number) OVER texts AS before
      FROM import_rows WHERE import_id = ${id} AND kind IN ('title', 'note', 'section')
      WINDOW texts AS (PARTITION BY sheet_index, kind = 'section' AND NOT included ORDER BY row_number)) t
    ORDER BY row_number`.execute(db)
  return rows
}

const locations = sql`SELECT FROM import_rows d WHERE d.import_id = t.import_id AND d.sheet_index = t.sheet_index AND d.kind = 'data'`

function sectionOf({ row: number, sheet, cells, isTitle, hasRows, hasRowsAbove }: StoredText): SheetSection[] {
  const at = cells.findIndex(isFilled)
  return isTitle && at !== -1 ? [{ number, sheet, column: columnLetters(at + 1), text: cellText(cells[at]), hasRows, hasRowsAbove }] : []
}

/** The texts that may say that all values are in thousands: titles, notes, names of the sheets, and covers. */
export async function unitTexts(db: Reader, record: ImportRecord): Promise<UnitText[]> {
  const { rowLabel } = rowNames(record)
  const { rows, sections } = await textRows(db, record)
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
  return textsAboutAll(announcing, ({ text }) => text, columnUnits(record, { rows, sections }))
}

export const titlesOf = async (db: Reader, record: ImportRecord): Promise<string[]> => (await unitTexts(db, record)).map(({ text }) => text)
