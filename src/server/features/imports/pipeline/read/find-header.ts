import { IMPORT_HEADER_MAX_ROW, IMPORT_HEADER_SCAN_ROWS } from '#contract/limits.ts'
import type { Area } from '#server/engines/spreadsheet/sheet.ts'
import { factorOf } from './amount-notation.ts'
import { cellText, isFilled, isNumeric, isYear, type Cell, type SheetRow } from './cells.ts'
import { isHeaderOfValue, isKnownHeader, normalizeHeader, scoreHeader } from './headers.ts'
import { groupLabels, isPeriodRow, isRowOfUnits } from './group-labels.ts'
import { sideTableStart } from './side-table.ts'
import { isTransposed } from './transposed.ts'
import { addsUnits, isUnitsRow, withUnit } from './units-row.ts'

export interface FoundHeader {
  row: number
  /** By column; prefixed with the group label where a label alone is ambiguous, empty where the column has none. */
  labels: string[]
  /** Cells that are exactly a known header. */
  matches: number
  score: number
}

const MATCHES_MIN = 2
const ROWS_BELOW = 12
const TITLE_MERGE_COLUMNS = 3

/**
 * The row that names the columns; undefined when none does, or when the sheet lists the locations in columns. It is the one with the most known headers, unless a
 * schedule with another header begins above it. Of a header with several rows it is the last one.
 */
export function findHeader(rows: readonly SheetRow[], merges: readonly Area[]): FoundHeader | undefined {
  if (isTransposed(rows)) return undefined
  const scanned = scannedRows(rows)
  const candidates = scanned
    .map((row, index) => scoreRow(row, rows.slice(index + 1, index + 1 + ROWS_BELOW), merges))
    .filter(({ matches, score }) => matches >= MATCHES_MIN && score > 0)
  const [best] = candidates.toSorted((a, b) => b.score - a.score || a.row - b.row)
  if (!best) return undefined
  const first = candidates.find(({ row }) => row < best.row && beginsSchedule(row, best.row, rows)) ?? best
  const row = lastHeaderRow(first.row, rows, merges)
  return { ...first, row, labels: headerLabels(row, rows, merges) }
}

/** A title, a note or a total has fewer filled cells than this. */
const DENSE_CELLS_MIN = 4
/** Totals above the header. */
const DENSE_ROWS_ALLOWED = 3

/** The first rows, and those that follow as long as most rows have few filled cells. */
function scannedRows(rows: readonly SheetRow[]): SheetRow[] {
  const isDense = ({ cells }: SheetRow) => cells.filter(isFilled).length >= DENSE_CELLS_MIN
  const dense = rows.filter(isDense)[DENSE_ROWS_ALLOWED]?.number ?? IMPORT_HEADER_MAX_ROW
  const last = Math.max(IMPORT_HEADER_SCAN_ROWS, Math.min(dense, IMPORT_HEADER_MAX_ROW))
  return rows.filter(({ number }) => number <= last)
}

const SCHEDULE_NAMES_MIN = 4
const PLACES: ReadonlySet<string> = new Set(['address', 'full_address', 'city_state_zip'])

/** Whether a row names the columns of locations that are listed between it and another header. */
function beginsSchedule(headerRow: number, otherRow: number, rows: readonly SheetRow[]): boolean {
  const names = (rows.find(({ number }) => number === headerRow)?.cells ?? []).map((cell) => normalizeHeader(cellText(cell)))
  const places = names.map((name) => isKnownHeader(name) && PLACES.has(scoreHeader(name)[0]?.target ?? ''))
  const isLocation = ({ cells }: SheetRow) =>
    cells.some((cell, column) => places[column] === true && isFilled(cell)) && cells.some((cell) => looksTyped(cell))
  const between = rows.filter(({ number }) => number > headerRow && number < otherRow)
  return names.filter(isKnownHeader).length >= SCHEDULE_NAMES_MIN && between.some(isLocation)
}

