import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Storage } from './storage.ts'

/** The name of a folder contains host and process, so that folders of killed processes can be recognized. */
const FOLDER_PREFIX = `plumbline-copy-${hostname()}-`

/**
 * Copies a stored object to this machine while `work` runs, and removes the copy afterwards. `onChunk` sees the bytes first, and may throw.
 * `work` can put other files next to the copy.
 */
export async function withLocalCopy<T>(
  storage: Storage,
  key: string,
  onChunk: (chunk: Buffer) => void,
  work: (path: string) => Promise<T>,
): Promise<T> {
  await removeStaleFolders()
  const folder = await mkdtemp(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`))
  const path = join(folder, 'source')
  try {
    const measure = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        onChunk(chunk)
        yield chunk
      }
    }
    await pipeline(await storage.read(key), measure, createWriteStream(path))
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function removeStaleFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = name.startsWith(FOLDER_PREFIX) ? Number.parseInt(name.slice(FOLDER_PREFIX.length), 10) : Number.NaN
    if (owner > 0 && !isRunning(owner)) await rm(join(tmpdir(), name), { recursive: true, force: true })
  }
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
