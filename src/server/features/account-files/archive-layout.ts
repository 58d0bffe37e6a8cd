import { ARCHIVE_MULTI_PROPERTY_ABOVE } from '#contract/limits.ts'
import { DOCUMENT_CATEGORIES, type DocumentCategory } from '#contract/document-categories.ts'
import { pathGiver, safePart } from './archive-names.ts'

/** What an archive knows of a document. */
export interface ArchivedFile {
  id: string
  storage_key: string
  size: number
  crc32: number
  original_file_name: string
  vanity_name: string | null
  category: string
  sov: boolean
  covers_all_properties: boolean
  report_author_date: string | null
  created_at: Date
  properties: ArchivedProperty[]
}

export interface ArchivedProperty {
  id: string
  status: string
  location_number: string | null
  building_number: string
  property_name: string | null
  address: string
  city: string
  state: string | null
}

export interface Placed {
  path: string
  file: ArchivedFile
}

const ORDER = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const FALLBACK: DocumentCategory = DOCUMENT_CATEGORIES.other

const categoryOf = (file: ArchivedFile): DocumentCategory =>
  Object.entries(DOCUMENT_CATEGORIES).find(([code]) => code === file.category)?.[1] ?? FALLBACK

/** `01 Statement of values` and so on: folders sort like the list of categories. */
const categoryFolder = (file: ArchivedFile): string => {
  const { folder, label } = categoryOf(file)
  return `${String(folder).padStart(2, '0')} ${safePart(label)}`
}

/** `{loc} - {name or street}, {city} {ST}`: the number padded to three, with `-{building}` where it is not 1. */
function propertyFolder(property: ArchivedProperty, order: number): string {
  const number = property.location_number ?? ''
  const loc = number === '' ? String(order).padStart(3, '0') : /^\d+$/.test(number) ? number.padStart(3, '0') : number
  const building = property.building_number === '1' ? '' : `-${property.building_number}`
  const place = [property.city, property.state].filter(Boolean).join(' ')
  return safePart(`${loc}${building} - ${[property.property_name ?? property.address, place].filter(Boolean).join(', ')}`)
}

/** Every property of the archive with its folder name, in the order of the property list; equal names are told apart. */
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

/** Descriptive name with the original ending, else the original name (domain section 15). */
export function archivedName(file: Pick<ArchivedFile, 'vanity_name' | 'original_file_name'>): string {
  if (file.vanity_name === null) return file.original_file_name
  const ending = /\.[^.]{1,10}$/.exec(file.original_file_name)?.[0] ?? ''
  return file.vanity_name.toLowerCase().endsWith(ending.toLowerCase()) ? file.vanity_name : file.vanity_name + ending
}

function foldersOf(file: ArchivedFile, propertyFolder: Map<string, string>): string[] {
  if (file.sov) return ['00 Submission Documents/']
  const active = file.properties.filter(({ status }) => status === 'active')
  if (file.covers_all_properties || file.properties.length === 0) return [`01 Account Documents/${safePart(categoryOf(file).label)}/`]
  if (file.properties.length > ARCHIVE_MULTI_PROPERTY_ABOVE) return ['02 Multi-Property Documents/']
  // A document of divested properties alone is asked for with them; here it stays with the account.
  if (active.length === 0) return [`01 Account Documents/${safePart(categoryOf(file).label)}/`]
  return active.map(({ id }) => `Properties/${propertyFolder.get(id) ?? id}/${categoryFolder(file)}/`)
}

/** Where every document stands in the organised archive, copies for its two to five properties included. */
export function layOut(files: readonly ArchivedFile[]): Placed[] {
  const folders = propertyFolders(files)
  const give = pathGiver()
  const ordered = files.toSorted(
    (a, b) => ORDER.compare(archivedName(a), archivedName(b)) || a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1),
  )
  const placed = ordered.flatMap((file) => foldersOf(file, folders).map((folder) => ({ path: give(folder, archivedName(file)), file })))
  return placed.sort((a, b) => ORDER.compare(a.path, b.path))
}
