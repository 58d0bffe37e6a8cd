import { IMPORT_HEADER_SCAN_ROWS } from '#contract/limits.ts'
import type { Area } from '#server/engines/spreadsheet/sheet.ts'
import { cellText, isFilled, isNumeric, type Cell, type SheetRow } from './cells.ts'
import { isKnownHeader, normalizeHeader, scoreHeader } from './headers.ts'
import { isUnitsRow, withUnit } from './units-row.ts'

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

/** The row that names the columns, among the first forty; undefined when none does. */
export function findHeader(rows: readonly SheetRow[], merges: readonly Area[]): FoundHeader | undefined {
  const scanned = rows.filter(({ number }) => number <= IMPORT_HEADER_SCAN_ROWS)
  let best: FoundHeader | undefined
  scanned.forEach((row, index) => {
    const candidate = scoreRow(row, rows.slice(index + 1, index + 1 + ROWS_BELOW), merges)
    if (candidate.matches >= MATCHES_MIN && candidate.score > (best?.score ?? 0)) best = candidate
  })
  if (!best) return undefined
  const [header, next] = [best.row, best.row + 1].map((number) => rows.find((row) => row.number === number))
  const row = header && next && isSecondHeader(next, header) ? next.number : best.row
  return { ...best, row, labels: headerLabels(row, rows, merges) }
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

/** The names of the columns when this row is the header row. A column without a name there may have one in the row above. */
export function headerLabels(headerRow: number, rows: readonly SheetRow[], merges: readonly Area[]): string[] {
  const header = rows.find(({ number }) => number === headerRow)
  const above = rows.find(({ number }) => number === headerRow - 1)
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
  const labels = Array.from({ length: width }, (_, column) => cellText(header?.cells[column]))
  const below = rows.find(({ number }) => number === headerRow + 1)
  const units = below && isUnitsRow(below) ? below.cells : []
  return joinedLabels(labels, above, merges).map((label, column) => withUnit(label, cellText(units[column])))
}

/** The labels with those of the row above where they are ambiguous or empty. */
function joinedLabels(labels: string[], above: SheetRow | undefined, merges: readonly Area[]): string[] {
  if (!above) return labels
  const groups = groupLabels(above, labels, merges)
  const upper = upperNames(above, labels)
  const words = labels.map((label) => normalizeHeader(label).words)
  return labels.map((label, column) => {
    const { text = '', isMerged = false } = groups[column] ?? {}
    if (label === '') return upper[column] ?? ''
    if (text === '') return label
    const joined = normalizeHeader(`${text} ${label}`)
    const repeats = words.some((other, index) => index !== column && other === words[column] && groups[index]?.text !== text)
    const isClear = isKnownHeader(normalizeHeader(label)) || !(isKnownHeader(joined) || (isMerged && scoreHeader(joined).length > 0))
    return repeats || !isClear ? withGroup(text, label) : label
  })
}

const VALUES = /\b(total )?(insured|insurable|reported|property|scheduled)? ?(values?|amounts?|limits?)\b/gi

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

interface GroupLabel {
  text: string
  isMerged: boolean
}

/**
 * The label above each column: merged over it, in its own cell, or in a cell to the left with blank cells between. A row with a single
 * text is a title, so its text counts only where it is merged. A group ends where its names repeat.
 */
function groupLabels(row: SheetRow, labels: readonly string[], merges: readonly Area[]): GroupLabel[] {
  const ranges = merges.filter(
    ({ top, bottom, left, right }) => top <= row.number && bottom >= row.number && right > left && right - left < labels.length - 1,
  )
  const texts = row.cells.filter((cell) => typeof cell === 'string' && isFilled(cell))
  const hasGroups = texts.length > 1 && texts.length === row.cells.filter(isFilled).length
  let open = ''
  let names = new Set<string>()
  return labels.map((label, column): GroupLabel => {
    const range = ranges.find(({ left, right }) => column + 1 >= left && column + 1 <= right)
    const own = cellText(row.cells[column])
    if (range || own !== '' || label === '' || names.has(label)) {
      open = range ? '' : own
      names = new Set()
    }
    names.add(label)
    if (range) return { text: cellText(row.cells[range.left - 1]), isMerged: true }
    return { text: hasGroups ? open : '', isMerged: false }
  })
}

const YEAR = /^(19|20)\d\d$/

/** Whether a row completes the header above it: `2026 RCV`, `2025 RCV` below `Building`. It names fewer columns, and nothing else. */
function isSecondHeader(row: SheetRow, header: SheetRow): boolean {
  const filled = row.cells.filter(isFilled)
  const isName = (cell: Cell) => YEAR.test(cellText(cell)) || (typeof cell === 'string' && isKnownHeader(normalizeHeader(cell)))
  const isBelowNames = header.cells.some((cell, column) => isFilled(cell) && !isFilled(row.cells[column]))
  return filled.length > 1 && isBelowNames && filled.every(isName)
}
