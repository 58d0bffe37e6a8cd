import type { RowKind } from '#contract/import-rows.ts'
import { factorOf, hasCurrency, splitMultiple, withoutCurrency } from './amount-notation.ts'
import { cellText, isFilled, parseNumber, type Cell, type SheetRow } from './cells.ts'
import { normalizeHeader, scoreHeader } from './headers.ts'
import { isValue } from './shared-words.ts'
import { headerReader } from './other-headers.ts'
import { isUnitsRow } from './units-row.ts'

/** At the start only and as a whole word: `Grand Prairie` and `Rio Grande Blvd` are places. */
const TOTAL_WORD = /^\W*(grand total|(sub|sous)-?\s?totals?|total(s|es)?|totaux|sum|somme|suma)\b/i
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
  const classifiers = new Map(sheets.map(({ index, headerRow }) => [index, rowClassifier(headerRow, labels)]))
  const lastLocations = new Map<number, number>()
  const others: { number: number; sheet: number; sheetRow: number; kind: RowKind }[] = []
  for await (const batch of batches) {
    for (const row of batch) {
      const { number, sheet, sheetRow } = row
      const kind = classifiers.get(sheet)?.({ ...row, number: sheetRow })
      if (kind === 'data' || kind === 'other') {
        lastLocations.set(sheet, sheetRow)
        if (kind === 'data') onLocation(row.cells)
      } else if (kind) others.push({ number, sheet, sheetRow, kind })
      await pause()
    }
  }
  return others.map(({ number, sheet, sheetRow, kind }) => ({
    row: number,
    kind: finalKind(kind, sheetRow, lastLocations.get(sheet) ?? 0),
  }))
}

/** The kind of every row of one sheet, in order. */
export function classifyRows(rows: readonly SheetRow[], headerRow: number, labels: readonly string[]): RowKind[] {
  const kinds = rows.map(rowClassifier(headerRow, labels)).map((kind) => (kind === 'other' ? 'data' : kind))
  const lastLocation = rows[kinds.lastIndexOf('data')]?.number ?? 0
  return kinds.map((kind, index) => finalKind(kind, rows[index]?.number ?? 0, lastLocation))
}

/** A single text below the last location is a note, not the title of a section. */
const finalKind = (kind: RowKind, row: number, lastLocation: number): RowKind => (kind === 'section' && row > lastLocation ? 'note' : kind)

/** By column, if texts are written the American and the European way. */
interface Amounts {
  american: (number | undefined)[]
  european: (number | undefined)[]
}

/** The amounts of each column, added up. */
interface Sums extends Amounts {
  rows: number
}
const emptySums = (): Sums => ({ rows: 0, american: [], european: [] })

/** Classifies the rows of one sheet in order. Totals are recognized by running sums. */
function rowClassifier(headerRow: number, labels: readonly string[]): (row: SheetRow) => Kind {
  const readHeader = headerReader(headerRow, labels)
  const columns = labels.filter((label) => label !== '').length
  const all = emptySums()
  let section = emptySums()
  let isBelowOther = false
  return (row) => {
    if (!row.cells.some(isFilled)) return 'blank'
    const header = readHeader(row)
    if (row.number < headerRow) return isTotalAbove(row, labels) ? 'total' : 'title'
    if (header) {
      isBelowOther = header === 'header' && row.number > headerRow
      section = emptySums()
      return header
    }
    if (all.rows === 0 && isUnitsRow(row)) return 'note'
    const amounts = amountsOf(row)
    const total = totalKind(row, amounts, section, all)
    if (total) {
      section = emptySums()
      return isBelowOther ? 'subtotal' : total
    }
    if (columns >= SECTION_COLUMNS_MIN && isSingleText(row, amounts)) return isNote(cellText(row.cells.find(isFilled))) ? 'note' : 'section'
    addTo(section, amounts)
    addTo(all, amounts)
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
  const namesValue = (text = '') => scoreHeader(normalizeHeader(text)).some(({ target, score }) => score >= 0.9 && isValue(target))
  const amountIn = (column: number) => amounts.american[column] ?? amounts.european[column] ?? 0
  return row.cells.some((cell, column) => amountIn(column) >= TOTAL_MIN && !YEAR.test(cellText(cell)) && namesValue(labels[column]))
}

const isNote = (text: string): boolean => /^[*†‡]|^\(?notes?\b/i.test(text) || text.length > NOTE_CHARACTERS

function totalKind(row: SheetRow, amounts: Amounts, section: Sums, all: Sums): 'subtotal' | 'total' | undefined {
  const texts = row.cells.filter((cell, column): cell is string => typeof cell === 'string' && isFilled(cell) && !isAmount(amounts, column))
  const label = texts[0] ?? ''
  const hasWord = TOTAL_WORD.test(label)
  if (!hasWord && texts.length > 1) return undefined
  const ofAll = matchingSums(amounts, all)
  const ofSection = matchingSums(amounts, section)
  const matches = Math.max(ofAll, ofSection)
  if (hasWord ? matches === 0 && texts.length > 1 : matches < 2) return undefined
  if (/^\W*(sub|sous)/i.test(label)) return 'subtotal'
  return /^\W*(grand|total g[eé]n[eé]ral)/i.test(label) || ofAll >= ofSection ? 'total' : 'subtotal'
}

/** The number of columns in which the row equals the sum of at least two rows above. */
function matchingSums({ american, european }: Amounts, sums: Sums): number {
  if (sums.rows < 2) return 0
  const isSum = (amount: number | undefined, sum = 0) =>
    amount !== undefined && sum !== 0 && Math.abs(amount - sum) <= 0.5 + Math.abs(sum) * 1e-9
  return american.filter((amount, column) => isSum(amount, sums.american[column]) || isSum(european[column], sums.european[column])).length
}

function addTo(sums: Sums, { american, european }: Amounts): void {
  sums.rows += 1
  addAmounts(sums.american, american)
  addAmounts(sums.european, european)
}

function addAmounts(sums: Amounts['american'], amounts: Amounts['american']): void {
  amounts.forEach((amount, column) => {
    if (amount !== undefined) sums[column] = (sums[column] ?? 0) + amount
  })
}

function amountsOf({ cells }: SheetRow): Amounts {
  // Without its currency once for both, since this is done for every cell of a file.
  const bare = cells.map((cell) => (typeof cell === 'string' && /\d/.test(cell) ? bareAmount(cell) : cell))
  const amounts = (european: boolean) =>
    bare.map((cell) => {
      if (typeof cell !== 'object' || cell === null || !('multiple' in cell)) return typeof cell === 'number' ? cell : undefined
      const number = parseNumber(cell.number, european)
      return number === undefined ? undefined : number * cell.multiple
    })
  return { american: amounts(false), european: amounts(true) }
}

/** A multiple counts next to a currency only, since `5B` may be the number of a building. */
function bareAmount(cell: string): { number: string; multiple: number } {
  const text = withoutCurrency(cell)
  return /[a-z.]$/i.test(text) && hasCurrency(cell) ? splitMultiple(text) : { number: text, multiple: 1 }
}

const isAmount = ({ american, european }: Amounts, column: number): boolean => (american[column] ?? european[column]) !== undefined

function isSingleText({ cells }: SheetRow, amounts: Amounts): boolean {
  const filled = cells.flatMap((cell, column) => (isFilled(cell) ? [{ cell, column }] : []))
  return filled.length === 1 && filled.every(({ cell, column }) => typeof cell === 'string' && !isAmount(amounts, column))
}
