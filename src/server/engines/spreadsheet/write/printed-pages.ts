import { columnLetters } from '../sheet.ts'
import type { SheetColumn } from './cell-xml.ts'

interface Sheet {
  readonly columns: readonly SheetColumn[]
}

/** Characters across a page in landscape, at about half of the usual size, which can still be read. */
const PAGE_CHARACTERS = 240
/** Of the columns that are printed on every page, so that a row has its name on each. */
const REPEATED_CHARACTERS = 60

const widthOf = (columns: readonly SheetColumn[]) => columns.reduce((sum, { width }) => sum + width, 0)

/** Over how many pages the columns of a sheet are printed. */
export function pagesAcross(sheet: Sheet): number {
  const width = widthOf(sheet.columns)
  if (width <= PAGE_CHARACTERS) return 1
  const repeated = widthOf(repeatedColumns(sheet))
  return Math.ceil((width - repeated) / (PAGE_CHARACTERS - repeated))
}

/** The header row, and on a sheet of several pages across the first columns, as a range for `_xlnm.Print_Titles`. */
export function printedTitles(sheet: Sheet, quotedName: string): string {
  const header = `${quotedName}!$1:$1`
  const repeated = pagesAcross(sheet) === 1 ? 0 : repeatedColumns(sheet).length
  return repeated === 0 ? header : `${quotedName}!$A:$${columnLetters(repeated)},${header}`
}

function repeatedColumns({ columns }: Sheet): readonly SheetColumn[] {
  const end = columns.findIndex((_, at) => widthOf(columns.slice(0, at + 1)) > REPEATED_CHARACTERS)
  return columns.slice(0, end)
}
