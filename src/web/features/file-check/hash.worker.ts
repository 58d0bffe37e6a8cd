import { hashFile, hashWhole } from './hash-file.ts'
import type { HashMessage, HashRequest } from './hash-in-worker.ts'

const REPORT_EVERY_MS = 100

const send = (message: HashMessage) => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<HashRequest>) => {
  let read = 0
  let reportedAt = 0
  const onRead = (bytes: number) => {
    read += bytes
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return
    reportedAt = performance.now()
    send({ read })
  }
  const hashing = data.whole ? hashWhole(data.file, onRead) : hashFile(data.file, onRead)
  hashing.then(
    (hashed) => send({ hashed }),
    // The browser cannot read a file that was moved, changed or deleted after it was chosen.
    () => send({ failed: true }),
  )
})
