import { IMPORT_MAX_COLUMNS } from '#contract/limits.ts'
import { CELL_MAX_CHARACTERS } from '#contract/reading-limits.ts'
import { evaluateFormula, moveFormula, type SharedFormula, createSheetNumbers, type SheetNumbers } from '../formula/evaluate-formula.ts'
import { areaOf, type Cell, columnOf, type Row, type SheetLayout } from '../sheet.ts'
import { type CellContext, type CellDraft, createTextCollector, makeCell, beginsCell, readPlainCell } from './cell-value.ts'
import { tooLongText, tooManyColumns } from './file-errors.ts'
import { IMPORT_LIMITS, type ReadLimits } from './read-limits.ts'
import { attribute, createXmlScanner, isTrue, type XmlScanner } from './xml-scanner.ts'

interface SheetScan {
  context: CellContext
  sheet: ScannedSheet
  limits: ReadLimits
  numbers: SheetNumbers
  shared: Map<string, SharedFormula>
  collector: ReturnType<typeof createTextCollector>
  row: Row
  cell: CellDraft
  /** The element whose text is being read. */
  inside: '' | 'v' | 'f' | 'is'
  sharedId: string | undefined
  pending: Cell[]
  /** For each cell of the row, whether its text is struck through; empty if the workbook has no such style. */
  struck: boolean[]
}

type ScannedSheet = { add(row: Row): void; layout: Pick<SheetLayout, 'merges' | 'hiddenColumns' | 'struckRows'> }

/** Scans the XML of one worksheet and adds its rows and merged cells to the sheet. `push` throws AppError beyond a limit of columns that rejects. */
export function createSheetScanner(context: CellContext, sheet: ScannedSheet, limits = IMPORT_LIMITS): XmlScanner {
  const scan: SheetScan = {
    context,
    sheet,
    limits,
    numbers: createSheetNumbers(),
    shared: new Map(),
    collector: createTextCollector(),
    row: { number: 0, hidden: false, cells: [] },
    cell: emptyDraft(0),
    inside: '',
    sharedId: undefined,
    pending: [],
    struck: [],
  }
  return createXmlScanner({
    open: (name, tag) => open(scan, name, tag),
    close: (name) => close(scan, name),
    text: (value) => addText(scan, value),
    readElement: (buffer, start) => readCell(scan, buffer, start),
  })
}

const emptyDraft = (column: number): CellDraft => ({
  column,
  type: '',
  style: -1,
  raw: '',
  inline: '',
  hasValue: false,
  formula: undefined,
})

function open(scan: SheetScan, name: string, tag: string): void {
  if (name === 'c') openCell(scan, tag)
  else if (name === 'v') {
    scan.inside = 'v'
    scan.cell.hasValue = true
  } else if (name === 'f') openFormula(scan, tag)
  else if (name === 'row') openRow(scan, tag)
  else if (name === 'is') scan.inside = 'is'
  else if (scan.inside === 'is') scan.collector.open(name)
  else if (name === 'mergeCell') addMerge(scan, tag)
  else if (name === 'col') addHiddenColumns(scan, tag)
}

function addMerge({ sheet }: SheetScan, tag: string): void {
  const area = areaOf(attribute(tag, 'ref') ?? '')
  if (area) sheet.layout.merges.push(area)
}

function addHiddenColumns({ sheet }: SheetScan, tag: string): void {
  if (!isTrue(attribute(tag, 'hidden'))) return
  const last = Math.min(Number(attribute(tag, 'max')), IMPORT_MAX_COLUMNS)
  for (let column = Number(attribute(tag, 'min')); column >= 1 && column <= last; column++) sheet.layout.hiddenColumns.push(column)
}

function readCell(scan: SheetScan, buffer: string, start: number): number {
  if (!beginsCell(buffer, start)) return -1
  const cell = emptyDraft(0)
  const end = readPlainCell(buffer, start, cell)
  if (end < 0) return -1
  scan.cell = cell
  closeCell(scan)
  return end
}

