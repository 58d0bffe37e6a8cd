import { useState, type DragEvent } from 'react'
import { droppedFiles } from './dropped-files.ts'

const holdsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')

/** Makes an element take dropped files: spread `handlers` over it; `over` is true while files hang above it. */
export function useFileDrop(onFiles: (files: File[]) => void) {
  // Enter and leave are also told for every child, so they are counted.
  const [depth, setDepth] = useState(0)
  const handlers = {
    onDragEnter: (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      setDepth((now) => now + 1)
    },
    onDragOver: (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
    },
    onDragLeave: (event: DragEvent) => {
      if (holdsFiles(event)) setDepth((now) => Math.max(0, now - 1))
    },
    onDrop: (event: DragEvent) => {
      if (!holdsFiles(event)) return
      setDepth(0)
      // A smaller place inside this one has taken them.
      if (event.isDefaultPrevented()) return
      event.preventDefault()
      void droppedFiles(event.dataTransfer).then((files) => {
        if (files.length > 0) onFiles(files)
      })
    },
  }
  return { over: depth > 0, handlers }
}
