import type { RowKind } from '#contract/import-rows.ts'
import { factorOf } from './amount-notation.ts'
import { cellText, isFilled, isYear, type Cell, type SheetRow } from './cells.ts'
import { columnRole } from './column-roles.ts'
import { isHeaderOfValue } from './headers.ts'
import { headerReader } from './other-headers.ts'
import { partialSums } from './partial-sums.ts'
import { amountsOf, isAmount, type Amounts, type RowAmounts } from './row-amounts.ts'
import { addTo, emptySums, matchingColumns, subtract } from './sums.ts'
import { isNamedTotal, totalKind, type Doubt } from './total-row.ts'
import { TOTAL_WORD, isAnswer, isRecapTitle } from './total-words.ts'
import { isUnitsRow } from './units-row.ts'

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
 * Totals and sections belong to their own sheet. `onLocation` receives the cells of each location, except of those below another header,
 * `onDoubt` the number of each location that may be a total.
 */
export async function classifySchedule(
  batches: AsyncIterable<readonly ScheduleRow[]>,
  sheets: readonly { index: number; headerRow: number }[],
  labels: readonly string[],
  onLocation: (cells: readonly Cell[]) => void,
  pause: () => Promise<void>,
  onDoubt: (row: number, doubt: Doubt) => void = () => {},
): Promise<{ row: number; kind: RowKind }[]> {
  const others: { number: number; sheet: number; sheetRow: number; kind: RowKind }[] = []
  const offsets = new Map<number, number>()
  const doubts = new Map<number, { doubt: Doubt; isDismissed: (() => boolean) | undefined }>()
  const classifiers = new Map(
    sheets.map(({ index, headerRow }) => {
      const onSum = (sheetRow: number) =>
        others.push({ number: (offsets.get(index) ?? 0) + sheetRow, sheet: index, sheetRow, kind: 'subtotal' })
      const addDoubt: OnDoubt = (sheetRow, doubt, isDismissed) => doubts.set((offsets.get(index) ?? 0) + sheetRow, { doubt, isDismissed })
      return [index, rowClassifier(headerRow, labels, onSum, addDoubt)]
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
  // A row may turn out to be the sum of those below it.
  for (const { number } of others) doubts.delete(number)
  for (const [row, { doubt, isDismissed }] of doubts) if (!isDismissed?.()) onDoubt(row, doubt)
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

/** `isDismissed` says after the last row whether the row is a location after all. */
type OnDoubt = (row: number, doubt: Doubt, isDismissed: (() => boolean) | undefined) => void

/**
 * Classifies the rows of one sheet in order. Totals are recognized by running sums.
 * @param onSum called with an earlier location that turns out to be the sum of the locations below it
 * @param onDoubt called with a location that may be a total
 */
function rowClassifier(
  headerRow: number,
  labels: readonly string[],
  onSum: (row: number) => void,
  onDoubt: OnDoubt = () => {},
): (row: SheetRow) => Kind {
  const readHeader = headerReader(headerRow, labels)
  const columns = labels.filter((label) => label !== '').length
  const roles = labels.map(columnRole)
  const all = emptySums()
  let section = emptySums()
  let sectionStart = 0
  const partial = partialSums(roles)
  const startSection = (row: SheetRow) => {
    section = emptySums()
    sectionStart = row.number
  }
  let isBelowOther = false
  let isTotaled = false
  let isRecap = false
  const answers = new Set<number>()
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
    const written = writtenAmounts(row, amounts)
    const total = totalKind({ row, amounts, written, filled }, { section, all, partial, roles, isTotaled })
    if (total === 'doubtful' || total === 'likely') onDoubt(row.number, total, undefined)
    else if (total === 'note') return total
    else if (total) {
      startSection(row)
      isTotaled ||= total === 'total' && matchingColumns(amounts, all, roles).length > 0
      return isBelowOther ? 'subtotal' : total
    }
    const title = columns >= SECTION_COLUMNS_MIN ? singleText(row, amounts) : undefined
    if (title !== undefined) isRecap = isRecapTitle(title)
    if (title !== undefined) return isNote(title) ? 'note' : 'section'
    addAnswers(answers, row)
    const named = isRecap || isNamedTotal({ row, written }, { partial, roles }, labels)
    if (!total && named !== false) onDoubt(row.number, 'likely', haveAnswers(named, answers))
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

/** Adds the columns in which a row answers a question. */
function addAnswers(answers: Set<number>, { cells }: SheetRow): void {
  for (const [column, cell] of cells.entries()) if (typeof cell === 'string' && isAnswer(cell)) answers.add(column)
}

/** Whether all of some columns have answers, which is known after the last row. */
const haveAnswers = (columns: boolean | readonly number[], answers: ReadonlySet<number>): (() => boolean) | undefined =>
  typeof columns === 'boolean' ? undefined : () => columns.every((column) => answers.has(column))

/** In either notation: in one column all amounts have the same. */
const writtenAmounts = ({ cells }: SheetRow, { american, european }: Amounts): RowAmounts =>
  cells.map((_, column) => american[column] ?? european[column])

/** Smaller numbers above the header are counts. */
const TOTAL_MIN = 1_000

/** Whether a row above the header states totals: after a word for it, it only has amounts, some of them in columns with values. */
function isTotalAbove(row: SheetRow, labels: readonly string[]): boolean {
  const amounts = amountsOf(row)
  const [label = '', ...others] = row.cells.filter((cell, column) => isFilled(cell) && !isAmount(amounts, column)).map(cellText)
  if (!TOTAL_WORD.test(label) || others.length > 0 || factorOf(label) > 1) return false
  const amountIn = (column: number) => amounts.american[column] ?? amounts.european[column] ?? 0
  return row.cells.some((cell, column) => amountIn(column) >= TOTAL_MIN && !isYear(cellText(cell)) && isHeaderOfValue(labels[column] ?? ''))
}

const isNote = (text: string): boolean => /^[*†‡]|^\(?notes?\b/i.test(text) || text.length > NOTE_CHARACTERS

/** The text of a row that contains nothing else. */
function singleText({ cells }: SheetRow, amounts: Amounts): string | undefined {
  const [only, ...others] = cells.flatMap((cell, column) => (isFilled(cell) ? [{ cell, column }] : []))
  return others.length === 0 && typeof only?.cell === 'string' && !isAmount(amounts, only.column) ? cellText(only.cell) : undefined
}
