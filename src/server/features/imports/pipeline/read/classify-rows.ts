import type { RowKind } from '#contract/import-rows.ts'
import { factorOf } from './amount-notation.ts'
import { cellText, isFilled, type Cell, type SheetRow } from './cells.ts'
import { isHeaderOfValue } from './headers.ts'
import { headerReader } from './other-headers.ts'
import { isOfOtherTerm } from './other-terms.ts'
import { partialSums } from './partial-sums.ts'
import { amountsOf, isAmount, type Amounts } from './row-amounts.ts'
import { isUnitsRow } from './units-row.ts'

/** At the start only and as a whole word: `Grand Prairie` and `Rio Grande Blvd` are places. */
const TOTAL_WORD = /^\W*(grand total|(sub|sous)-?\s?totals?|total(s|es)?|totaux|sum|somme|suma)\b/i
/** At the end only if a row has no other text: `Texas Subtotal`. */
const TOTAL_AT_END = /\s(sub-?\s?)?totals?\W*$/i
const NOTE_CHARACTERS = 80
/** With fewer columns a row with a single text may be a location. */
const SECTION_COLUMNS_MIN = 3

/** `other`: a location below another header, whose cells may have other meanings than the names of the columns say. */
type Kind = RowKind | 'other'

/** A row of one of several sheets: `number` counts over all sheets of the import, `sheetRow` within its own sheet. */
export interface ScheduleRow extends SheetRow {
  sheet: number
  sheetRow: number
}

/**
 * The kind of every row of a schedule that may span several sheets; rows come in order, in batches.
 * Totals and sections belong to their own sheet. `onLocation` receives the cells of each location, except of those below another header.
 */
export async function classifySchedule(
  batches: AsyncIterable<readonly ScheduleRow[]>,
  sheets: readonly { index: number; headerRow: number }[],
  labels: readonly string[],
  onLocation: (cells: readonly Cell[]) => void,
  pause: () => Promise<void>,
): Promise<{ row: number; kind: RowKind }[]> {
  const others: { number: number; sheet: number; sheetRow: number; kind: RowKind }[] = []
  const offsets = new Map<number, number>()
  const classifiers = new Map(
    sheets.map(({ index, headerRow }) => {
      const onSum = (sheetRow: number) =>
        others.push({ number: (offsets.get(index) ?? 0) + sheetRow, sheet: index, sheetRow, kind: 'subtotal' })
      return [index, rowClassifier(headerRow, labels, onSum)]
    }),
  )
  const spans = new Map(sheets.map(({ index }) => [index, emptySpan()]))
  for await (const batch of batches) {
    for (const row of batch) {
      const { number, sheet, sheetRow } = row
      offsets.set(sheet, number - sheetRow)
      const kind = classifiers.get(sheet)?.({ ...row, number: sheetRow })
      const span = spans.get(sheet)
      if (kind && span) extend(span, kind, sheetRow)
      if (kind === 'data') onLocation(row.cells)
      else if (kind && kind !== 'other') others.push({ number, sheet, sheetRow, kind })
      await pause()
    }
  }
  return others
    .toSorted((a, b) => a.number - b.number)
    .map(({ number, sheet, sheetRow, kind }) => ({ row: number, kind: finalKind(kind, sheetRow, spans.get(sheet) ?? emptySpan()) }))
}

/** The kind of every row of one sheet, in order. */
export function classifyRows(rows: readonly SheetRow[], headerRow: number, labels: readonly string[]): RowKind[] {
  const sums = new Set<number>()
  const classify = rowClassifier(headerRow, labels, (row) => sums.add(row))
  const found = rows.map((row) => ({ row: row.number, kind: classify(row) }))
  const kinds = found.map(({ row, kind }) => (sums.has(row) ? 'subtotal' : kind === 'other' ? 'data' : kind))
  const span = emptySpan()
  for (const [index, kind] of kinds.entries()) extend(span, kind, rows[index]?.number ?? 0)
  return kinds.map((kind, index) => finalKind(kind, rows[index]?.number ?? 0, span))
}

