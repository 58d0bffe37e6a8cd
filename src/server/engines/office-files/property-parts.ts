import { DECLARATION, escapeXml } from './xml.ts'

const PACKAGE = 'application/vnd.openxmlformats'
const RELATION = 'http://schemas.openxmlformats.org'
const OFFICE = `${RELATION}/officeDocument/2006`
/** The set of properties that users can name, and the number of the first one, by ECMA-376, part 2. */
const CUSTOM_SET = '{D5CDD505-2E9C-101B-9397-08002B2CF9AE}'
const FIRST_NUMBER = 2

/** What File > Info shows. */
export interface FileProperties {
  title: string
  creator: string
  createdAt: Date
  custom: readonly (readonly [name: string, text: string])[]
}

export interface PropertyPart {
  name: string
  type: string
  relation: string
  xml: string
}

export const propertyParts = (properties: FileProperties): PropertyPart[] => [
  {
    name: 'docProps/core.xml',
    type: `${PACKAGE}-package.core-properties+xml`,
    relation: `Id="rId2" Type="${RELATION}/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"`,
    xml: coreXml(properties),
  },
  {
    name: 'docProps/custom.xml',
    type: `${PACKAGE}-officedocument.custom-properties+xml`,
    relation: `Id="rId3" Type="${OFFICE}/relationships/custom-properties" Target="docProps/custom.xml"`,
    xml: customXml(properties),
  },
]

function coreXml({ title, creator, createdAt }: FileProperties): string {
  const at = `${createdAt.toISOString().slice(0, 19)}Z`
  return (
    `${DECLARATION}<cp:coreProperties xmlns:cp="${RELATION}/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
    'xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    `<dc:title>${escapeXml(title)}</dc:title><dc:creator>${escapeXml(creator)}</dc:creator>` +
    `<dcterms:created xsi:type="dcterms:W3CDTF">${at}</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">${at}</dcterms:modified>` +
    '</cp:coreProperties>'
  )
}

function customXml({ custom }: FileProperties): string {
  const rows = custom.map(
    ([name, text], at) =>
      `<property fmtid="${CUSTOM_SET}" pid="${at + FIRST_NUMBER}" name="${escapeXml(name)}"><vt:lpwstr>${escapeXml(text)}</vt:lpwstr></property>`,
  )
  return `${DECLARATION}<Properties xmlns="${OFFICE}/custom-properties" xmlns:vt="${OFFICE}/docPropsVTypes">${rows.join('')}</Properties>`
}
