import { directionOf, partsByDirection, type Direction } from './text-direction.ts'

export const WORDS = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
export const FOOTER_STYLE = 'Footer'

/** Names of STYLES. */
export type ParagraphStyle = 'Title' | 'Subtitle' | 'Heading2' | 'HeaderCell' | 'Cell' | 'Closing'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Escapes text for XML. Drops characters that XML 1.0 cannot hold. */
const escapeText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n]|[\ufffe\uffff]/gu, '')
    .replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign)

/**
 * A text in a style; a line break in the text begins a line. Lines of the same reading direction are one paragraph. An empty text is an
 * empty paragraph, which a cell needs.
 */
export function paragraph(text: string, style: ParagraphStyle): string {
  const groups: { direction: Direction; lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const direction = directionOf(line)
    const last = groups.at(-1)
    if (last?.direction === direction) last.lines.push(line)
    else groups.push({ direction, lines: [line] })
  }
  return groups
    .map(({ direction, lines }) => {
      const content = lines.map((line) => runs(line, direction)).join('<w:r><w:br/></w:r>')
      return `<w:p><w:pPr><w:pStyle w:val="${style}"/>${direction === 'rtl' ? '<w:bidi/>' : ''}</w:pPr>${content}</w:p>`
    })
    .join('')
}

/** The runs of a line in a paragraph with this direction. Word orders numbers and punctuation by the direction of their run. */
export const runs = (line: string, paragraphDirection: Direction): string =>
  partsByDirection(line, paragraphDirection)
    .map(({ text, direction }) => {
      const format = direction === 'rtl' ? '<w:rPr><w:rtl/></w:rPr>' : ''
      return `<w:r>${format}<w:t xml:space="preserve">${escapeText(text)}</w:t></w:r>`
    })
    .join('')

interface Style {
  /** In half points. */
  size: number
  bold?: true
  color?: string
  /** Space before and after, in twentieths of a point. */
  space: readonly [before: number, after: number]
  withNext?: true
  /** Level in the outline of the document, from 0. */
  outline?: number
}

const STYLES: Readonly<Record<ParagraphStyle | typeof FOOTER_STYLE, Style>> = {
  Title: { size: 36, bold: true, space: [0, 40], withNext: true, outline: 0 },
  Subtitle: { size: 22, color: '495057', space: [0, 80], withNext: true },
  Heading2: { size: 20, bold: true, space: [40, 40], withNext: true, outline: 1 },
  HeaderCell: { size: 18, bold: true, space: [40, 40], withNext: true },
  Cell: { size: 18, space: [30, 30] },
  Closing: { size: 20, bold: true, space: [160, 0] },
  Footer: { size: 16, color: '495057', space: [0, 0] },
}

function styleXml(name: string, { size, bold, color, space, withNext, outline }: Style): string {
  const level = outline === undefined ? '' : `<w:outlineLvl w:val="${outline}"/>`
  return (
    `<w:style w:type="paragraph" w:customStyle="${['HeaderCell', 'Cell', 'Closing'].includes(name) ? 1 : 0}" w:styleId="${name}"><w:name w:val="${name === 'Heading2' ? 'heading 2' : name}"/>` +
    `<w:basedOn w:val="Normal"/><w:pPr>${withNext ? '<w:keepNext/>' : ''}<w:spacing w:before="${space[0]}" w:after="${space[1]}"/>${level}</w:pPr>` +
    `<w:rPr>${bold ? '<w:b/><w:bCs/>' : ''}${color === undefined ? '' : `<w:color w:val="${color}"/>`}<w:sz w:val="${size}"/><w:szCs w:val="${size}"/></w:rPr></w:style>`
  )
}

const border = (side: string) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="CED4DA"/>`

export const STYLES_XML = [
  `<w:styles ${WORDS}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="Calibri" w:cs="Arial"/>`,
  '<w:lang w:val="en-US"/></w:rPr></w:rPrDefault></w:docDefaults>',
  '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>',
  '<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:tblPr><w:tblCellMar>',
  '<w:left w:w="100" w:type="dxa"/><w:right w:w="100" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style>',
  '<w:style w:type="table" w:customStyle="1" w:styleId="List"><w:name w:val="List"/><w:basedOn w:val="TableNormal"/><w:tblPr><w:tblBorders>',
  ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map(border).join(''),
  '</w:tblBorders></w:tblPr></w:style>',
  ...Object.entries(STYLES).map(([name, style]) => styleXml(name, style)),
  '</w:styles>',
].join('')
