import { IMPORT_MAX_ROWS } from '#contract/limits.ts'
import { isInsuredValue } from '#contract/property-fields.ts'
import { unitNoteOf } from './announced-unit.ts'
import { cellText, isFilled, type SheetRow } from './cells.ts'
import { classifyRows } from './classify-rows.ts'
import { findHeader, type FoundHeader } from './find-header.ts'
import { IDENTITY_FIELDS, type HeaderTarget } from './header-synonyms.ts'
import { isHeaderOfValue, isKnownHeader, normalizeHeader, scoreHeader } from './headers.ts'
import { amountsOf } from './row-amounts.ts'
import type { SheetHead } from './sheet-head.ts'
import { isDivestedName, isLikelyName, isNamedUnlikely, isNotCurrent, isUnlikelyName } from './sheet-names.ts'
import { isOtherYear, sheetYear, withoutYear, yearOfSheet } from './sheet-year.ts'
import { isTransposed } from './transposed.ts'

export interface SurveyedSheet extends SheetHead {
  header: FoundHeader | undefined
  /** Its rows without those that are certainly none, such as titles, the header and totals. The end of a long sheet is not known. */
  locations: number
  score: number
  /** Lists divested properties, by its name. */
  sold: boolean
  /** Of its values. Null without one. */
  year: number | null
  /** The rows at its top with an amount below the name of a value. */
  valued: number
  /** Equal for sheets with the same columns; empty without a header. */
  layout: string
  /** Indexes of the sheets that list the same locations. */
  alike: number[]
  /** Has columns for addresses and amounts, so it is a schedule by itself. */
  schedule: boolean
  /** Has amounts by the number of their location, but no addresses. */
  numbered: boolean
  /** Lists the locations in columns, so it cannot be imported as it is. */
  transposed: boolean
  /** The text that says in which unit amounts are, if the sheet is a cover or has instructions. */
  unitNote: string
}

const PROPOSED_SCORE_MIN = 0.3

/** Scores every sheet; proposes the most likely schedule, if a sheet looks like one, and all sheets that form it, in the order of the file. */
export function surveySheets(sheets: readonly SheetHead[]) {
  const read = sheets.map((sheet) => {
    const header = findHeader(sheet.head, sheet.merges)
    return { sheet, header, locations: locationsOf(header, sheet.head), columns: filledColumns(header, sheet.head) }
  })
  const surveyed = read.map((own): SurveyedSheet => {
    const { sheet, header } = own
    const alike = read.filter((other) => other !== own && listSame(own.locations, other.locations))
    const full = scoreSheet(sheet, header, own.columns.known)
    const isSecondary = isNotCurrent(sheet.name) || alike.some((other) => isDerived(own, other))
    return {
      ...sheet,
      header,
      locations: countLocations(sheet, header),
      // An extract, or one that is not current by its name, is still proposed if no other sheet looks like a schedule.
      score: isSecondary ? Math.max(Math.min(full, PROPOSED_SCORE_MIN), full - SECONDARY_PENALTY) : full,
      sold: isDivestedName(sheet.name),
      year: yearOfSheet(sheet.name, header?.row ?? 0, sheet.head) ?? null,
      valued: countValued(header, sheet.head),
      layout: headerLayout(header),
      alike: alike.map((other) => other.sheet.index),
      schedule: isSchedule(own),
      numbered: isNumbered(header) && countValued(header, sheet.head) > 0,
      transposed: header === undefined && isTransposed(sheet.head),
      unitNote: isSchedule(own) ? '' : unitNoteOf(sheet.head),
    }
  })
  const [best] = surveyed.toSorted((a, b) => b.score - a.score || a.index - b.index)
  const proposed = best && best.score >= PROPOSED_SCORE_MIN ? newestYear(best, surveyed) : undefined
  return { sheets: surveyed, proposed, joined: proposed ? joinSheets(proposed, surveyed) : [] }
}

const VALUED_SHARE_MIN = 0.25

/**
 * The sheet of the newest year among those that list the same kind of thing, regardless of the number of their rows. The year in a title counts only for the
 * same locations, since each part of a schedule may have its own date. A template or a year that has hardly begun has no values.
 */
