import { tooLarge } from '#server/kernel/errors.ts'
import { columnLetters } from '../sheet.ts'
import { cellXml, escapeXml, linkTarget, type SheetColumn, type SheetValue, textXml, totalStyleNumber } from './cell-xml.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const CHUNK_CHARACTERS = 65_536
const ROWS_MAX = 1_048_576
/** Excel reports a file with more hyperlinks as damaged. */
const LINKS_MAX = 65_530

export interface SheetData {
  name: string
  columns: readonly SheetColumn[]
  /** One value per column, in the order of `columns`. */
  rows: Iterable<readonly SheetValue[]> | AsyncIterable<readonly SheetValue[]>
  /** Label of a closing row with the sums of the columns marked `total`. */
  totals?: string
  frozenHeader?: boolean
  autoFilter?: boolean
}

interface SheetState {
  row: number
  letters: string[]
  sums: number[]
  links: { reference: string; target: string }[]
}

/** The two parts of a sheet: its XML, and the addresses of its links, which are complete once the XML has been read. */
export function renderSheet(sheet: SheetData): { content: AsyncGenerator<string>; relations: Generator<string> } {
  const state: SheetState = {
    row: 1,
    letters: sheet.columns.map((_, at) => columnLetters(at + 1)),
    sums: sheet.columns.map(() => 0),
    links: [],
  }
  return { content: renderContent(sheet, state), relations: renderRelations(state) }
}

async function* renderContent(sheet: SheetData, state: SheetState): AsyncGenerator<string> {
  yield renderHead(sheet)
  let chunk = ''
  for await (const values of sheet.rows) {
    chunk += renderRow(sheet, state, values)
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  const lastDataRow = state.row
  if (sheet.totals !== undefined) chunk += renderTotals(sheet, state, sheet.totals)
  yield `${chunk}</sheetData>${renderTail(sheet, state, lastDataRow)}</worksheet>`
}

function renderHead({ columns, frozenHeader }: SheetData): string {
  const pane = frozenHeader ? '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' : ''
  const widths = columns.map(({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`).join('')
  const headers = columns.map(({ header }, at) => textXml(header, 'header', `${columnLetters(at + 1)}1`)).join('')
  return (
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><worksheet xmlns="${MAIN}" xmlns:r="${RELATIONS}">` +
    `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>` +
    `<cols>${widths}</cols><sheetData><row r="1">${headers}</row>`
  )
}

function renderRow({ columns }: SheetData, state: SheetState, values: readonly SheetValue[]): string {
  const { letters } = state
  const row = ++state.row
  if (row >= ROWS_MAX) throw tooLarge('This list has more rows than a spreadsheet can hold. Narrow it with a filter and export it again.')
  let cells = ''
  for (const [at, column] of columns.entries()) {
    const value = values[at]
    const reference = `${letters[at] ?? ''}${row}`
    cells += cellXml(column, value, reference)
    if (typeof value === 'number' && Number.isFinite(value)) state.sums[at] = (state.sums[at] ?? 0) + value
    const target = typeof value === 'object' && value !== null ? linkTarget(value.href) : undefined
    if (target !== undefined && state.links.length < LINKS_MAX) state.links.push({ reference, target })
  }
  return `<row r="${row}">${cells}</row>`
}

/** The label is in the first column. Sums are formulas with their result, so that they follow when rows are edited. */
function renderTotals({ columns }: SheetData, state: SheetState, label: string): string {
  const last = state.row
  const row = ++state.row
  const cells = columns.map((column, at) => {
    const letters = columnLetters(at + 1)
    if (at === 0) return textXml(label, 'totalText', `${letters}${row}`)
    if (!column.total) return ''
    const formula = last > 1 ? `<f>SUM(${letters}2:${letters}${last})</f>` : ''
    return `<c r="${letters}${row}" s="${totalStyleNumber(column.kind)}">${formula}<v>${state.sums[at] ?? 0}</v></c>`
  })
  return `<row r="${row}">${cells.join('')}</row>`
}

function renderTail(sheet: SheetData, state: SheetState, lastDataRow: number): string {
  const filter = sheet.autoFilter ? `<autoFilter ref="A1:${columnLetters(sheet.columns.length)}${lastDataRow}"/>` : ''
  const links = state.links.map(({ reference }, at) => `<hyperlink ref="${reference}" r:id="rId${at + 1}"/>`).join('')
  const page =
    '<pageMargins left="0.5" right="0.5" top="0.5" bottom="0.5" header="0.3" footer="0.3"/><pageSetup orientation="landscape" fitToHeight="0"/>'
  return filter + (links ? `<hyperlinks>${links}</hyperlinks>` : '') + page
}

function* renderRelations(state: SheetState): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
  for (const [at, { target }] of state.links.entries()) {
    yield `<Relationship Id="rId${at + 1}" Type="${RELATIONS}/hyperlink" Target="${escapeXml(target)}" TargetMode="External"/>`
  }
  yield '</Relationships>'
}
