import { randomUUID } from 'node:crypto'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY_BYTES = 4 * 1024 ** 2
const BLOCK_BYTES = 65_536

/**
 * Bytes from a source that must not wait, such as a transaction, for a reader that may be slow: 4 MB wait in memory, what comes then in a file
 * without a name, which ends with the process. For one writer and one reader.
 */
export class Spool implements AsyncIterable<Buffer> {
  private readonly memoryBytes: number
  private readonly chunks: Buffer[] = []
  private waitingBytes = 0
  private file: FileHandle | undefined
  /** Positions in the file. */
  private written = 0
  private taken = 0
  private ended = false
  private isClosed = false
  private error: Error | undefined
  private wake = () => {}

  constructor({ memoryBytes = MEMORY_BYTES } = {}) {
    this.memoryBytes = memoryBytes
  }

  /** Resolves when the chunk is stored; without effect after `close`. */
  async write(chunk: Buffer): Promise<void> {
    if (this.isClosed) return
    const isInOrder = this.taken === this.written
    if (isInOrder && this.waitingBytes + chunk.length <= this.memoryBytes) {
      this.chunks.push(chunk)
      this.waitingBytes += chunk.length
    } else {
      this.file ??= await openNameless()
      // Closed meanwhile.
      if (this.isClosed) return this.close()
      await this.file.write(chunk, 0, chunk.length, this.written)
      this.written += chunk.length
    }
    this.wake()
  }

  /** No more comes: all of it was written, or the source failed. */
  end(error?: Error): void {
    this.ended = true
    this.error = error
    this.wake()
  }

  /** Forgets what waits. Call it for a spool that may not be read to its end. */
  async close(): Promise<void> {
    this.isClosed = true
    this.chunks.length = 0
    this.wake()
    const { file } = this
    this.file = undefined
    await file?.close()
  }

  /** Throws the error of the source when all before it was read. Closes the spool at its end. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    try {
      while (!this.isClosed) {
        const chunk = this.chunks.shift()
        if (chunk !== undefined) {
          this.waitingBytes -= chunk.length
          yield chunk
        } else if (this.taken < this.written) {
          yield await this.takeFromFile()
        } else if (this.ended) {
          if (this.error !== undefined) throw this.error
          return
        } else {
          await new Promise<void>((resolve) => (this.wake = resolve))
        }
      }
    } finally {
      await this.close()
    }
  }

  private async takeFromFile(): Promise<Buffer> {
    const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, this.written - this.taken))
    const { bytesRead = 0 } = (await this.file?.read(block, 0, block.length, this.taken)) ?? {}
    this.taken += bytesRead
    return block.subarray(0, bytesRead)
  }
}

async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `plumbline-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}
