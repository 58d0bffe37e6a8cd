import { Button, Text } from '@mantine/core'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useRef, useState, type ComponentType, type DragEvent } from 'react'
import { setPath } from './upload-item.ts'
import classes from './uploads.module.css'

interface DropAreaProps {
  label: string
  hint: string
  button: string
  /** While files are dragged over the area. */
  over?: string
  Icon?: ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>
  multiple?: boolean
  accept?: string
  onFiles: (files: File[]) => void
}

/** An area to drop files on, with a button that opens the file chooser. */
export function DropArea({
  label,
  hint,
  button,
  over: overLabel = 'Drop to upload',
  Icon = IconUpload,
  multiple = true,
  accept,
  onFiles,
}: DropAreaProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const { over, handlers } = useFileDrop(onFiles)
  return (
    <div className={classes['dropArea']} data-over={over || undefined} {...handlers}>
      <Icon size={22} stroke={1.6} aria-hidden />
      <div className={classes['middle']}>
        <Text fw={600}>{over ? overLabel : label}</Text>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      </div>
      <Button variant="default" onClick={() => chooser.current?.click()}>
        {button}
      </Button>
      <input
        ref={chooser}
        type="file"
        hidden
        multiple={multiple}
        accept={accept}
        aria-label={button}
        onChange={({ currentTarget: input }) => {
          onFiles([...(input.files ?? [])])
          input.value = ''
        }}
      />
    </div>
  )
}

/** Makes an element accept dropped files: spread `handlers` on it. `over` is true while files are dragged over it. */
export function useFileDrop(onFiles: (files: File[]) => void) {
  // Children fire enter and leave events too, so they are counted.
  const [depth, setDepth] = useState(0)
  const handlers = {
    onDragEnter: ifFiles((event) => {
      event.preventDefault()
      setDepth((now) => now + 1)
    }),
    onDragOver: ifFiles((event) => {
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
    }),
    onDragLeave: ifFiles(() => setDepth((now) => Math.max(0, now - 1))),
    onDrop: ifFiles((event) => {
      setDepth(0)
      // A drop area inside this element has already accepted the files.
      if (event.isDefaultPrevented()) return
      event.preventDefault()
      void droppedFiles(event.dataTransfer).then(onFiles)
    }),
  }
  return { over: depth > 0, handlers }
}

const ifFiles = (handle: (event: DragEvent) => void) => (event: DragEvent) => {
  if (event.dataTransfer.types.includes('Files')) handle(event)
}

const HIDDEN = /^(\.|~\$|thumbs\.db$|desktop\.ini$)/i

/** The dropped files and those inside dropped folders, without hidden files of the operating system. */
async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  // The browser empties the list after the event, so the entries are read before the first await.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return [...transfer.files]
  const files = await Promise.all(entries.map(filesOf))
  return files.flat().filter((file) => !HIDDEN.test(file.name))
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry instanceof FileSystemFileEntry)
    return [setPath(await new Promise<File>((resolve, reject) => entry.file(resolve, reject)), entry.fullPath)]
  if (!(entry instanceof FileSystemDirectoryEntry)) return []
  return (await Promise.all((await entriesOf(entry.createReader())).map(filesOf))).flat()
}

/** Chromium returns at most a hundred entries per call. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
  return entries.length === 0 ? [] : [...entries, ...(await entriesOf(reader))]
}