function openCell(scan: SheetScan, tag: string): void {
  const reference = attribute(tag, 'r')
  const cell = emptyDraft(reference === undefined ? scan.cell.column + 1 : columnOf(reference) || scan.cell.column + 1)
  cell.type = attribute(tag, 't') ?? ''
  const style = attribute(tag, 's')
  cell.style = style === undefined ? 0 : Number(style)
  scan.cell = cell
}

function openRow(scan: SheetScan, tag: string): void {
  const stated = Number(attribute(tag, 'r'))
  scan.row = {
    number: Number.isSafeInteger(stated) && stated > 0 ? stated : scan.row.number + 1,
    hidden: isTrue(attribute(tag, 'hidden')),
    cells: [],
  }
  scan.cell = emptyDraft(0)
}

function openFormula(scan: SheetScan, tag: string): void {
  scan.inside = 'f'
  scan.cell.formula = ''
  scan.sharedId = attribute(tag, 't') === 'shared' ? attribute(tag, 'si') : undefined
}

function addText(scan: SheetScan, value: string): void {
  if (scan.inside === 'v') scan.cell.raw += value
  else if (scan.inside === 'f') scan.cell.formula += value
  else if (scan.inside === 'is') scan.collector.text(value)
}

function close(scan: SheetScan, name: string): void {
  if (name === 'v' || name === 'f' || name === 'is') scan.inside = ''
  if (name === 'c') closeCell(scan)
  else if (name === 'f') closeFormula(scan)
  else if (name === 'row') closeRow(scan)
  else if (name === 'is') scan.cell.inline = scan.collector.take()
  else if (scan.inside === 'is') scan.collector.close(name)
}

function closeFormula(scan: SheetScan): void {
  const { cell, sharedId } = scan
  if (sharedId === undefined) return
  const master = scan.shared.get(sharedId)
  if (cell.formula) scan.shared.set(sharedId, { formula: cell.formula, row: scan.row.number, column: cell.column })
  else if (master) cell.formula = moveFormula(master, scan.row.number, cell.column)
}

function closeCell(scan: SheetScan): void {
  const cell = makeCell(scan.context, scan.cell)
  if (!cell) return
  if (cell.column > scan.limits.columns) return leaveOut(scan, cell)
  if (cell.text.length > CELL_MAX_CHARACTERS) throw tooLongText(cell.column, scan.row.number)
  if (scan.row.cells.length === 0) scan.numbers.startRow(scan.row.number)
  scan.row.cells.push(cell)
  if (scan.context.struck.size > 0) scan.struck.push(scan.context.struck.has(scan.cell.style))
  scan.numbers.store(cell)
  if (cell.kind === 'formula' && cell.value === null) scan.pending.push(cell)
}

function leaveOut({ limits, row, numbers }: SheetScan, cell: Cell): void {
  if (limits.beyond === 'rejected') throw tooManyColumns(cell.column, row.number)
  row.isCut = true
  // Formulas that refer to it have no result.
  numbers.store(cell)
}

/** Only the first cells of a row may be formatted, and a single one may be a correction. */
const STRUCK_CELLS_MIN = 3

const isStruck = (cells: readonly boolean[]): boolean =>
  cells.includes(true) && (cells.slice(0, STRUCK_CELLS_MIN).every(Boolean) || cells.filter(Boolean).length * 2 > cells.length)

function closeRow(scan: SheetScan): void {
  if (scan.pending.length > 0) computePending(scan)
  if (isStruck(scan.struck)) scan.sheet.layout.struckRows.push(scan.row.number)
  scan.struck = []
  scan.sheet.add(scan.row)
}

/** Formulas of one row may refer to each other in any order, so this repeats until no further formula has a result. */
function computePending(scan: SheetScan): void {
  let waiting = scan.pending
  scan.pending = []
  for (let before = waiting.length + 1; waiting.length < before;) {
    before = waiting.length
    waiting = waiting.filter((cell) => !compute(scan, cell))
  }
}

function compute(scan: SheetScan, cell: Cell): boolean {
  const value = evaluateFormula(cell.formula ?? '', scan.numbers.getCell)
  if (value === undefined) return false
  cell.value = value
  cell.text = String(value)
  cell.computed = true
  scan.numbers.store(cell)
  return true
}
