import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { POOLED_BYTES, takeBuffer } from './buffer-pool.ts'
import { diskFailure } from './durable-file.ts'

/** Streams from `start` up to and without `end`; closes the file when it ends or is destroyed. */
export function readFrom(handle: FileHandle, start: number, end: number): Readable {
  let position = start
  return new Readable({
    highWaterMark: POOLED_BYTES,
    read() {
      const buffer = takeBuffer(Math.min(POOLED_BYTES, end - position))
      if (buffer.length === 0) {
        this.push(null)
        return
      }
      handle.read(buffer, 0, buffer.length, position).then(
        ({ bytesRead }) => {
          position += bytesRead
          this.push(bytesRead === 0 ? null : buffer.subarray(0, bytesRead))
        },
        (error: unknown) => this.destroy(asError(diskFailure(error))),
      )
    },
    destroy(error, callback) {
      handle.close().then(() => callback(error), callback)
    },
  })
}

const asError = (failure: unknown) => (failure instanceof Error ? failure : new Error(String(failure)))
