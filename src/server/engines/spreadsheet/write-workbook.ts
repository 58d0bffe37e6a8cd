import { Readable } from 'node:stream'
import { escapeXml } from './write-cell.ts'
import type { WrittenSheet } from './write-shapes.ts'
import { renderSheet } from './write-sheet.ts'
import { STYLES_XML } from './write-styles.ts'
import { type ZipPart, zipParts } from './zip-write.ts'

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const SHEET_NAME_CHARACTERS = 31

/**
 * An .xlsx workbook as a byte stream, in constant memory: rows are pulled as the stream is read. Text is never a
 * formula. Text beyond 32,767 characters, the most a cell can hold, is cut; a failing row source fails the stream.
 */
export function writeWorkbook({ sheets }: { sheets: readonly WrittenSheet[] }): Readable {
  return Readable.from(zipParts(workbookParts(sheets)), { objectMode: false })
}

function* workbookParts(sheets: readonly WrittenSheet[]): Generator<ZipPart> {
  const numbers = sheets.map((_, at) => at + 1)
  yield { name: '[Content_Types].xml', content: [contentTypes(numbers)] }
  yield { name: '_rels/.rels', content: [relationships([`Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"`])] }
  yield { name: 'xl/workbook.xml', content: [workbookXml(sheets)] }
  yield {
    name: 'xl/_rels/workbook.xml.rels',
    content: [
      relationships([
        ...numbers.map((number) => `Id="rId${number}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${number}.xml"`),
        `Id="rId${sheets.length + 1}" Type="${OFFICE}/styles" Target="styles.xml"`,
      ]),
    ],
  }
  yield { name: 'xl/styles.xml', content: [STYLES_XML] }
  for (const [at, sheet] of sheets.entries()) {
    const { content, relations } = renderSheet(sheet)
    yield { name: `xl/worksheets/sheet${at + 1}.xml`, content }
    yield { name: `xl/worksheets/_rels/sheet${at + 1}.xml.rels`, content: relations }
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

function workbookXml(sheets: readonly WrittenSheet[]): string {
  const names = sheetNames(sheets.map(({ name }) => name))
  const tabs = names.map((name, at) => `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')
  return `${DECLARATION}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}"><sheets>${tabs}</sheets></workbook>`
}

/** Names as Excel allows them: none of `[ ] : * ? / \`, no outer apostrophe, 31 characters, each one once. */
function sheetNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name, at) => {
    const base =
      name
        .replace(/[[\]:*?/\\]/g, '-')
        .replace(/^'+|'+$/g, '')
        .trim()
        .slice(0, SHEET_NAME_CHARACTERS) || `Sheet${at + 1}`
    let unique = base
    for (let copy = 2; taken.has(unique.toLowerCase()); copy++) unique = `${base.slice(0, SHEET_NAME_CHARACTERS - 5)} (${copy})`
    taken.add(unique.toLowerCase())
    return unique
  })
}
