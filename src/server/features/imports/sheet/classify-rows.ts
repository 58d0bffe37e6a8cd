import type { RowKind } from '#contract/import-rows.ts'
import { parseNumber } from '#server/features/imports/cells/number-text.ts'
import { normaliseHeader } from '#server/features/imports/headers/normalise-header.ts'
import { cellText, isFilled, type Cell, type SheetRow } from './sheet-row.ts'

/** At the start only and as a whole word: `Grand Prairie` and `Rio Grande Blvd` are places. */
const TOTAL_WORD = /^\W*(grand total|sub-?\s?totals?|totals?|sum)\b/i
const REPEATED_SHARE = 0.6
const NOTE_CHARACTERS = 80
const TELLING_COLUMNS = 3

interface Sums {
  rows: number
  columns: Map<number, number>
}
const emptySums = (): Sums => ({ rows: 0, columns: new Map() })

export interface RowClassifier {
  /** The kind of the next row, in order; a lone text is a section as long as locations may follow it. */
  next(row: SheetRow): RowKind
}

/** Tells row by row what each is; what only the end of the sheet tells is left to `isTrailingNote`. */
export function classifier(headerRow: number, labels: readonly string[]): RowClassifier {
  const headers = labels.map((label) => normaliseHeader(label).words)
  const columns = headers.filter((words) => words !== '').length
  const all = emptySums()
  let block = emptySums()
  const next = (row: SheetRow): RowKind => {
    if (!row.cells.some(isFilled)) return 'blank'
    if (row.number < headerRow) return 'title'
    if (row.number === headerRow) return 'header'
    if (isRepeatedHeader(row, headers)) return 'repeated_header'
    const total = totalKind(row, block, all)
    if (total) {
      block = emptySums()
      return total
    }
    if (columns >= TELLING_COLUMNS && isSingleText(row)) return isNote(cellText(row.cells.find(isFilled))) ? 'note' : 'section'
    add(row, block)
    add(row, all)
    return 'data'
  }
  return { next }
}

/** A lone text below the last location is a note. */
export const isTrailingNote = (kind: RowKind, row: number, lastDataRow: number): boolean => kind === 'section' && row > lastDataRow

/** What every row of the sheet is; rows are in order and come from above and below the header alike. */
export function classifyRows(rows: readonly SheetRow[], headerRow: number, labels: readonly string[]): RowKind[] {
  const kinds = rows.map(classifier(headerRow, labels).next)
  const lastDataRow = rows[kinds.lastIndexOf('data')]?.number ?? 0
  return kinds.map((kind, index) => (isTrailingNote(kind, rows[index]?.number ?? 0, lastDataRow) ? 'note' : kind))
}

const isNote = (text: string): boolean => /^[*†‡]|^\(?notes?\b/i.test(text) || text.length > NOTE_CHARACTERS

function isRepeatedHeader(row: SheetRow, headers: readonly string[]): boolean {
  const filled = row.cells.flatMap((cell, column) => (isFilled(cell) ? [column] : []))
  if (filled.length < 2 || filled.some((column) => typeof row.cells[column] === 'number')) return false
  const same = filled.filter(
    (column) => headers[column] !== '' && normaliseHeader(cellText(row.cells[column])).words === headers[column],
  ).length
  return same / filled.length >= REPEATED_SHARE
}

function totalKind(row: SheetRow, block: Sums, all: Sums): 'subtotal' | 'total' | undefined {
  const texts = row.cells.filter((cell): cell is string => typeof cell === 'string' && isFilled(cell) && amountOf(cell) === undefined)
  const label = texts[0] ?? ''
  const hasWord = TOTAL_WORD.test(label)
  if (!hasWord && texts.length > 1) return undefined
  const ofAll = matchingColumns(row, all)
  const ofBlock = matchingColumns(row, block)
  const matches = Math.max(ofAll, ofBlock)
  if (hasWord ? matches === 0 && texts.length > 1 : matches < 2) return undefined
  if (/^\W*sub/i.test(label)) return 'subtotal'
  return /^\W*grand/i.test(label) || ofAll >= ofBlock ? 'total' : 'subtotal'
}

/** In how many columns the row says the sum of at least two rows before it. */
function matchingColumns(row: SheetRow, sums: Sums): number {
  if (sums.rows < 2) return 0
  let matches = 0
  row.cells.forEach((cell, column) => {
    const amount = amountOf(cell)
    const sum = sums.columns.get(column) ?? 0
    if (amount !== undefined && sum !== 0 && Math.abs(amount - sum) <= 0.5 + Math.abs(sum) * 1e-9) matches += 1
  })
  return matches
}

function add(row: SheetRow, sums: Sums): void {
  sums.rows += 1
  row.cells.forEach((cell, column) => {
    const amount = amountOf(cell)
    if (amount !== undefined) sums.columns.set(column, (sums.columns.get(column) ?? 0) + amount)
  })
}

const amountOf = (cell: Cell | undefined): number | undefined =>
  typeof cell === 'number' ? cell : typeof cell === 'string' ? parseNumber(cell.replace(/\$/g, ''), false) : undefined

const isSingleText = (row: SheetRow): boolean => {
  const filled = row.cells.filter(isFilled)
  return filled.length === 1 && typeof filled[0] === 'string' && amountOf(filled[0]) === undefined
}
