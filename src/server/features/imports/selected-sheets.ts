import { formatNumber } from '#contract/format.ts'
import type { ImportPatch } from '#contract/import-inputs.ts'
import { IMPORT_MAX_ROWS } from '#contract/limits.ts'
import { invalid } from '#server/kernel/errors.ts'
import type { ImportRecord } from './imports.queries.ts'
import type { StoredSheet } from './stored-sheet.ts'

type SheetSelection = Pick<ImportRecord, 'sheets' | 'sheet_index'>

export interface NumberedSheet extends StoredSheet {
  /** The number of rows in the sheets before it: row 1 of this sheet is row `offset + 1` of the import. */
  offset: number
}

/** The rows of an import are numbered across its sheets, starting after the given row. */
export function numberSheets(sheets: readonly StoredSheet[], after = 0): NumberedSheet[] {
  let offset = after
  return sheets.map((sheet) => {
    const numbered = { ...sheet, offset }
    offset += sheet.lastRow
    return numbered
  })
}

/** The sheets that form the schedule, in the order of the file. */
export const selectedSheets = ({ sheets, sheet_index }: SheetSelection): NumberedSheet[] =>
  numberSheets(sheets.filter(({ index, taken }) => taken || index === sheet_index))

/** Merged ranges, by index of the sheet. */
export const mergesOf = (selection: SheetSelection) => new Map(selectedSheets(selection).map(({ index, merges }) => [index, merges]))

/** How many rows of a sheet are locations, as far as that is known before it is read. */
export const locationsOn = ({ locations, rows }: StoredSheet): number => locations ?? rows

export const sheetName = ({ sheets }: Pick<ImportRecord, 'sheets'>, sheetIndex: number | null): string =>
  sheets.find(({ index }) => index === sheetIndex)?.name ?? ''

export interface RowLocation {
  sheet: StoredSheet | undefined
  /** As a spreadsheet program shows it. */
  row: number
}

/** Finds the sheet and the row in it by the number of a row in the import. */
export function rowLocator(record: SheetSelection): (number: number) => RowLocation {
  const sheets = selectedSheets(record)
  return (number) => {
    const sheet = sheets.findLast(({ offset }) => number > offset)
    return { sheet, row: number - (sheet?.offset ?? 0) }
  }
}

/** How rows and cells are named for users: with the name of their sheet when the schedule has several. */
export function rowNames(record: SheetSelection) {
  const locate = rowLocator(record)
  const hasSheets = selectedSheets(record).length > 1
  const prefixes = sheetPrefixes(record)
  return {
    /** `row 12`, or `row 12 of “Texas”`. */
    rowLabel: (number: number): string => {
      const { sheet, row } = locate(number)
      return hasSheets && sheet ? `row ${row} of “${sheet.name}”` : `row ${row}`
    },
    /** As a spreadsheet program does: `K3`, or `Texas!K3`. */
    cellReference: (letter: string, number: number): string => {
      const { sheet, row } = locate(number)
      return `${prefixes[sheet?.index ?? -1] ?? ''}${letter}${row}`
    },
  }
}

/** What comes before the letter and row of a cell, by index of the sheet: nothing, or `Texas!`. */
export function sheetPrefixes(record: SheetSelection): Record<number, string> {
  const sheets = selectedSheets(record)
  return Object.fromEntries(sheets.map(({ index, name }) => [index, sheets.length > 1 ? `${quoted(name)}!` : '']))
}

const quoted = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name.replaceAll("'", "''")}'`)

/** The sheets that list divested properties by their name, except those that form the schedule. */
export function divestedSheets(selection: SheetSelection): StoredSheet[] {
  const selected = new Set(selectedSheets(selection).map(({ index }) => index))
  return selection.sheets.filter(({ index, sold, headerRow, rows }) => sold && headerRow !== null && rows > 0 && !selected.has(index))
}

/** The divested sheets that are used: those the user chose, otherwise the visible ones in the modes that mark properties divested. */
export function usedDivestedSheets(record: SheetSelection & Pick<ImportRecord, 'mode' | 'sold_sheets'>): StoredSheet[] {
  const divests = record.mode === 'add_and_update' || record.mode === 'full_replacement'
  return divestedSheets(record).filter(({ index, hidden }) => record.sold_sheets?.includes(index) ?? (divests && !hidden))
}

type Selection = Pick<ImportRecord, 'sheets' | 'sheet_index' | 'header_row'>

/**
 * The sheets after a user's choice of one or several; undefined when it changes nothing.
 * @throws AppError invalid for an unknown sheet, or sheets that cannot be imported together
 */
export function selectSheets(record: ImportRecord, { sheet, sheets, header_row }: ImportPatch): Selection | undefined {
  if (sheet === undefined && sheets === undefined) return undefined
  const wanted = new Set(sheets ?? [sheet])
  const selected = record.sheets.filter(({ index }) => wanted.has(index))
  const [first] = selected
  if (first === undefined || selected.length < wanted.size)
    throw invalid({ [sheets === undefined ? 'sheet' : 'sheets']: ['The file has no such sheet.'] })
  assertJoinable(first, selected)
  const before = selectedSheets(record)
  if (before.length === selected.length && before.every(({ index }) => wanted.has(index))) return undefined
  return {
    sheets: record.sheets.map((known) => ({ ...known, taken: wanted.has(known.index) })),
    sheet_index: first.index,
    header_row: header_row ?? (first.index === record.sheet_index ? record.header_row : null),
  }
}

function assertJoinable(first: StoredSheet, selected: readonly StoredSheet[]): void {
  if (selected.length === 1) return
  const other = selected.find(({ layout }) => layout === '' || layout !== first.layout)
  if (other)
    throw invalid({
      sheets: [`The columns of “${other.name}” are not those of “${first.name}”, or in another order. Import the two one after the other.`],
    })
  const rows = selected.reduce((sum, sheet) => sum + sheet.rows, 0)
  const [found, max] = [rows, IMPORT_MAX_ROWS].map(formatNumber)
  const message = `These sheets contain ${found} rows together, more than the ${max} of one import. Import them one after the other.`
  if (rows > IMPORT_MAX_ROWS) throw invalid({ sheets: [message] })
}

/** The header rows after a user's choice. The chosen row is the header of the sheet that contains it. */
export function selectHeader(record: ImportRecord, headerRow: number): Pick<Selection, 'sheets' | 'header_row'> {
  const { sheet, row } = rowLocator(record)(headerRow)
  if (sheet === undefined || sheet.index === selectedSheets(record)[0]?.index) return { sheets: record.sheets, header_row: headerRow }
  const sheets = record.sheets.map((known) => (known.index === sheet.index ? { ...known, headerRow: row } : known))
  return { sheets, header_row: record.header_row }
}

/** @throws AppError invalid unless all these sheets list divested properties */
export function assertDivestedSheets(record: ImportRecord, wanted: readonly number[]): void {
  const offered = divestedSheets(record)
  if (wanted.some((index) => !offered.some((sheet) => sheet.index === index)))
    throw invalid({ sold_sheets: ['This sheet does not list divested properties.'] })
}