/** Rows of a sheet; 0 without one. */
interface Span {
  firstLocation: number
  lastLocation: number
  lastSum: number
}
const emptySpan = (): Span => ({ firstLocation: 0, lastLocation: 0, lastSum: 0 })

function extend(span: Span, kind: Kind, row: number): void {
  if (kind === 'total' || kind === 'subtotal') span.lastSum = row
  if (kind !== 'data' && kind !== 'other') return
  span.firstLocation ||= row
  span.lastLocation = row
}

/**
 * A single text below the last location is a note, not the title of a section. A total between locations, with another sum below, is that of
 * the locations above it.
 */
function finalKind(kind: RowKind, row: number, { firstLocation, lastLocation, lastSum }: Span): RowKind {
  if (kind === 'section' && row > lastLocation) return 'note'
  return kind === 'total' && row > firstLocation && row < Math.min(lastLocation, lastSum) ? 'subtotal' : kind
}

/** The amounts of each column, added up. */
interface Sums extends Amounts {
  rows: number
  /** The fewest filled cells of a row. */
  filled: number
}
const emptySums = (): Sums => ({ rows: 0, filled: Infinity, american: [], european: [] })

/**
 * Classifies the rows of one sheet in order. Totals are recognized by running sums.
 * @param onSum called with an earlier location that turns out to be the sum of the locations below it
 */
function rowClassifier(headerRow: number, labels: readonly string[], onSum: (row: number) => void): (row: SheetRow) => Kind {
  const readHeader = headerReader(headerRow, labels)
  const columns = labels.filter((label) => label !== '').length
  const all = emptySums()
  let section = emptySums()
  let sectionStart = 0
  const partial = partialSums()
  const startSection = (row: SheetRow) => {
    section = emptySums()
    sectionStart = row.number
  }
  let isBelowOther = false
  let isTotaled = false
  return (row) => {
    if (!row.cells.some(isFilled)) return 'blank'
    const header = readHeader(row)
    if (row.number < headerRow) return isTotalAbove(row, labels) ? 'total' : 'title'
    if (header) {
      isBelowOther = header === 'header' && row.number > headerRow
      startSection(row)
      return header
    }
    if (all.rows === 0 && isUnitsRow(row)) return 'note'
    const amounts = amountsOf(row)
    const filled = row.cells.filter(isFilled).length
    // In either notation: in one column all amounts have the same.
    const written = row.cells.map((_, column) => amounts.american[column] ?? amounts.european[column])
    const countParts = () => partial.countIn(written, filled)
    const total = totalKind(row, amounts, { section, all, countParts, filled, isTotaled })
    if (total === 'note') return total
    if (total) {
      startSection(row)
      isTotaled ||= total === 'total' && matchingSums(amounts, all) > 0
      return isBelowOther ? 'subtotal' : total
    }
    if (columns >= SECTION_COLUMNS_MIN && isSingleText(row, amounts)) return isNote(cellText(row.cells.find(isFilled))) ? 'note' : 'section'
    isTotaled = false
    addTo(section, amounts, filled)
    addTo(all, amounts, filled)
    const sum = partial.add(row, written, filled)
    if (sum) {
      subtract(all, amountsOf(sum.row))
      if (sum.row.number > sectionStart) subtract(section, amountsOf(sum.row))
      onSum(sum.row.number)
    }
    return isBelowOther ? 'other' : 'data'
  }
}

/** Smaller numbers above the header are counts. */
const TOTAL_MIN = 1_000
const YEAR = /^(19|20)\d\d$/

/** Whether a row above the header states totals: after a word for it, it only has amounts, some of them in columns with values. */
function isTotalAbove(row: SheetRow, labels: readonly string[]): boolean {
  const amounts = amountsOf(row)
  const [label = '', ...others] = row.cells.filter((cell, column) => isFilled(cell) && !isAmount(amounts, column)).map(cellText)
  if (!TOTAL_WORD.test(label) || others.length > 0 || factorOf(label) > 1) return false
  const amountIn = (column: number) => amounts.american[column] ?? amounts.european[column] ?? 0
  return row.cells.some(
    (cell, column) => amountIn(column) >= TOTAL_MIN && !YEAR.test(cellText(cell)) && isHeaderOfValue(labels[column] ?? ''),
  )
}

