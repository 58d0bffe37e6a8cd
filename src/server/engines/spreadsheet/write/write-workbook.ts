import { PassThrough, pipeline, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { escapeXml, STYLES_XML } from './cell-xml.ts'
import { renderSheet, type SheetData } from './sheet-xml.ts'

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const SHEET_NAME_CHARACTERS = 31
/** The fixed date makes the same rows the same file. Higher compression levels take three times as long to save a tenth. */
const ZIP_OPTIONS = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true, compressionLevel: 2 }

type Part = readonly [name: string, content: Iterable<string> | AsyncIterable<string>]

/**
 * An .xlsx workbook as a byte stream. Memory is constant: rows are pulled only as fast as the stream is read.
 * Text is never a formula. Text beyond 32,767 characters, the most a cell can hold, is cut.
 * Errors: the stream fails when a row source fails, and with an AppError (too_large) beyond 1,048,576 rows.
 */
export function writeWorkbook({ sheets }: { sheets: readonly SheetData[] }): Readable {
  const zip = new ZipFile()
  const output = new PassThrough()
  let current: Readable | undefined
  for (const [name, content] of workbookParts(sheets)) {
    zip.addReadStreamLazy(name, ZIP_OPTIONS, (start) => {
      current = Readable.from(content, { objectMode: false })
      current.once('error', (error) => output.destroy(error))
      start(null, current)
    })
  }
  zip.end()
  pipeline(zip.outputStream, output, () => current?.destroy())
  return output
}

function* workbookParts(sheets: readonly SheetData[]): Generator<Part> {
  const numbers = sheets.map((_, at) => at + 1)
  yield ['[Content_Types].xml', [contentTypes(numbers)]]
  yield ['_rels/.rels', [relationships([`Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"`])]]
  yield ['xl/workbook.xml', [workbookXml(sheets)]]
  yield [
    'xl/_rels/workbook.xml.rels',
    [
      relationships([
        ...numbers.map((number) => `Id="rId${number}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${number}.xml"`),
        `Id="rId${sheets.length + 1}" Type="${OFFICE}/styles" Target="styles.xml"`,
      ]),
    ],
  ]
  yield ['xl/styles.xml', [STYLES_XML]]
  for (const [at, sheet] of sheets.entries()) {
    const { content, relations } = renderSheet(sheet)
    yield [`xl/worksheets/sheet${at + 1}.xml`, content]
    yield [`xl/worksheets/_rels/sheet${at + 1}.xml.rels`, relations]
  }
}

const contentTypes = (numbers: readonly number[]) =>
  `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/>` +
  numbers.map((number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${TYPES}.worksheet+xml"/>`).join('') +
  '</Types>'

const relationships = (relations: readonly string[]) =>
  `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${relations.map((relation) => `<Relationship ${relation}/>`).join('')}</Relationships>`

function workbookXml(sheets: readonly SheetData[]): string {
  const names = sheetNames(sheets.map(({ name }) => name))
  const tabs = names.map((name, at) => `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')
  return `${DECLARATION}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}"><sheets>${tabs}</sheets></workbook>`
}

/** Names that Excel accepts: none of `[ ] : * ? / \`, no outer apostrophe, at most 31 characters, unique ignoring case. */
function sheetNames(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((name, at) => {
    const base =
      name
        .replace(/[[\]:*?/\\]/g, '-')
        .replace(/^'+|'+$/g, '')
        .trim()
        .slice(0, SHEET_NAME_CHARACTERS) || `Sheet${at + 1}`
    let unique = base
    for (let copy = 2; used.has(unique.toLowerCase()); copy++) unique = `${base.slice(0, SHEET_NAME_CHARACTERS - 5)} (${copy})`
    used.add(unique.toLowerCase())
    return unique
  })
}
