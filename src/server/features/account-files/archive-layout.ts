import { ARCHIVE_MULTI_PROPERTY_ABOVE } from '#contract/limits.ts'
import { DOCUMENT_CATEGORIES, type DocumentCategory } from '#contract/document-categories.ts'
import { downloadName, pathGiver, safePart } from './file-names.ts'
import type { FileContent, LinkedProperty } from './files.queries.ts'
import { propertyFolders, type FolderProperty } from './property-folders.ts'
import { byText } from './property-order.ts'

/** A document with the checksums that its entries in the archive and the manifest need. */
export type ArchivedFile = FileContent & { crc32: number; sha256: string }

export interface PlacedFile {
  path: string
  file: ArchivedFile
  /** The property whose folder it is in. */
  property?: LinkedProperty
}

const FALLBACK: DocumentCategory = DOCUMENT_CATEGORIES.other

const categoryOf = (file: ArchivedFile): DocumentCategory =>
  Object.entries(DOCUMENT_CATEGORIES).find(([code]) => code === file.category)?.[1] ?? FALLBACK

/** `01 Statement of values`: numbered, so that folders have the order of the categories. */
const categoryFolder = (file: ArchivedFile): string => {
  const { folder, label } = categoryOf(file)
  return `${String(folder).padStart(2, '0')} ${safePart(label)}`
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

/**
 * The paths of all documents in the organized archive. A document of two to five properties has a copy in each of their folders.
 * @param register the active properties of the account
 */
export function layOut(files: readonly ArchivedFile[], register: readonly FolderProperty[]): PlacedFile[] {
  const folders = propertyFolders(register)
  const give = pathGiver()
  const ordered = files.toSorted(
    (a, b) => byText(downloadName(a), downloadName(b)) || a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1),
  )
  const placed = ordered.flatMap((file) =>
    foldersOf(file, folders).map(({ name, ...of }) => ({ path: give(name, downloadName(file)), file, ...of })),
  )
  return placed.sort((a, b) => byText(a.path, b.path))
}