function newestYear(best: SurveyedSheet, sheets: readonly SurveyedSheet[]): SurveyedSheet {
  const isNewer = ({ index, name, hidden, year, valued, schedule, layout, alike }: SurveyedSheet) =>
    !hidden &&
    schedule === best.schedule &&
    !isUnlikelyName(name) &&
    year !== null &&
    best.year !== null &&
    year > best.year &&
    valued > 0 &&
    valued >= best.valued * VALUED_SHARE_MIN &&
    (alike.includes(best.index) || (index !== best.index && isOtherYear(name, best.name) && isSameKind(layout, best.layout)))
  const [newest] = sheets.filter(isNewer).toSorted((a, b) => (b.year ?? 0) - (a.year ?? 0) || b.score - a.score || a.index - b.index)
  return newest ?? best
}

/** Whether two sheets have the same columns, apart from the years in their headers. */
const isSameKind = (layout: string, other: string): boolean => withoutYears(layout) === withoutYears(other)
const withoutYears = (layout: string) => layout.replace(/ (19|20)\d\d(?=$|[ |])/g, '')

/** The rows at the top of a sheet with an amount below the name of a value. */
function countValued(header: FoundHeader | undefined, head: readonly SheetRow[]): number {
  const columns = (header?.labels ?? []).flatMap((label, column) => (isHeaderOfValue(label) ? [column] : []))
  const hasValue = (row: SheetRow) => {
    const { american, european } = amountsOf(row)
    return columns.some((column) => (american[column] ?? european[column] ?? 0) > 0 || isFormula(row.cells[column]))
  }
  return rowsBelow(header, head).filter(hasValue).length
}

const isFormula = (cell: SheetRow['cells'][number] | undefined): boolean => typeof cell === 'object' && cell !== null && 'formula' in cell

/**
 * The sheets that form the schedule together: the most likely one and those with the same columns, except hidden sheets, unlikely
 * names, versions of other years, and sheets that list the same locations.
 */
function joinSheets(best: SurveyedSheet, sheets: readonly SurveyedSheet[]): SurveyedSheet[] {
  const joined = [best]
  let rows = best.rows
  for (const sheet of sheets) {
    const { index, name, hidden, layout, alike } = sheet
    if (index === best.index || hidden || isUnlikelyName(name) || layout !== best.layout) continue
    if (isOtherVersion(sheet, best, sheets) || joined.some((other) => alike.includes(other.index))) continue
    if (rows + sheet.rows > IMPORT_MAX_ROWS) continue
    joined.push(sheet)
    rows += sheet.rows
  }
  return joined.sort((a, b) => a.index - b.index)
}

/** Whether a sheet of another year has no locations of its own, as `FL 2025` next to `TX 2026` has: another sheet has its name or locations, or its name is that of a whole schedule. */
function isOtherVersion({ index, name, alike }: SurveyedSheet, best: SurveyedSheet, sheets: readonly SurveyedSheet[]): boolean {
  if (!isOtherYear(name, best.name)) return false
  const part = withoutYear(name)
  if (part === '' || isLikelyName(part)) return true
  return sheets.some(
    (other) => other.index !== index && isOtherYear(name, other.name) && (withoutYear(other.name) === part || alike.includes(other.index)),
  )
}

/** The columns below the header with a filled cell: all of them, and the known ones, each field name once. */
function filledColumns(header: FoundHeader | undefined, head: readonly SheetRow[]): { all: number; known: number } {
  const below = rowsBelow(header, head)
  const filled = (header?.labels ?? []).filter((label, column) => label !== '' && below.some(({ cells }) => isFilled(cells[column])))
  const known = filled.map(normalizeHeader).filter(isKnownHeader)
  return { all: filled.length, known: new Set(known.map(({ words }) => words)).size }
}

const ROWS_COMPARED = 60

const rowsBelow = (header: FoundHeader | undefined, head: readonly SheetRow[]) =>
  head.filter(({ number }) => number > (header?.row ?? 0)).slice(0, ROWS_COMPARED)

type Read = { sheet: SheetHead; columns: { all: number } }

/** Whether one of two sheets with the same locations is an extract of the other: it has fewer of the rows, or the same with fewer columns. */
function isDerived({ sheet, columns }: Read, other: Read): boolean {
  if (isOtherYear(sheet.name, other.sheet.name) || isUnlikelyName(other.sheet.name) || other.sheet.hidden) return false
  return sheet.rows < other.sheet.rows || (sheet.rows === other.sheet.rows && columns.all < other.columns.all)
}

function countLocations({ rows, head }: SheetHead, header: FoundHeader | undefined): number {
  if (!header) return rows
  const others = classifyRows(head, header.row, header.labels).filter((kind) => kind !== 'data' && kind !== 'blank')
  return rows - others.length
}

