import { MANIFEST_PART } from '#contract/manifest.ts'
import { DECLARATION } from './xml.ts'

/** The relation of the manifest to the main part, which is in a folder of its own. */
export const manifestRelation = (id: string): string =>
  `Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/customXml" Target="../${MANIFEST_PART}"`

/** The content as JSON in one element. What XML cannot contain is escaped as JSON does, so that the text is JSON without decoding. */
export function manifestXml(content: object): string {
  const json = JSON.stringify(content, null, 2).replace(
    /[<>&\ufffe\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${DECLARATION}<manifest xmlns="urn:package-manifest:1">${json}</manifest>`
}
