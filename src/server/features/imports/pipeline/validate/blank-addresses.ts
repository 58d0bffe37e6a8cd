import { INSURED_VALUES } from '#contract/property-fields.ts'
import { cellText, isFilled, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import type { ScheduleRow } from '#server/features/imports/pipeline/read/classify-rows.ts'
import { tivOf, type ReadRow, type RowIssue } from './results.ts'

/** What happens to all rows without an address below a location; `errors` leaves them to the user. */
export const BLANK_ADDRESS_DECISIONS = ['above', 'errors'] as const
export type BlankAddressDecision = (typeof BLANK_ADDRESS_DECISIONS)[number]

/** What the place of a location is mapped to. */
export const PLACE_TARGETS = ['full_address', 'city_state_zip', 'address', 'city', 'county', 'state', 'postal_code', 'country'] as const

/** Fields in which a row does not differ from the location that it belongs to. */
const PLACE: ReadonlySet<string> = new Set(['location_number', 'location_building', ...PLACE_TARGETS])
/** The targets of a column with the street. */
export const ADDRESS: ReadonlySet<string> = new Set(['address', 'full_address'])
/** Without one of these a row is not a building. */
const SUBSTANCE: ReadonlySet<string> = new Set([...INSURED_VALUES, 'floor_area'])

interface MappedColumn {
  /** From 0. */
  index: number
  /** The letter. */
  column: string
  target: string
}

interface Location {
  /** Number of the row in the import. */
  number: number
  cells: readonly Cell[]
  sheet: number
  /** The last row that belongs to it. */
  sheetRow: number
  buildings: number
}

/** A row that may be a further building of the location above it. */
interface Continuation {
  /** The row of the location. */
  above: number
  /** Counted in the location, whose own row is 1. */
  building: number
  /** The cells of the row, with those of the location where it has none. */
  cells: Cell[]
}

/**
 * Finds rows with an amount or an area and without an address directly below a location, from which they do not differ in any part of the
 * place. Rows must come in order.
 * @param repeated targets of the columns in which the cells of the location apply, too
 */
export function continuations(columns: readonly MappedColumn[], repeated: ReadonlySet<string>) {
  const addresses = columns.filter(({ target }) => ADDRESS.has(target))
  let last: Location | undefined
  return ({ number, sheet, sheetRow }: ScheduleRow, cells: readonly Cell[]): Continuation | undefined => {
    const isBlank = (column: MappedColumn) => !isFilled(cells[column.index])
    if (addresses.some((column) => !isBlank(column))) {
      last = { number, cells, sheet, sheetRow, buildings: 1 }
      return undefined
    }
    const above = last
    const isBelow = above?.sheet === sheet && above.sheetRow + 1 === sheetRow
    const hasSubstance = columns.some((column) => SUBSTANCE.has(column.target) && !isBlank(column))
    const isSame = (column: MappedColumn) =>
      isBlank(column) || cellText(cells[column.index]).toLowerCase() === cellText(above?.cells[column.index]).toLowerCase()
    if (!above || !isBelow || !hasSubstance || !columns.filter(({ target }) => PLACE.has(target)).every(isSame)) {
      last = undefined
      return undefined
    }
    above.sheetRow = sheetRow
    above.buildings += 1
    const filled = [...cells]
    for (const column of columns)
      if (isBlank(column) && repeated.has(column.target)) filled[column.index] = above.cells[column.index] ?? null
    return { above: above.number, building: above.buildings, cells: filled }
  }
}

/** One error for all parts of the place that a row lacks. */
export function questionAddress(read: Pick<ReadRow, 'issues'>, columns: readonly MappedColumn[], above: string): void {
  const message = `No address. If it is a further building of the location in ${above}, answer the question about rows without an address; otherwise type the address.`
  replaceAddressIssues(read, columns, 'address_above', message)
}

/**
 * Reports rows without an address whose amounts add up to those of the location above them: as further buildings they would count twice.
 * @param below the rows below each location, by its number
 */
export function reportParts(
  rows: readonly PlacedRow[],
  below: ReadonlyMap<number, readonly PlacedRow[]>,
  columns: readonly MappedColumn[],
  rowLabel: (number: number) => string,
): void {
  if (below.size === 0) return
  for (const { number, fields } of rows) {
    const parts = below.get(number) ?? []
    const total = tivOf(fields)
    if (parts.length < 2 || total === 0 || parts.reduce((sum, part) => sum + tivOf(part.fields), 0) !== total) continue
    const message = `No address, and together with the rows next to it the amounts of ${rowLabel(number)}. As a further building it would count twice. Type the address if it is a location of its own, and leave out ${rowLabel(number)}.`
    for (const part of parts) replaceAddressIssues(part, columns, 'address_part', message)
  }
}

type PlacedRow = Pick<ReadRow, 'issues' | 'fields'> & { number: number }

function replaceAddressIssues(
  row: Pick<ReadRow, 'issues'>,
  columns: readonly MappedColumn[],
  code: 'address_above' | 'address_part',
  message: string,
): void {
  const column = columns.find(({ target }) => ADDRESS.has(target))?.column ?? null
  const isOfPlace = (issue: RowIssue) =>
    issue.code === 'address_above' || (issue.code === 'required_missing' && issue.field !== null && PLACE.has(issue.field))
  row.issues = [
    ...row.issues.filter((issue) => !isOfPlace(issue)),
    { column, field: 'address', code, severity: 'error', message, value: null },
  ]
}
