import type { Readable } from 'node:stream'
import { MANIFEST_PART } from '#contract/manifest.ts'
import { manifestRelation, manifestXml } from '../office-files/manifest-part.ts'
import { propertyParts, type FileProperties, type PropertyPart } from '../office-files/property-parts.ts'
import { DECLARATION } from '../office-files/xml.ts'
import { zipParts, type Part } from '../office-files/zip-parts.ts'
import { FOOTER_STYLE, STYLES_XML, WORDS, paragraph, runs, type ParagraphStyle } from './word-xml.ts'

interface DocumentColumn {
  header: string
  /** In twentieths of a point; those of all columns are `PAGE_WIDTH` together. */
  width: number
}

export interface DocumentGroup {
  heading: string
  /** One text per column. A line break begins a line of the cell. */
  rows: readonly (readonly string[])[]
}

export interface DocumentData {
  title: string
  /** Lines below the title. */
  subtitles: readonly string[]
  columns: readonly DocumentColumn[]
  groups: readonly DocumentGroup[]
  /** The line below the table. */
  closing: string
  /** The left side of the footer; the right side is "Page X of Y". */
  footer: string
  properties: FileProperties
  /** What the document lists, for programs. */
  manifest: object
}

/** Between the margins of a letter page in landscape, in twentieths of a point. */
export const PAGE_WIDTH = 14_400
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const CHUNK_CHARACTERS = 65_536

/**
 * A Word document (.docx) as a byte stream: title, one table in groups whose header repeats on each page, and page numbers; landscape.
 * The XML is rendered as fast as the stream is read, in pieces that do not delay other requests.
 */
export const writeDocument = (data: DocumentData): Readable => zipParts(documentParts(data))

function* documentParts(data: DocumentData): Generator<Part> {
  const described = propertyParts(data.properties)
  yield ['[Content_Types].xml', [contentTypes(described)]]
  const main = `<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/>`
  yield ['_rels/.rels', [relationships(main + described.map(({ relation }) => `<Relationship ${relation}/>`).join(''))]]
  for (const { name, xml } of described) yield [name, [xml]]
  yield ['word/_rels/document.xml.rels', [relationships(PARTS)]]
  yield ['word/styles.xml', [DECLARATION, STYLES_XML]]
  yield ['word/footer1.xml', [footerXml(data.footer)]]
  yield ['word/document.xml', documentXml(data)]
  yield [MANIFEST_PART, [manifestXml(data.manifest)]]
}

const contentTypes = (described: readonly PropertyPart[]) =>
  `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>' +
  described.map(({ name, type }) => `<Override PartName="/${name}" ContentType="${type}"/>`).join('') +
  `<Override PartName="/word/document.xml" ContentType="${TYPES}.document.main+xml"/>` +
  `<Override PartName="/word/styles.xml" ContentType="${TYPES}.styles+xml"/>` +
  `<Override PartName="/word/footer1.xml" ContentType="${TYPES}.footer+xml"/></Types>`

const PARTS =
  `<Relationship Id="rId1" Type="${OFFICE}/styles" Target="styles.xml"/>` +
  `<Relationship Id="rId2" Type="${OFFICE}/footer" Target="footer1.xml"/>` +
  `<Relationship ${manifestRelation('rId3')}/>`

const relationships = (content: string): string =>
  `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${content}</Relationships>`

const field = (name: string) => `<w:fldSimple w:instr=" ${name} "><w:r><w:t>1</w:t></w:r></w:fldSimple>`

const footerXml = (text: string) =>
  `${DECLARATION}<w:ftr ${WORDS}><w:p><w:pPr><w:pStyle w:val="${FOOTER_STYLE}"/><w:tabs><w:tab w:val="right" w:pos="${PAGE_WIDTH}"/></w:tabs></w:pPr>` +
  `${runs(text, 'ltr')}<w:r><w:tab/></w:r>${runs('Page ', 'ltr')}${field('PAGE')}${runs(' of ', 'ltr')}${field('NUMPAGES')}</w:p></w:ftr>`

function* documentXml({ title, subtitles, columns, groups, closing }: DocumentData): Generator<string> {
  const grid = columns.map(({ width }) => `<w:gridCol w:w="${width}"/>`).join('')
  let chunk =
    `${DECLARATION}<w:document ${WORDS} xmlns:r="${OFFICE}"><w:body>${paragraph(title, 'Title')}` +
    subtitles.map((line) => paragraph(line, 'Subtitle')).join('') +
    `<w:tbl><w:tblPr><w:tblStyle w:val="List"/><w:tblW w:w="${PAGE_WIDTH}" w:type="dxa"/><w:tblLayout w:type="fixed"/>` +
    `<w:tblLook w:firstRow="1"/></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${headerRow(columns)}`
  for (const { heading, rows } of groups) {
    chunk += groupRow(heading, columns.length)
    for (const row of rows) {
      chunk += rowXml(columns.map(({ width }, at) => cell(width, row[at] ?? '')))
      if (chunk.length < CHUNK_CHARACTERS) continue
      yield chunk
      chunk = ''
    }
  }
  yield `${chunk}</w:tbl>${paragraph(closing, 'Closing')}${SECTION}</w:body></w:document>`
}

/** Letter in landscape, half an inch of margin on all sides. */
const SECTION =
  '<w:sectPr><w:footerReference w:type="default" r:id="rId2"/><w:pgSz w:w="15840" w:h="12240" w:orient="landscape"/>' +
  '<w:pgMar w:top="720" w:right="720" w:bottom="720" w:left="720" w:header="360" w:footer="360" w:gutter="0"/></w:sectPr>'

/** A row is not divided between two pages. */
const rowXml = (cells: readonly string[], properties = '') => `<w:tr><w:trPr><w:cantSplit/>${properties}</w:trPr>${cells.join('')}</w:tr>`
const cell = (width: number, text: string, style: ParagraphStyle = 'Cell') =>
  `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/></w:tcPr>${paragraph(text, style)}</w:tc>`

const headerRow = (columns: readonly DocumentColumn[]) =>
  rowXml(
    columns.map(({ width, header }) => cell(width, header, 'HeaderCell')),
    '<w:tblHeader/>',
  )

/** Its style holds it on the page of the row that follows. */
const groupRow = (heading: string, columns: number) =>
  rowXml([
    `<w:tc><w:tcPr><w:tcW w:w="${PAGE_WIDTH}" w:type="dxa"/><w:gridSpan w:val="${columns}"/><w:shd w:val="clear" w:color="auto" w:fill="E9ECEF"/></w:tcPr>${paragraph(heading, 'Heading2')}</w:tc>`,
  ])