const SECONDARY_PENALTY = 0.3
const EMPTY_COLUMN_WEIGHT = 0.1
/** A schedule may look up single columns in another sheet. */
const REFERENCES_ALLOWED = 0.2

/** How likely a sheet is the schedule. Of two equal sheets the one of the later year has the higher score. */
function scoreSheet({ name, hidden, rows, references = 0 }: SheetHead, header: FoundHeader | undefined, filled: number): number {
  if (!header) return 0
  const year = sheetYear(name)
  const empty = Math.max(0, header.matches - filled)
  const knownHeaders = Math.min(1, (filled + empty * EMPTY_COLUMN_WEIGHT) / 15)
  const size = Math.min(1, Math.log10(Math.max(1, rows)) / 4)
  const named =
    (isLikelyName(name) ? 0.1 : 0) -
    (isNamedUnlikely(name) ? 0.6 : 0) -
    (hidden ? 0.5 : 0) -
    (references > REFERENCES_ALLOWED ? references : 0)
  return Math.max(0, knownHeaders + 0.2 * size + named + (year === undefined ? 0 : (year - 2000) / 100) * 0.2)
}

/** The headers of a sheet as comparable words, years and units included: one mapping can read all sheets with the same layout. */
function headerLayout(header: FoundHeader | undefined): string {
  if (!header) return ''
  const labels = header.labels.map((label) => {
    const { words, year, factor, squareMeters, currency } = normalizeHeader(label)
    return [words, year, factor > 1 ? factor : null, squareMeters ? 'm2' : null, currency].filter((part) => part !== null).join(' ')
  })
  while (labels.at(-1) === '') labels.pop()
  return labels.join('|')
}

const LOCATION_COLUMNS: ReadonlySet<HeaderTarget> = new Set<HeaderTarget>([
  ...IDENTITY_FIELDS,
  'full_address',
  'city_state_zip',
  'location_building',
  'city',
  'postal_code',
])

const ADDRESSES: ReadonlySet<string> = new Set(['address', 'full_address'])

function isSchedule({ header, locations }: { header: FoundHeader | undefined; locations: readonly Location[] }): boolean {
  const targets = (header?.labels ?? []).map((label) => scoreHeader(normalizeHeader(label))[0]?.target ?? '')
  return locations.length > 0 && targets.some((target) => ADDRESSES.has(target)) && targets.some(isInsuredValue)
}

const NUMBERS: ReadonlySet<string> = new Set(['location_number', 'location_building'])

/** Whether a header has numbers of locations and no addresses. */
function isNumbered(header: FoundHeader | undefined): boolean {
  const names = (header?.labels ?? []).map((label) => scoreHeader(normalizeHeader(label))[0])
  const has = (targets: ReadonlySet<string>) => names.some((name) => name !== undefined && name.score >= 0.9 && targets.has(name.target))
  return has(NUMBERS) && !has(ADDRESSES)
}

type Location = ReadonlyMap<HeaderTarget, string>

/** The locations at the top of a sheet: the texts that identify them, by the meaning of the column. */
function locationsOf(header: FoundHeader | undefined, head: readonly SheetRow[]): Location[] {
  if (!header) return []
  const columns = header.labels.flatMap((label, column) => {
    const [best] = scoreHeader(normalizeHeader(label))
    return best !== undefined && best.score >= 0.9 && LOCATION_COLUMNS.has(best.target) ? [{ column, target: best.target }] : []
  })
  return rowsBelow(header, head)
    .map(({ cells }) => new Map(columns.map(({ column, target }) => [target, cellText(cells[column]).toLowerCase()])))
    .filter((location) => [...location.values()].filter((text) => text !== '').length > 1)
}

const SAME_LOCATIONS_SHARE = 0.5

/** Whether one sheet is a copy, an extract or another version of the other, by the columns that both have. */
function listSame(left: readonly Location[], right: readonly Location[]): boolean {
  const shared = [...LOCATION_COLUMNS].filter((target) => left[0]?.has(target) === true && right[0]?.has(target) === true)
  if (shared.length < 2) return false
  const [few, many] = [left, right]
    .map((locations) => new Set(locations.map((location) => shared.map((target) => location.get(target)).join('|'))))
    .sort((a, b) => a.size - b.size)
  if (!few || !many) return false
  return [...few].filter((location) => many.has(location)).length / few.size >= SAME_LOCATIONS_SHARE
}
