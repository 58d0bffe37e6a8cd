import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { tooLarge } from '#server/kernel/errors.ts'
import { RowRenderer, STYLES_XML, linkTarget, type SheetColumn, type SheetValue, textXml } from './cell-xml.ts'
import { pagesAcross, printedTitles } from './printed-pages.ts'
import { sheetNames } from './sheet-names.ts'
import { SheetTotals } from './sheet-totals.ts'
import { columnLetters } from '../sheet.ts'
import { MANIFEST_PART } from '#contract/manifest.ts'
import { manifestRelation, manifestXml } from '#server/engines/office-files/manifest-part.ts'
import { propertyParts, type FileProperties, type PropertyPart } from '#server/engines/office-files/property-parts.ts'
import { zipParts, type Part } from '#server/engines/office-files/zip-parts.ts'
import { DECLARATION, escapeXml } from '#server/engines/office-files/xml.ts'

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/**
 * An .xlsx workbook as a byte stream. Memory is constant: rows are pulled only as fast as the stream is read.
 * Text is never a formula. Text beyond 32,767 characters, the most a cell can hold, is cut.
 * Errors: the stream fails when a row source fails, and with an AppError (too_large) beyond 1,048,576 rows.
 */
export function writeWorkbook(workbook: Workbook): Readable {
  return zipParts(workbookParts(workbook))
}

export interface Workbook {
  sheets: readonly SheetData[]
  properties?: FileProperties
  /** What the workbook lists, for programs; read when all sheets are written. */
  manifest?: (sheets: readonly WrittenSheet[]) => object
}

interface WrittenSheet {
  name: string
  /** Without the header and totals. */
  rows: number
  /** Of the XML of the sheet, which is a part of the file. */
  sha256: string
}

function* workbookParts({ sheets, properties, manifest }: Workbook): Generator<Part> {
  const described = properties === undefined ? [] : propertyParts(properties)
  const names = sheetNames(sheets.map(({ name }) => name))
  const numbers = sheets.map((_, at) => at + 1)
  const worksheets = numbers.map((number) => `Id="rId${number}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${number}.xml"`)
  const styles = `Id="rId${sheets.length + 1}" Type="${OFFICE}/styles" Target="styles.xml"`
  yield ['[Content_Types].xml', [contentTypes(numbers, described)]]
  yield [
    '_rels/.rels',
    relationships([`Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"`, ...described.map(({ relation }) => relation)]),
  ]
  for (const { name, xml } of described) yield [name, [xml]]
  yield ['xl/workbook.xml', [workbookXml(sheets, names)]]
  yield [
    'xl/_rels/workbook.xml.rels',
    relationships([...worksheets, styles, ...(manifest === undefined ? [] : [manifestRelation(`rId${sheets.length + 2}`)])]),
  ]
  yield ['xl/styles.xml', [DECLARATION, STYLES_XML]]
  const written: WrittenSheet[] = []
  for (const [at, sheet] of sheets.entries()) {
    // Only a manifest needs it.
    const hash = manifest && createHash('sha256')
    const letters = sheet.columns.map((_, at) => columnLetters(at + 1))
    const linked = sheet.columns.flatMap(({ kind }, at) => (kind === 'link' ? [at] : []))
    const state: SheetState = { row: 1, dataRows: 0, letters, linked, totals: new SheetTotals(sheet, letters), links: [] }
    yield [`xl/worksheets/sheet${at + 1}.xml`, renderContent(sheet, state), hash]
    yield [`xl/worksheets/_rels/sheet${at + 1}.xml.rels`, relationships(linkRelations(state))]
    if (hash) written.push({ name: names[at] ?? '', rows: state.dataRows, sha256: hash.digest('hex') })
  }
  if (manifest !== undefined) yield [MANIFEST_PART, [manifestXml(manifest(written))]]
}