function scoreRow(row: SheetRow, below: readonly SheetRow[], merges: readonly Area[]): FoundHeader {
  const filled = row.cells.filter(isFilled)
  const numbers = filled.filter(isNumeric).length
  const texts = filled.filter((cell) => typeof cell === 'string')
  const known = texts.map(normalizeHeader).filter(isKnownHeader)
  const matches = new Set(known.map(({ words }) => words)).size
  const typed = row.cells.filter(
    (cell, column) => typeof cell === 'string' && isFilled(cell) && below.some(({ cells }) => looksTyped(cells[column])),
  ).length
  const titles = merges.filter(({ top, left, right }) => top === row.number && right - left >= TITLE_MERGE_COLUMNS).length
  const share = (texts.length + typed) / Math.max(1, filled.length)
  return { row: row.number, labels: [], matches, score: matches * 2 + share - titles - numbers }
}

const looksTyped = (cell: SheetRow['cells'][number] | undefined) =>
  cell !== undefined && (isNumeric(cell) || /^[$(]?\d[\d.,)-]*$/.test(cellText(cell)))

/**
 * The names of the columns when this is the (last) header row. Rows above it that belong to the header, and the one above these, have the
 * names of columns without one, and groups. The years of groups may be in a row above.
 */
export function headerLabels(headerRow: number, rows: readonly SheetRow[], merges: readonly Area[]): string[] {
  const rowAt = (number: number) => rows.find((row) => row.number === number)
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
  const below = rowAt(headerRow + 1)
  const units = below && isUnitsRow(below) ? below.cells : []
  let labels = Array.from({ length: width }, (_, column) => cellText(rowAt(headerRow)?.cells[column]))
  const first = firstHeaderRow(headerRow, rows, merges)
  const start = sideTableStart(headerRow, rows) ?? width
  const tableOf = (column: number) => Number(column >= start)
  for (let number = headerRow - 1; number >= first - 1; number -= 1) labels = joinedLabels(labels, rowAt(number), merges, tableOf)
  const periods = [first - 2, first - 3].map(rowAt).find((row) => row !== undefined && row.cells.some(isFilled))
  if (periods && isPeriodRow(periods)) labels = joinedLabels(labels, periods, merges, tableOf)
  return labels.map((label, column) => withUnit(label, cellText(units[column])))
}

/** The labels with those of the row above where they are ambiguous or empty. A label may be repeated by a table on the right. */
function joinedLabels(
  labels: string[],
  above: SheetRow | undefined,
  merges: readonly Area[],
  tableOf: (column: number) => number,
): string[] {
  if (!above) return labels
  const groups = groupLabels(above, labels, merges)
  const upper = upperNames(above, labels)
  const words = labels.map((label) => normalizeHeader(label).words)
  const joined = labels.map((label, column) => {
    const { text = '', isMerged = false } = groups[column] ?? {}
    if (label === '') return upper[column] ?? ''
    if (text === '') return label
    const currency = normalizeHeader(label).currency === null ? normalizeHeader(text).currency : null
    const both = normalizeHeader(`${text} ${label}`)
    const isSame = (other: string, index: number) => index !== column && other === words[column] && tableOf(index) === tableOf(column)
    const repeats = words.some((other, index) => isSame(other, index) && groups[index]?.text !== text)
    const isClear =
      isKnownHeader(normalizeHeader(label)) ||
      !(isKnownHeader(both) || OTHER_AMOUNTS.test(text) || (isMerged && (scoreHeader(both).length > 0 || AMOUNTS.test(text))))
    if (repeats || !isClear) return withGroup(text, label)
    return currency === null ? label : `${label} (${currency.toUpperCase()})`
  })
  return isRowOfUnits(above, labels, merges) ? joined.map((label, column) => withGroupUnit(label, groups[column]?.text ?? '')) : joined
}

/** The name of a value with the unit of its group. */
function withGroupUnit(label: string, group: string): string {
  const factor = factorOf(group)
  const isNamed = factor === 1 || normalizeHeader(label).factor > 1 || !isHeaderOfValue(label)
  return isNamed ? label : `${label} (in ${factor === 1_000 ? 'thousands' : 'millions'})`
}

