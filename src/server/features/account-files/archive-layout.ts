import { ARCHIVE_MULTI_PROPERTY_ABOVE } from '#contract/limits.ts'
import { DOCUMENT_CATEGORIES, type DocumentCategory } from '#contract/document-categories.ts'
import { downloadName, pathGiver, safePart } from './file-names.ts'
import type { FileRecord, LinkedProperty } from './files.queries.ts'

/** A document with the checksums that its entries in the archive and the manifest need. */
export type ArchivedFile = FileRecord & { crc32: number; sha256: string }

export interface PlacedFile {
  path: string
  file: ArchivedFile
  /** The property whose folder it is in. */
  property?: LinkedProperty
}

const ORDER = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const FALLBACK: DocumentCategory = DOCUMENT_CATEGORIES.other

const categoryOf = (file: ArchivedFile): DocumentCategory =>
  Object.entries(DOCUMENT_CATEGORIES).find(([code]) => code === file.category)?.[1] ?? FALLBACK

/** `01 Statement of values`: numbered, so that folders have the order of the categories. */
const categoryFolder = (file: ArchivedFile): string => {
  const { folder, label } = categoryOf(file)
  return `${String(folder).padStart(2, '0')} ${safePart(label)}`
}

/** `{location}-{building} - {name or street}, {city} {state}`: the location has three digits; building 1 is left out. */
function propertyFolder(property: LinkedProperty, order: number): string {
  const number = property.location_number ?? ''
  const loc = number === '' ? String(order).padStart(3, '0') : /^\d+$/.test(number) ? number.padStart(3, '0') : number
  const building = property.building_number === '1' ? '' : `-${property.building_number}`
  const place = [property.city, property.state].filter(Boolean).join(' ')
  return safePart(`${loc}${building} - ${[property.property_name ?? property.address, place].filter(Boolean).join(', ')}`)
}

/** A unique folder name for every property, by id. */
function propertyFolders(files: readonly ArchivedFile[]): Map<string, string> {
  const properties = new Map(files.flatMap((file) => file.properties.map((property) => [property.id, property] as const)))
  const sorted = [...properties.values()].sort(
    (a, b) =>
      ORDER.compare(a.location_number ?? '￿', b.location_number ?? '￿') ||
      ORDER.compare(a.building_number, b.building_number) ||
      ORDER.compare(a.address, b.address),
  )
  const give = pathGiver()
  return new Map(sorted.map((property, index) => [property.id, give('', propertyFolder(property, index + 1))]))
}

interface Folder {
  name: string
  property?: LinkedProperty
}

function foldersOf(file: ArchivedFile, propertyFolder: Map<string, string>): Folder[] {
  if (file.sov) return [{ name: '00 Submission Documents/' }]
  const isLinked = !file.covers_all_properties && file.properties.length > 0
  if (isLinked && file.properties.length > ARCHIVE_MULTI_PROPERTY_ABOVE) return [{ name: '02 Multi-Property Documents/' }]
  const active = file.properties.filter(({ status }) => status === 'active')
  // Divested properties have no folder, so documents of only those are with the account.
  if (!isLinked || active.length === 0) return [{ name: `01 Account Documents/${safePart(categoryOf(file).label)}/` }]
  return active.map((property) => ({
    name: `Properties/${propertyFolder.get(property.id) ?? property.id}/${categoryFolder(file)}/`,
    property,
  }))
}

/** The paths of all documents in the organized archive. A document of two to five properties has a copy in each of their folders. */
export function layOut(files: readonly ArchivedFile[]): PlacedFile[] {
  const folders = propertyFolders(files)
  const give = pathGiver()
  const ordered = files.toSorted(
    (a, b) => ORDER.compare(downloadName(a), downloadName(b)) || a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1),
  )
  const placed = ordered.flatMap((file) =>
    foldersOf(file, folders).map(({ name, ...of }) => ({ path: give(name, downloadName(file)), file, ...of })),
  )
  return placed.sort((a, b) => ORDER.compare(a.path, b.path))
}
