import { DropArea } from '#web/engines/upload/drop-area.tsx'

export function DocumentDrop({ onFiles }: { onFiles: (files: File[]) => void }) {
  return (
    <DropArea
      label="Drop files or folders here"
      hint="Up to 5 GiB each. Uploads continue while you work."
      button="Choose files"
      folderButton="Choose a folder"
      onFiles={onFiles}
    />
  )
}
