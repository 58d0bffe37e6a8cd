import { Button, Text } from '@mantine/core'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useRef } from 'react'
import classes from './drop-area.module.css'
import { useFileDrop } from './use-file-drop.ts'

interface DropAreaProps {
  /** What may be dropped here, as a sentence. */
  label: string
  hint?: string
  button: string
  multiple?: boolean
  accept?: string
  onFiles: (files: File[]) => void
}

/** A place to drop files on, with a button that opens the file chooser for those who do not drag. */
export function DropArea({ label, hint, button, multiple = true, accept, onFiles }: DropAreaProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const { over, handlers } = useFileDrop(onFiles)
  return (
    <div className={classes['area']} data-over={over || undefined} {...handlers}>
      <IconUpload size={22} stroke={1.6} aria-hidden />
      <div className={classes['words']}>
        <Text fw={600}>{over ? 'Drop to upload' : label}</Text>
        {hint !== undefined && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
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
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </div>
  )
}
