import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { tooLarge, unavailable } from '#server/kernel/errors.ts'
import { giveBack, POOLED_BYTES, takeBuffer } from './buffer-pool.ts'

interface Written {
  /** Bytes. */
  size: number
  crc32: number
}

/** Writes the bytes to a new file of the folder and forces them to the disk, showing them to `seen`; after any failure nothing is left. */
export async function writeTemporary(
  folder: string,
  source: AsyncIterable<Buffer | string>,
  maxBytes: number,
  seen: (bytes: Buffer) => void = () => undefined,
): Promise<Written & { path: string }> {
  const path = join(folder, randomUUID())
  try {
    const handle = await open(path, 'wx', 0o600)
    try {
      const written = await pour(source, handle, maxBytes, seen)
      await handle.sync()
      return { ...written, path }
    } finally {
      await handle.close()
    }
  } catch (error) {
    await rm(path, { force: true })
    throw diskFailure(error)
  }
}

/** Chunks are copied together: a write each would cost more, and while one block is written the next one fills. */
async function pour(
  source: AsyncIterable<Buffer | string>,
  handle: FileHandle,
  maxBytes: number,
  seen: (bytes: Buffer) => void,
): Promise<Written> {
  let size = 0
  let crc = 0
  let filling = takeBuffer(POOLED_BYTES)
  let filled = 0
  let writing: Promise<void> = Promise.resolve()
  const flush = async () => {
    const block = filling.subarray(0, filled)
    filling = takeBuffer(POOLED_BYTES)
    filled = 0
    crc = crc32(block, crc)
    seen(block)
    await writing
    writing = writeAll(handle, block).then(() => giveBack(block))
    // A failed write is met at the next await; until then it must not count as unhandled.
    writing.catch(() => undefined)
  }
  try {
    for await (const piece of source) {
      const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece
      size += chunk.length
      if (size > maxBytes) throw tooLarge(`The file is larger than announced (${maxBytes} bytes). Choose it again and retry the upload.`)
      for (let at = 0; at < chunk.length;) {
        const copied = chunk.copy(filling, filled, at)
        at += copied
        filled += copied
        if (filled === filling.length) await flush()
      }
    }
    await flush()
    await writing
  } finally {
    await Promise.allSettled([writing])
    giveBack(filling)
  }
  return { size, crc32: crc }
}

/** A nearly full disk takes a part first and says so only at the next call. */
async function writeAll(handle: FileHandle, block: Buffer): Promise<void> {
  for (let at = 0; at < block.length;) at += (await handle.write(block, at, block.length - at)).bytesWritten
}

/** Moves a finished temporary file to its name; both must be on one file system. Durable when it returns. */
export async function publish(temporary: string, target: string): Promise<void> {
  try {
    await makeFolder(dirname(target))
    await rename(temporary, target)
    await syncFolder(dirname(target))
  } catch (error) {
    await rm(temporary, { force: true })
    throw diskFailure(error)
  }
}

/** Makes the folder with its parents, durably. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  const top = dirname(first)
  for (let folder = dirname(path); folder.length >= top.length; folder = dirname(folder)) {
    await syncFolder(folder)
    if (folder === dirname(folder)) return
  }
}

export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder for syncing.
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Turns what a disk refuses into what a person can act on; everything else stays as it is. */
export function diskFailure(error: unknown): unknown {
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return unavailable(
        'The disk is full, so the file could not be stored. Ask your administrator to free some space, then try again.',
        60,
      )
    case 'EROFS':
    case 'EACCES':
    case 'EIO':
      return unavailable('The document storage cannot be written. Ask your administrator to check the disk.', 60)
    default:
      return error
  }
}
