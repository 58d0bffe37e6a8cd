import type { ImportRecord, StoredSheet } from '#server/features/imports/import-record.ts'

type OfImport = Pick<ImportRecord, 'sheets' | 'sheet_index'>

export interface TakenSheet extends StoredSheet {
  /** Rows of the sheets before it: row 1 of this sheet is row `offset + 1` of the import. */
  offset: number
}

/** The sheets that are imported together, in the order of the file; the rows of each are numbered after those of the sheets before it. */
export function takenSheets({ sheets, sheet_index }: OfImport): TakenSheet[] {
  let offset = 0
  return sheets
    .filter(({ index, taken }) => taken || index === sheet_index)
    .map((sheet) => {
      const placed = { ...sheet, offset }
      offset += sheet.lastRow
      return placed
    })
}

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
