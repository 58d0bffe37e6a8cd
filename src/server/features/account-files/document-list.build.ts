import type { Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { DOCUMENT_LIST_PROPERTIES_SHOWN } from '#contract/limits.ts'
import { formatNumber, isoDateIn, plural } from '#contract/format.ts'
import { fullAddress } from '#contract/property-format.ts'
import type { FileProperties } from '#server/engines/office-files/property-parts.ts'
import { PAGE_WIDTH, writeDocument, type DocumentGroup } from '#server/engines/word/write-document.ts'
import { displayName } from './file-names.ts'
import type { FileContent, LinkedProperty } from './files.queries.ts'
import { byLocation, byText } from './property-order.ts'

type ListedFile = Pick<
  FileContent,
  'id' | 'original_file_name' | 'vanity_name' | 'report_author_date' | 'created_at' | 'covers_all_properties' | 'properties'
>

interface DocumentList {
  accountName: string
  files: readonly ListedFile[]
  generatedAt: Date
  timezone: string
}

export const COLUMNS = [
  { header: 'Original File Name', width: 3_800 },
  { header: 'Descriptive Name', width: 3_400 },
  { header: 'Report Date', width: 1_500 },
  { header: 'Assoc. Properties', width: 4_200 },
  { header: 'Upload Date', width: PAGE_WIDTH - 12_900 },
]
export const DOCUMENT_LIST_TITLE = 'Disclosed Document List'

interface ListFile {
  properties: FileProperties
  /** Takes what the list contains, without its date and id. */
  content: Hash
  manifest: object
}

/** The list of documents as a Word file, as bytes while it is read. */
export function documentList(
  { accountName, files, generatedAt, timezone }: DocumentList,
  { properties, content, manifest }: ListFile,
): Readable {
  const groups = documentGroups(files, timezone)
  content.update(JSON.stringify([accountName, groups]))
  return writeDocument({
    title: accountName,
    subtitles: [DOCUMENT_LIST_TITLE, `Generated ${monthFirst(isoDateIn(generatedAt, timezone))}`],
    columns: COLUMNS,
    groups,
    closing: plural(files.length, 'document'),
    footer: `${accountName} · ${DOCUMENT_LIST_TITLE}`,
    properties,
    manifest,
  })
}

/** The documents below the address of their first property, which is that with the lowest number; those of no property at the end. */
export function documentGroups(files: readonly ListedFile[], timezone: string): DocumentGroup[] {
  const entries = files
    .map((file) => ({ file, properties: file.covers_all_properties ? [] : file.properties.toSorted(byLocation) }))
    .sort((a, b) => byName(a.file, b.file))
  const linked = entries.filter(({ properties }) => properties.length > 0)
  const accountDocuments = entries.filter(({ properties }) => properties.length === 0)
  const byAddress = Map.groupBy(linked.toSorted(byFirstProperty), ({ properties: [first] }) => (first ? fullAddress(first) : ''))
  const groups = [...byAddress].map(([heading, members]) => ({ heading, members: members.toSorted((a, b) => byName(a.file, b.file)) }))
  if (accountDocuments.length > 0) groups.push({ heading: 'Account Documents', members: accountDocuments })
  return groups.map(({ heading, members }) => ({
    heading,
    rows: members.map(({ file, properties }) => [
      file.original_file_name,
      file.vanity_name ?? '',
      file.report_author_date === null ? '' : monthFirst(file.report_author_date),
      file.covers_all_properties ? 'All properties' : addresses(properties),
      monthFirst(isoDateIn(file.created_at, timezone)),
    ]),
  }))
}

interface Entry {
  file: ListedFile
  properties: LinkedProperty[]
}

const byFirstProperty = ({ properties: [a] }: Entry, { properties: [b] }: Entry): number => (a && b ? byLocation(a, b) : 0)

const byName = (a: ListedFile, b: ListedFile): number =>
  byText(displayName(a), displayName(b)) || byText(a.original_file_name, b.original_file_name) || (a.id < b.id ? -1 : 1)

/** One address in each line: buildings with the same address are one. */
function addresses(properties: readonly LinkedProperty[]): string {
  const all = [...new Set(properties.map((property) => fullAddress(property)))]
  const more = all.length - DOCUMENT_LIST_PROPERTIES_SHOWN
  return [...all.slice(0, DOCUMENT_LIST_PROPERTIES_SHOWN), ...(more > 0 ? [`and ${formatNumber(more)} more`] : [])].join('\n')
}

/** MM/DD/YYYY */
function monthFirst(iso: string): string {
  const [year, month, day] = iso.split('-')
  return `${month}/${day}/${year}`
}
