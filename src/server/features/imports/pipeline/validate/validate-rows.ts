import type { PropertyFieldName } from '#contract/property-fields.ts'
import { addressKeys, type AddressKeys } from '#server/engines/address/address-keys.ts'
import type { Area } from '#server/engines/spreadsheet/sheet.ts'
import { rowPlans } from '#server/features/imports/pipeline/map/sheet-plan.ts'
import type { ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { isFilled, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import type { ScheduleRow } from '#server/features/imports/pipeline/read/classify-rows.ts'
import { mergedBuildings } from '#server/features/imports/pipeline/read/merged-buildings.ts'
import { blanketMark, endDateOf, isMarkedEnded, markOf, type EndDate, type MarkDecision } from './marked-rows.ts'
import { PLACE_TARGETS, continuations, questionAddress, reportParts, type BlankAddressDecision } from './blank-addresses.ts'
import { dittoReader } from './ditto.ts'
import { endedSections } from './ended-sections.ts'
import { mergeCoverages } from './merge-coverages.ts'
import { headingReader } from './headings.ts'
import type { HeadingDecision } from './heading-decisions.ts'
import type { ReadRow, RowFields, RowIssue } from './results.ts'
import { sharedParts } from './shared-parts.ts'
import { buildingNumber, rowsByNumber, settleRepeats, type RepeatDecision } from './settle-repeats.ts'

/** A row to validate, with what the user decided about it. */
export interface SourceRow extends ScheduleRow {
  matchedByHand: boolean
  propertyId: string | null
}

export interface ValidatedRow extends ReadRow {
  number: number
  /** Not imported by the decision about repeated locations or marked rows (`decided`), or because its amounts are now those of an earlier row. */
  leftOut?: 'decided' | 'merged'
  /** Of a row that is marked as ended. */
  endDate?: EndDate | undefined
  keys: AddressKeys
  matchedByHand: boolean
  propertyId: string | null
}

interface ValidateOptions {
  /** Merged ranges of the sheets, by index of the sheet. */
  merges: ReadonlyMap<number, readonly Area[]>
  rowLabel: (number: number) => string
  /** `K3`, with the sheet if there are several. */
  cellReference?: (letter: string, number: number) => string
  repeats?: RepeatDecision | undefined
  marked?: MarkDecision | undefined
  blankAddresses?: BlankAddressDecision | undefined
  headingStates?: HeadingDecision | undefined
  headingCities?: HeadingDecision | undefined
  /** Called after each batch. */
  onProgress: (rows: number) => Promise<void>
  pause: () => Promise<void>
}

/** Reads and checks the locations of a schedule, which come in batches, and finds those that are listed twice. */
export async function validateRows(
  batches: AsyncIterable<readonly SourceRow[]>,
  plan: ReadPlan,
  {
    merges,
    rowLabel,
    cellReference = (letter, number) => `${letter}${number}`,
    repeats = 'errors',
    marked,
    blankAddresses,
    headingStates,
    headingCities,
    onProgress,
    pause,
  }: ValidateOptions,
): Promise<ValidatedRow[]> {
  const cellsOf = mergedCells(merges, plan)
  const buildingOf = mergedBuildings(merges, plan.columns)
  const hasCoverages = plan.coverage !== undefined
  const continuationOf = continuations(plan.columns, hasCoverages ? COVERAGE_FIELDS : MERGED_FIELDS)
  const readDitto = dittoReader(plan.columns, rowLabel)
  const share = sharedParts()
  const planOf = rowPlans(plan)
  const readBelow = headingReader(plan, { cellReference, states: headingStates, cities: headingCities })
  const endedMark = endedSections(plan)
  const rows: ValidatedRow[] = []
  const belowLocations = new Map<number, ValidatedRow[]>()
  for await (const batch of batches) {
    for (const source of batch) {
      const { number, matchedByHand, propertyId } = source
      const { cells, issues } = readDitto(source, cellsOf(source))
      const blanket = blanketMark(source.cells, plan.columns)
      const below = blanket ? undefined : continuationOf(source, cells)
      const isTaken = below !== undefined && (hasCoverages || blankAddresses === 'above')
      const read = readBelow(isTaken ? below.cells : cells, planOf(source), source)
      read.issues.push(...issues)
      if (below && !isTaken && blankAddresses === undefined) questionAddress(read, plan.columns, rowLabel(below.above))
      // The rows of a location with several coverages are no further buildings.
      const building = hasCoverages ? 1 : (buildingOf(source) ?? (isTaken ? below.building : 1))
      if (building > 1) read.fields.building_number ??= String(building)
      const mark = blanket ?? markOf(source.cells, plan.marks ?? []) ?? endedMark(source)
      const isLeftOut = mark !== undefined && addMark(read, mark, marked)
      const row: ValidatedRow = {
        ...share(read),
        ...(isLeftOut && { leftOut: 'decided' as const }),
        ...(mark && { endDate: endDateOf(source.cells, plan.marks ?? []) }),
        number,
        keys: addressKeys(read.fields),
        matchedByHand,
        propertyId,
      }
      rows.push(row)
      if (below && !hasCoverages && !isLeftOut && blankAddresses !== 'errors') addBelow(belowLocations, below.above, row)
      await pause()
    }
    await onProgress(rows.length)
  }
  reportParts(rows, belowLocations, plan.columns, rowLabel)
  return settleRows(rows, hasCoverages, { marked, repeats, rowLabel, cellReference })
}

/** Whether the row is left out by what was decided about marked rows. */
function addMark(read: ReadRow, mark: RowIssue, marked: MarkDecision | undefined): boolean {
  const isLeftOut = marked === 'leave_out' || marked === 'divest'
  if (isLeftOut) read.issues = [{ ...mark, message: `${mark.message} Left out, as decided for all such rows.` }]
  else read.issues.push(mark)
  return isLeftOut
}

function addBelow(rows: Map<number, ValidatedRow[]>, above: number, row: ValidatedRow): void {
  const others = rows.get(above)
  if (others) others.push(row)
  else rows.set(above, [row])
}

type Settling = Pick<ValidateOptions, 'marked'> & { [Name in 'repeats' | 'rowLabel' | 'cellReference']: NonNullable<ValidateOptions[Name]> }

/** Merges the rows of one property, and decides which of those that are listed twice are left out. */
function settleRows(rows: ValidatedRow[], hasCoverages: boolean, { marked, repeats, rowLabel, cellReference }: Settling): ValidatedRow[] {
  if (hasCoverages) for (const row of mergeCoverages(rows.filter(isIncluded), { rowLabel, cellReference })) row.leftOut = 'merged'
  // Rows that are marked as ended may have the numbers of their successors, and wait for what is decided about them.
  const unmarked = rows.filter((row) => isIncluded(row) && (marked !== undefined || !isMarkedEnded(row)))
  for (const row of settleRepeats(unmarked, repeats, rowLabel)) row.leftOut = repeats === 'sum' ? 'merged' : 'decided'
  reportDuplicates(unmarked.filter(isIncluded), rowLabel)
  return rows
}

function reportDuplicates(rows: readonly ValidatedRow[], rowLabel: (number: number) => string): void {
  const duplicates = findDuplicates(rows, rowLabel)
  for (const row of rows) {
    const issue = duplicates.get(row.number)
    if (issue) row.issues.push({ ...issue, column: issue.field === null ? null : (row.origin[issue.field] ?? null) })
  }
}

const isIncluded = ({ leftOut }: ValidatedRow) => !leftOut

/** Columns in which a vertically merged cell applies to each of its rows. */
export const MERGED_FIELDS: ReadonlySet<string> = new Set<PropertyFieldName | 'full_address' | 'city_state_zip'>([
  'location_number',
  'property_name',
  'location_group',
  'legal_entity',
  'division',
  ...PLACE_TARGETS,
])

/** Columns in which the cell of a location applies to the rows below it with its other coverages. */
const COVERAGE_FIELDS: ReadonlySet<string> = new Set([...MERGED_FIELDS, 'building_number', 'location_building'])

/** The cells of a row, with the values of vertically merged cells repeated. */
function mergedCells(merges: ValidateOptions['merges'], { columns }: ReadPlan): (row: ScheduleRow) => readonly Cell[] {
  const vertical = [...merges].flatMap(([sheet, ranges]) =>
    ranges.flatMap((range) => {
      const column = columns.find(({ index }) => index === range.left - 1)
      const isVertical = range.left === range.right && range.bottom > range.top
      return isVertical && column && MERGED_FIELDS.has(column.target) ? [{ ...range, sheet, index: column.index }] : []
    }),
  )
  if (vertical.length === 0) return ({ cells }) => cells
  const values = new Map<object, Cell>()
  const byColumn = Map.groupBy(vertical, ({ index }) => index)
  return (row) => {
    const cells = [...row.cells]
    for (const [index, ranges] of byColumn) {
      const range = ranges.find(({ sheet, top, bottom }) => sheet === row.sheet && row.sheetRow >= top && row.sheetRow <= bottom)
      if (!range) continue
      const cell = cells[index] ?? null
      if (isFilled(cell)) values.set(range, cell)
      else cells[index] = values.get(range) ?? null
    }
    return cells
  }
}

type NumberedRow = Pick<ValidatedRow, 'number' | 'fields' | 'keys'>

const SAME_VALUE_SHARE = 0.02

/** Rows that are probably listed twice: the same numbers (an error), or one building at one address twice (a warning). */
export function findDuplicates(rows: readonly NumberedRow[], rowLabel = (number: number) => `row ${number}`): Map<number, RowIssue> {
  const found = new Map<number, RowIssue>()
  for (const [first, ...others] of rowsByNumber(rows))
    for (const row of others) if (first) found.set(row.number, sameNumber(row, first, rowLabel))
  const located = rows.filter(({ keys }) => keys.strong !== null)
  for (const group of groupsOf(located, ({ keys, fields }) => `${keys.strong}|${buildingNumber(fields)}`))
    compareGroup(group, found, rowLabel)
  return found
}

const groupsOf = <T>(rows: readonly T[], keyOf: (row: T) => string) => Map.groupBy(rows, keyOf).values()

/** Compares neighbors in the order of their values only, so a street with a thousand buildings stays fast. */
function compareGroup(group: readonly NumberedRow[], found: Map<number, RowIssue>, rowLabel: (number: number) => string): void {
  const sorted = [...group].sort((a, b) => (a.fields.building_value ?? 0) - (b.fields.building_value ?? 0) || a.number - b.number)
  sorted.forEach((row, index) => {
    const neighbor = sorted[index - 1]
    if (!neighbor || !isSameBuilding(neighbor.fields, row.fields)) return
    const [first, second] = neighbor.number < row.number ? [neighbor, row] : [row, neighbor]
    if (!found.has(second.number)) found.set(second.number, sameBuilding(first, second, rowLabel))
  })
}

function isSameBuilding(a: RowFields, b: RowFields): boolean {
  const value = a.building_value ?? 0
  const other = b.building_value ?? 0
  if (value > 0 && other > 0) return Math.abs(other - value) <= SAME_VALUE_SHARE * Math.max(value, other)
  return Boolean(a.floor_area) && a.floor_area === b.floor_area && value === other
}

type Duplicate = Pick<RowIssue, 'severity' | 'message'> & { code?: RowIssue['code']; field: 'location_number' | 'address' }

const duplicate = (fields: RowFields, { severity, field, code = 'duplicate_in_file', message }: Duplicate): RowIssue => ({
  column: null,
  field,
  code,
  severity,
  message,
  value: fields[field] ?? null,
})

const cityOf = ({ city }: RowFields): string | undefined => city?.trim().toLowerCase()

function sameNumber({ fields }: NumberedRow, first: NumberedRow, rowLabel: (number: number) => string): RowIssue {
  const [city, other] = [cityOf(fields), cityOf(first.fields)]
  // The buildings of one location may have addresses of their own.
  const isElsewhere = Boolean(city && other) && city !== other
  const place = rowLabel(first.number) + (isElsewhere ? `, in ${first.fields.city}` : '')
  const message = `Location ${fields.location_number}, building ${buildingNumber(fields)} is already used in ${place}. Give one of them another number, or exclude one row.`
  return duplicate(fields, { severity: 'error', field: 'location_number', message, ...(isElsewhere && { code: 'number_elsewhere' }) })
}

function sameBuilding(first: NumberedRow, second: NumberedRow, rowLabel: (number: number) => string): RowIssue {
  const location = first.fields.location_number ? ` (location ${first.fields.location_number})` : ''
  const message = `Same address, building and value as ${rowLabel(first.number)}${location}. Exclude one row if it is the same building.`
  return duplicate(second.fields, { severity: 'warning', field: 'address', message })
}