const contentTypes = (numbers: readonly number[], described: readonly PropertyPart[]) =>
  `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/>` +
  described.map(({ name, type }) => `<Override PartName="/${name}" ContentType="${type}"/>`).join('') +
  numbers.map((number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${TYPES}.worksheet+xml"/>`).join('') +
  '</Types>'

function* relationships(relations: Iterable<string>): Generator<string> {
  yield `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">`
  for (const relation of relations) yield `<Relationship ${relation}/>`
  yield '</Relationships>'
}

function workbookXml(sheets: readonly SheetData[], names: readonly string[]): string {
  const tabs = names.map((name, at) => `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')
  const titles = sheets.map((sheet, at) => {
    const range = printedTitles(sheet, `'${names[at]?.replaceAll("'", "''")}'`)
    return `<definedName name="_xlnm.Print_Titles" localSheetId="${at}">${escapeXml(range)}</definedName>`
  })
  return (
    `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${tabs}</sheets>` +
    `<definedNames>${titles.join('')}</definedNames></workbook>`
  )
}

/** A text that was put together is copied when it is encoded: twice as fast while it fits into the caches of the processor. */
const CHUNK_CHARACTERS = 16_384
const ROWS_MAX = 1_048_576
/** Excel reports a file with more hyperlinks as damaged. */
const LINKS_MAX = 65_530

/** One value per column, in the order of `columns`. What is read meanwhile comes in batches: to wait for each row takes longer than to write it. */
export type SheetRows = Iterable<readonly SheetValue[]> | AsyncIterable<Iterable<readonly SheetValue[]>>

export interface SheetData {
  name: string
  columns: readonly SheetColumn[]
  rows: SheetRows
  /** Label of a closing row with the sums of the columns marked `total`. */
  totals?: string
  /** The position of a column; with different texts in it, such as currencies, each of them gets a closing row of its own. */
  totalsBy?: number
  frozenHeader?: boolean
  autoFilter?: boolean
}

interface SheetState {
  row: number
  /** Known once the rows have been read. */
  dataRows: number
  letters: string[]
  /** Positions of the columns with links. */
  linked: readonly number[]
  totals: SheetTotals
  /** Complete once the XML of the sheet has been read. */
  links: { reference: string; target: string }[]
}

async function* renderContent(sheet: SheetData, state: SheetState): AsyncGenerator<string> {
  yield renderHead(sheet, state)
  let chunk = ''
  const renderer = new RowRenderer(sheet.columns, state.letters)
  for await (const batch of inBatches(sheet.rows)) {
    for (const values of batch) {
      chunk += renderRow(state, renderer, values)
      if (chunk.length < CHUNK_CHARACTERS) continue
      yield chunk
      chunk = ''
    }
  }
  const lastDataRow = state.row
  state.dataRows = lastDataRow - 1
  if (sheet.totals !== undefined) chunk += state.totals.render(sheet.totals, lastDataRow)
  yield `${chunk}</sheetData>${renderTail(sheet, state, lastDataRow)}</worksheet>`
}

export const inBatches = (rows: SheetRows) => (Symbol.asyncIterator in rows ? rows : [rows])

function renderHead({ columns, frozenHeader }: SheetData, { letters }: SheetState): string {
  const pane = frozenHeader ? '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' : ''
  const widths = columns.map(({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`).join('')
  const headers = columns.map(({ header }, at) => textXml(header, 'header', `${letters[at]}1`)).join('')
  return (
    `${DECLARATION}<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>` +
    `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>` +
    `<cols>${widths}</cols><sheetData><row r="1">${headers}</row>`
  )
}

function renderRow(state: SheetState, renderer: RowRenderer, values: readonly SheetValue[]): string {
  const row = ++state.row
  if (row >= ROWS_MAX) throw tooLarge('This list has more rows than a spreadsheet can hold. Narrow it with a filter and export it again.')
  state.totals.add(values)
  for (const at of state.linked) {
    const value = values[at]
    const target = typeof value === 'object' && value !== null ? linkTarget(value.href) : undefined
    if (target !== undefined && state.links.length < LINKS_MAX) state.links.push({ reference: `${state.letters[at]}${row}`, target })
  }
  return renderer.render(values, row)
}

function renderTail(sheet: SheetData, state: SheetState, lastDataRow: number): string {
  const filter = sheet.autoFilter ? `<autoFilter ref="A1:${state.letters.at(-1)}${lastDataRow}"/>` : ''
  const links = state.links.map(({ reference }, at) => `<hyperlink ref="${reference}" r:id="rId${at + 1}"/>`).join('')
  const page =
    '<pageMargins left="0.5" right="0.5" top="0.5" bottom="0.5" header="0.3" footer="0.3"/>' +
    `<pageSetup orientation="landscape" fitToWidth="${pagesAcross(sheet)}" fitToHeight="0"/>`
  return filter + (links ? `<hyperlinks>${links}</hyperlinks>` : '') + page
}

function* linkRelations({ links }: SheetState): Generator<string> {
  for (const [at, { target }] of links.entries())
    yield `Id="rId${at + 1}" Type="${OFFICE}/hyperlink" Target="${escapeXml(target)}" TargetMode="External"`
}