const isNote = (text: string): boolean => /^[*†‡]|^\(?notes?\b/i.test(text) || text.length > NOTE_CHARACTERS

interface Above {
  section: Sums
  all: Sums
  /** The number of the last locations that the row adds up. */
  countParts: () => number
  /** Filled cells of the row. */
  filled: number
  /** Whether a row below the last location has the sum of all. */
  isTotaled: boolean
}

/** A row with more texts and as many cells as any location is one, also with a name such as `Total Wine & More`. */
const TEXTS_OF_LOCATION = 3

/** A total of something else than the locations, such as those of last year, is a note. */
function totalKind(row: SheetRow, amounts: Amounts, above: Above): 'subtotal' | 'total' | 'note' | undefined {
  const { section, all, countParts, filled, isTotaled } = above
  const texts = row.cells.filter((cell, column): cell is string => typeof cell === 'string' && isFilled(cell) && !isAmount(amounts, column))
  const label = texts[0] ?? ''
  if (texts.length === 1 && all.rows > 0 && isOfOtherTerm(label)) return 'note'
  const hasWord = TOTAL_WORD.test(label) || (texts.length === 1 && TOTAL_AT_END.test(label))
  if (!hasWord && texts.length > 1) return undefined
  if (texts.filter((text) => /[\p{L}\d]/u.test(text)).length >= TEXTS_OF_LOCATION && filled >= all.filled) return undefined
  const ofAll = matchingSums(amounts, all)
  const ofSection = matchingSums(amounts, section)
  const matches = Math.max(ofAll, ofSection)
  const parts = matches < 2 ? countParts() : 0
  if (hasWord ? matches === 0 && texts.length > 1 : matches < 2 && parts === 0) return undefined
  if (/\b(sub|sous)-?\s?total/i.test(label)) return 'subtotal'
  if (/^\W*(grand|total g[eé]n[eé]ral)/i.test(label)) return 'total'
  if (isTotaled && matches === 0 && parts === 0) return 'note'
  return parts > 0 && parts < all.rows ? 'subtotal' : ofAll >= ofSection ? 'total' : 'subtotal'
}

/** The number of columns in which the row equals the sum of at least two rows above. */
function matchingSums({ american, european }: Amounts, sums: Sums): number {
  if (sums.rows < 2) return 0
  const isSum = (amount: number | undefined, sum = 0) =>
    amount !== undefined && sum !== 0 && Math.abs(amount - sum) <= 0.5 + Math.abs(sum) * 1e-9
  return american.filter((amount, column) => isSum(amount, sums.american[column]) || isSum(european[column], sums.european[column])).length
}

function addTo(sums: Sums, { american, european }: Amounts, filled: number): void {
  sums.rows += 1
  sums.filled = Math.min(sums.filled, filled)
  addAmounts(sums.american, american, 1)
  addAmounts(sums.european, european, 1)
}

function subtract(sums: Sums, { american, european }: Amounts): void {
  sums.rows -= 1
  addAmounts(sums.american, american, -1)
  addAmounts(sums.european, european, -1)
}

function addAmounts(sums: Amounts['american'], amounts: Amounts['american'], sign: 1 | -1): void {
  amounts.forEach((amount, column) => {
    if (amount !== undefined) sums[column] = (sums[column] ?? 0) + sign * amount
  })
}

function isSingleText({ cells }: SheetRow, amounts: Amounts): boolean {
  const filled = cells.flatMap((cell, column) => (isFilled(cell) ? [{ cell, column }] : []))
  return filled.length === 1 && filled.every(({ cell, column }) => typeof cell === 'string' && !isAmount(amounts, column))
}
