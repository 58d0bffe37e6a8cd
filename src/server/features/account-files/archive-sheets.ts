import { formatNumber, isoDateIn } from '#contract/format.ts'
import { propertyTitle } from '#contract/property-format.ts'
import type { SheetColumn, SheetValue } from '#server/engines/spreadsheet/write/cell-xml.ts'
import type { SheetData } from '#server/engines/spreadsheet/write/write-workbook.ts'
import type { PlacedFile } from './archive-layout.ts'
import { NOT_READABLE, propertyNames } from './archive-manifest.ts'
import { CATEGORY_LABELS } from './files.presenter.ts'
import { displayName } from './file-names.ts'
import type { FileContent, LinkedProperty } from './files.queries.ts'

const PROPERTIES_CHARACTERS = 2_000

/** A document of an archive; one that could not be read has no path. */
interface ListedFile {
  path?: string
  file: FileContent
  property?: LinkedProperty
}

interface DocumentColumn extends SheetColumn {
  value: (listed: ListedFile) => SheetValue
}

const link = (text: string, path: string | undefined): SheetValue => (path === undefined ? text : { text, href: path })

const CATEGORY_AND_DATE: readonly DocumentColumn[] = [
  { header: 'Category', width: 26, kind: 'text', value: ({ file }) => CATEGORY_LABELS[file.category] ?? file.category },
  { header: 'Report Date', width: 12, kind: 'date', value: ({ file }) => file.report_author_date },
]

const documentSheet = (columns: readonly DocumentColumn[], listed: readonly ListedFile[]): SheetData => ({
  name: 'Documents',
  frozenHeader: true,
  autoFilter: true,
  columns,
  rows: listed.map((one) => columns.map(({ value }) => value(one))),
})

/** A sheet with a link to every document of the archive, and the documents that could not be read. The days are those of the time zone. */
export const allDocuments = (placed: readonly PlacedFile[], skipped: readonly FileContent[], timezone: string): SheetData =>
  documentSheet(
    [
      { header: 'Path', width: 70, kind: 'link', value: ({ path }) => link(path ?? `Not in this archive: ${NOT_READABLE}`, path) },
      { header: 'Original File Name', width: 40, kind: 'text', value: ({ file }) => file.original_file_name },
      { header: 'Descriptive Name', width: 40, kind: 'text', value: ({ file }) => file.vanity_name },
      ...CATEGORY_AND_DATE,
      {
        header: 'Properties',
        width: 50,
        kind: 'text',
        value: ({ file }) => propertyNames(file).join('; ').slice(0, PROPERTIES_CHARACTERS),
      },
      { header: 'Uploaded', width: 12, kind: 'date', value: ({ file }) => isoDateIn(file.created_at, timezone) },
      { header: 'Size (bytes)', width: 14, kind: 'number', value: ({ file }) => file.size },
      { header: 'SHA-256', width: 70, kind: 'text', value: ({ file }) => file.sha256 ?? 'Not known' },
    ],
    [...placed, ...skipped.map((file) => ({ file }))],
  )

const inProperty = ({ file, property }: ListedFile): string =>
  property !== undefined
    ? propertyTitle(property)
    : file.covers_all_properties
      ? 'All properties'
      : `${formatNumber(file.properties.length)} properties`

/** A document with more properties has one row, so that a few documents do not fill the sheet. */
const PROPERTIES_LISTED_MAX = 1_000

/** A document outside the folders of properties has a row for each of its properties. */
const perProperty = (placed: PlacedFile): ListedFile[] => {
  const { covers_all_properties: coversAll, properties } = placed.file
  const isOne = placed.property !== undefined || coversAll || properties.length === 0 || properties.length > PROPERTIES_LISTED_MAX
  return isOne ? [placed] : properties.map((property) => ({ ...placed, property }))
}

/** A sheet with the documents of each property and links to them in the archive. */
export const linkedDocuments = (placed: readonly PlacedFile[]): SheetData =>
  documentSheet(
    [
      { header: 'Property', width: 26, kind: 'text', value: inProperty },
      { header: 'Document', width: 50, kind: 'link', value: ({ path, file }) => link(displayName(file), path) },
      ...CATEGORY_AND_DATE,
      { header: 'Path', width: 70, kind: 'text', value: ({ path }) => path },
    ],
    placed.flatMap(perProperty),
  )
