import { IMPORT_MAX_ROWS } from '#contract/limits.ts'
import { editionYear } from './edition-year.ts'
import { isUnlikelySheet } from './score-sheet.ts'

interface Sheet {
  index: number
  name: string
  hidden: boolean
  rows: number
  layout: string
  /** Indexes of the sheets that list the same locations. */
  alike: readonly number[]
}

/**
 * The sheets that together are the schedule: the likeliest and those with the same columns, unless they are hidden, have an unlikely
 * name, belong to another year or list the same locations.
 */
export function joinSheets<S extends Sheet>(best: S, sheets: readonly S[]): S[] {
  const joined = [best]
  let rows = best.rows
  for (const sheet of sheets) {
    if (sheet.index === best.index || sheet.hidden || isUnlikelySheet(sheet.name) || sheet.layout === '' || sheet.layout !== best.layout)
      continue
    if (isOtherYear(sheet.name, best.name) || joined.some(({ index }) => sheet.alike.includes(index))) continue
    if (rows + sheet.rows > IMPORT_MAX_ROWS) continue
    joined.push(sheet)
    rows += sheet.rows
  }
  return joined.sort((a, b) => a.index - b.index)
}

/** Both names say a year, and not the same one. */
export function isOtherYear(name: string, other: string): boolean {
  const [year, otherYear] = [editionYear(name), editionYear(other)]
  return year !== undefined && otherYear !== undefined && year !== otherYear
}
