import { DropArea } from '#web/engines/upload/drop-area.tsx'

/** Where documents are dropped or chosen. */
export function DocumentDrop({ onFiles }: { onFiles: (files: File[]) => void }) {
  return (
    <DropArea
      label="Drop files or folders here"
      hint="Up to 5 GiB each. Uploads go on while you work elsewhere."
      button="Choose files"
      onFiles={onFiles}
    />
  )
}
