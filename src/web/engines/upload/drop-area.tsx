import { Button, Text } from '@mantine/core'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useRef, useState, type ComponentType, type DragEvent } from 'react'
import { toast } from '#web/ui/toast.tsx'
import { droppedFiles, visibleFiles } from './dropped-files.ts'
import classes from './uploads.module.css'

interface DropAreaProps {
  label: string
  hint: string
  button: string
  /** A second button, for a whole folder: dropping one needs a mouse. */
  folderButton?: string
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
  folderButton,
  over: overLabel = 'Drop to upload',
  Icon = IconUpload,
  multiple = true,
  accept,
  onFiles,
}: DropAreaProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const folderChooser = useRef<HTMLInputElement>(null)
  const add = (input: HTMLInputElement, files: File[]) => {
    onFiles(files)
    input.value = ''
  }
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
        onChange={({ currentTarget: input }) => add(input, [...(input.files ?? [])])}
      />
      {folderButton && (
        <>
          <Button variant="subtle" onClick={() => folderChooser.current?.click()}>
            {folderButton}
          </Button>
          <input
            ref={(input) => {
              folderChooser.current = input
              // React's types do not have this attribute.
              input?.setAttribute('webkitdirectory', '')
            }}
            type="file"
            hidden
            aria-label={folderButton}
            onChange={({ currentTarget: input }) => add(input, visibleFiles([...(input.files ?? [])]))}
          />
        </>
      )}
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
      void droppedFiles(event.dataTransfer).then(onFiles, () =>
        toast.alert('Some of the dropped files could not be read, so none were added. Please choose them instead.'),
      )
    }),
  }
  return { over: depth > 0, handlers }
}

const ifFiles = (handle: (event: DragEvent) => void) => (event: DragEvent) => {
  if (event.dataTransfer.types.includes('Files')) handle(event)
}