const VALUES = /\b(total )?(insured|insurable|reported|property|scheduled)? ?(values?|amounts?|limits?)\b/gi

/** A group that says of all of its columns that they are amounts. */
const AMOUNTS = /\b(values?|amounts?|limits?|insured)\b/i

/** A group of amounts that are no values: “Deductibles” above “AOP” and “Wind”. */
const OTHER_AMOUNTS = /\b(deductibles?|retentions?|premiums?)\b/i

/** A label below its group. That a group has values is left out where the label alone says of what. */
function withGroup(group: string, label: string): string {
  const joined = `${group} ${label}`
  const isUnclear = !scoreHeader(normalizeHeader(joined)).some(({ score }) => score >= 0.9)
  const short = `${group.replace(VALUES, ' ')} ${label}`.replace(/\s+/g, ' ').trim()
  return isUnclear && isKnownHeader(normalizeHeader(label)) && isKnownHeader(normalizeHeader(short)) ? short : joined
}

/** The names in the row above of columns that have none in the header row: known headers, and where there are several of these, all texts. */
function upperNames(row: SheetRow, labels: readonly string[]): string[] {
  const texts = labels.map((label, column) => (label === '' ? cellText(row.cells[column]) : ''))
  const known = texts.filter((text) => text !== '' && isKnownHeader(normalizeHeader(text)))
  return known.length > 1 ? texts : texts.map((text) => (known.includes(text) ? text : ''))
}

const HEADER_ROWS_MAX = 3
const KNOWN_SHARE_MIN = 0.5

/** The last row of the header that begins in a row: `2026 RCV`, `2025 RCV` below `Building`, also with a row of groups between. */
function lastHeaderRow(first: number, rows: readonly SheetRow[], merges: readonly Area[]): number {
  const header = rows.find(({ number }) => number === first)
  const hasKnownName = (column: number) => isKnownHeader(normalizeHeader(cellText(header?.cells[column])))
  let last = first
  for (let number = first + 1; header && number < first + HEADER_ROWS_MAX; number += 1) {
    const row = rows.find((other) => other.number === number)
    if (!row || !completesHeader(row, header) || addsUnits(row, hasKnownName)) break
    const isMerged = merges.some(({ top, bottom, left, right }) => left === right && top === first && bottom >= number)
    if (isMerged || isNamed(row)) last = number
  }
  return last
}

/** The first row of the header whose last row is given. */
function firstHeaderRow(last: number, rows: readonly SheetRow[], merges: readonly Area[]): number {
  const isFirst = (number: number) => {
    const names = (rows.find((row) => row.number === number)?.cells ?? []).map((cell) => normalizeHeader(cellText(cell)))
    return names.filter(isKnownHeader).length >= MATCHES_MIN && lastHeaderRow(number, rows, merges) === last
  }
  for (let number = last - HEADER_ROWS_MAX + 1; number < last; number += 1) if (isFirst(number)) return number
  return last
}

/** Whether a row has only texts and years, and none below some names of the header. */
function completesHeader(row: SheetRow, header: SheetRow): boolean {
  const filled = row.cells.filter(isFilled)
  const isBelowNames = header.cells.some((cell, column) => isFilled(cell) && !isFilled(row.cells[column]))
  return (
    filled.length > 1 && isBelowNames && filled.every((cell) => isYear(cellText(cell)) || (typeof cell === 'string' && !looksTyped(cell)))
  )
}

/** Whether at least half of the texts of a row are years or known headers. */
function isNamed({ cells }: SheetRow): boolean {
  const filled = cells.filter(isFilled)
  const isName = (cell: Cell) => isYear(cellText(cell)) || isKnownHeader(normalizeHeader(cellText(cell)))
  return filled.filter(isName).length >= filled.length * KNOWN_SHARE_MIN
}
