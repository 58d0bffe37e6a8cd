import { IMPORT_HEADER_SCAN_ROWS } from '#contract/limits.ts'
import type { Area } from '#server/engines/spreadsheet/sheet.ts'
import { cellText, isFilled, isNumeric, type SheetRow } from './cells.ts'
import { isKnownHeader, normalizeHeader, scoreHeader } from './headers.ts'

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
  return best && { ...best, labels: headerLabels(best.row, rows, merges) }
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

/** The names of the columns when this row is the header row. */
export function headerLabels(headerRow: number, rows: readonly SheetRow[], merges: readonly Area[]): string[] {
  const header = rows.find(({ number }) => number === headerRow)
  const above = rows.find(({ number }) => number === headerRow - 1)
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
  const labels = Array.from({ length: width }, (_, column) => cellText(header?.cells[column]))
  if (!above) return labels
  const groups = groupLabels(above, merges, width)
  const words = labels.map((label) => normalizeHeader(label).words)
  return labels.map((label, column) => {
    const group = groups[column] ?? ''
    if (group === '' || label === '') return label
    const repeats = words.some((other, index) => index !== column && other === words[column] && groups[index] !== group)
    const isAmbiguous = repeats || (!isKnownHeader(normalizeHeader(label)) && scoreHeader(normalizeHeader(`${group} ${label}`)).length > 0)
    return isAmbiguous ? `${group} ${label}` : label
  })
}

/** The merged label above each column. */
function groupLabels(row: SheetRow, merges: readonly Area[], width: number): string[] {
  const ranges = merges.filter(
    ({ top, bottom, left, right }) => top <= row.number && bottom >= row.number && right > left && right - left < width - 1,
  )
  return Array.from({ length: width }, (_, column) => {
    const range = ranges.find(({ left, right }) => column + 1 >= left && column + 1 <= right)
    return range ? cellText(row.cells[range.left - 1]) : ''
  })
}
