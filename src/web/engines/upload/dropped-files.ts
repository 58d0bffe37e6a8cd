/** Every file of a drop, those inside dropped folders included. Hidden files of the operating system are left out. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  // The list of a drop is emptied once the event is over, so the entries are taken first.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return [...transfer.files]
  const files = await Promise.all(entries.map(filesOf))
  return files.flat().filter((file) => !HIDDEN.test(file.name))
}

const HIDDEN = /^(\.|~\$|thumbs\.db$|desktop\.ini$)/i

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (isFile(entry)) return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))]
  if (!isFolder(entry)) return []
  const reader = entry.createReader()
  const children: FileSystemEntry[] = []
  for (;;) {
    // A folder hands over at most a hundred entries at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) break
    children.push(...some)
  }
  return (await Promise.all(children.map(filesOf))).flat()
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
