import type { ImportRecord, StoredSheet } from '#server/features/imports/import-record.ts'

type OfImport = Pick<ImportRecord, 'sheets' | 'sheet_index'>

export interface TakenSheet extends StoredSheet {
  /** Rows of the sheets before it: row 1 of this sheet is row `offset + 1` of the import. */
  offset: number
}

/** The rows of each sheet are numbered after those of the sheets before it, and the first after this row of the import. */
export function placedAfter(row: number, sheets: readonly StoredSheet[]): TakenSheet[] {
  let offset = row
  return sheets.map((sheet) => {
    const placed = { ...sheet, offset }
    offset += sheet.lastRow
    return placed
  })
}

/** The sheets that are imported together, in the order of the file. */
export const takenSheets = ({ sheets, sheet_index }: OfImport): TakenSheet[] =>
  placedAfter(
    0,
    sheets.filter(({ index, taken }) => taken || index === sheet_index),
  )

interface RowPlace {
  sheet: TakenSheet | undefined
  /** As the spreadsheet program shows it. */
  row: number
}

/** Where the rows of an import stand in the file, by their number in the import. */
export function placesIn(record: OfImport): (number: number) => RowPlace {
  const taken = takenSheets(record)
  return (number) => {
    const sheet = taken.findLast(({ offset }) => number > offset)
    return { sheet, row: number - (sheet?.offset ?? 0) }
  }
}

/** How a row is spoken of: `row 12`, and with several sheets `row 12 of “Texas”`. */
export function rowNames(record: OfImport): (number: number) => string {
  const placeOf = placesIn(record)
  const isAlone = takenSheets(record).length < 2
  return (number) => {
    const { sheet, row } = placeOf(number)
    return isAlone || !sheet ? `row ${row}` : `row ${row} of “${sheet.name}”`
  }
}

/** The reference of a cell as a spreadsheet program writes it: `K3`, and with several sheets `Texas!K3`. */
export function cellNames(record: OfImport): (letter: string, number: number) => string {
  const placeOf = placesIn(record)
  const isAlone = takenSheets(record).length < 2
  return (letter, number) => {
    const { sheet, row } = placeOf(number)
    return isAlone || !sheet ? `${letter}${row}` : `${quoted(sheet.name)}!${letter}${row}`
  }
}

const quoted = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name.replaceAll("'", "''")}'`)
