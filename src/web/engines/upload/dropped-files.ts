import { setPath } from './upload-item.ts'

const HIDDEN = /^(\.|~\$|thumbs\.db$|desktop\.ini$)/i

/** Without hidden files of the operating system and of Word. */
export const visibleFiles = (files: File[]) => files.filter((file) => !HIDDEN.test(file.name))

/** The dropped files and those inside dropped folders, without hidden files. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  // The browser empties the list after the event, so the entries are read before the first await.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return [...transfer.files]
  return visibleFiles((await Promise.all(entries.map(filesOf))).flat())
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (isFile(entry)) return [setPath(await new Promise<File>((resolve, reject) => entry.file(resolve, reject)), entry.fullPath)]
  if (!isFolder(entry)) return []
  return (await Promise.all((await entriesOf(entry.createReader())).map(filesOf))).flat()
}

// Chromium has no global constructors of entries, so instanceof would throw.
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** Chromium returns at most a hundred entries per call. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
  return entries.length === 0 ? [] : [...entries, ...(await entriesOf(reader))]
}
