import type { Writable } from 'node:stream'
import { giveBack } from '#server/engines/storage/buffer-pool.ts'
import type { ByteRange, Storage } from '#server/engines/storage/storage.ts'
import type { ZipLayout } from './zip-layout.ts'
import { zipChunks } from './zip-stream.ts'

/**
 * Writes the (inclusive) range of the archive and ends the target. Unlike a piped stream it knows when a chunk has left, so the memory of
 * reads is used again. On any error, also of the reader leaving, the target is destroyed and the promise rejects.
 */
export async function sendZip(layout: ZipLayout, storage: Pick<Storage, 'read'>, range: ByteRange, target: Writable): Promise<void> {
  const { chunks, close } = zipChunks(layout, storage, range)
  target.once('close', close)
  let writing: Promise<void> = Promise.resolve()
  try {
    for await (const chunk of chunks) {
      await writing
      writing = write(target, chunk)
      // A failed write is met at the next await; until then it must not count as unhandled.
      writing.catch(() => undefined)
    }
    await writing
    target.end()
  } catch (error) {
    // A failed write is met before 'close' is told: what was opened ahead would stay open.
    close()
    target.destroy()
    throw error
  } finally {
    target.off('close', close)
  }
}

function write(target: Writable, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    if (target.destroyed) return reject(new Error('The receiver has left.'))
    target.write(chunk, (error) => {
      if (error) return reject(error)
      giveBack(chunk)
      resolve()
    })
  })
}
