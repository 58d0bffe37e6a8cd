import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { IMPORT_MAX_BYTES } from '#contract/limits.ts'
import type { Context } from '#server/engines/context.ts'
import { createDigest } from '#server/engines/storage/checksums.ts'
import { tooLarge } from '#server/kernel/errors.ts'

const MEGABYTE = 1024 ** 2
/** The folder's name says whose it is, so that what a killed process left behind is known for what it is. */
const FOLDERS = `plumbline-import-${hostname()}-`

/** Brings the stored file onto this machine for the time of the work; it is gone afterwards, whatever happens. */
export async function withLocalFile<T>(ctx: Context, key: string, work: (path: string, sha256: string) => Promise<T>): Promise<T> {
  await removeLeftBehind()
  const folder = await mkdtemp(join(tmpdir(), `${FOLDERS}${process.pid}-`))
  const path = join(folder, 'source')
  try {
    const digest = createDigest()
    let bytes = 0
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        digest.update(chunk)
        done(
          bytes > IMPORT_MAX_BYTES
            ? tooLarge(`The file is larger than ${IMPORT_MAX_BYTES / MEGABYTE} MB. Remove sheets that are not needed, or split it.`)
            : null,
          chunk,
        )
      },
    })
    await pipeline(await ctx.storage.read(key), measure, createWriteStream(path))
    return await work(path, digest.result().sha256)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function removeLeftBehind(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = name.startsWith(FOLDERS) ? Number.parseInt(name.slice(FOLDERS.length), 10) : Number.NaN
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
