import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { UPLOAD_MAX_BYTES, UPLOAD_PARTS_MAX } from '#contract/limits.ts'
import { conflict, invalid, notFound } from '#server/kernel/errors.ts'
import { giveBack } from './buffer-pool.ts'
import { headObject, nothingIfMissing, oneChunk, statOrNothing, storeObject, type DiskFolders } from './disk-files.ts'
import { readFrom } from './disk-read.ts'
import { errorCode, publish, writeTemporary } from './durable-file.ts'
import { assertKey, withoutQuotes, type StoredObject, type UploadedPart } from './storage.ts'

const UPLOAD_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const PART_FILE = /^(\d{5})-([0-9a-f]{8}-[0-9a-f]+)$/
const KEY_FILE = 'key'

export async function startUpload(folders: DiskFolders, key: string): Promise<string> {
  assertKey(key)
  const uploadId = randomUUID()
  await mkdir(join(folders.parts, uploadId), { recursive: true, mode: 0o700 })
  const { path } = await writeTemporary(folders.incoming, oneChunk(key), key.length)
  await publish(path, join(folders.parts, uploadId, KEY_FILE))
  return uploadId
}

/** The part's file is named by number, CRC-32 and size, so listing needs no reading; sent again, a part replaces itself. */
export async function storePart(
  folders: DiskFolders,
  key: string,
  uploadId: string,
  number: number,
  source: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<UploadedPart> {
  if (!Number.isInteger(number) || number < 1 || number > UPLOAD_PARTS_MAX) throw invalid({ number: ['There is no such part.'] })
  const folder = await uploadFolder(folders, key, uploadId)
  const { path, size, crc32: sum } = await writeTemporary(folders.incoming, source, maxBytes)
  const etag = `${hex(sum)}-${size.toString(16)}`
  const name = `${String(number).padStart(5, '0')}-${etag}`
  await rename(path, join(folder, name)).catch(async (error: unknown) => {
    await rm(path, { force: true })
    throw errorCode(error) === 'ENOENT' ? notFound('Upload') : error
  })
  const older = (await readdir(folder)).filter((other) => other.startsWith(name.slice(0, 6)) && other !== name)
  for (const other of older) await rm(join(folder, other), { force: true })
  return { number, size, etag }
}

export async function listUploadedParts(folders: DiskFolders, key: string, uploadId: string): Promise<UploadedPart[]> {
  const folder = await uploadFolder(folders, key, uploadId)
  const parts: UploadedPart[] = []
  for (const name of (await readdir(folder)).sort()) {
    const [, number, etag] = PART_FILE.exec(name) ?? []
    if (number !== undefined && etag !== undefined) parts.push({ number: Number(number), size: sizeOf(etag), etag })
  }
  return parts
}

/** Joins the parts into the object; they are removed only once it is durable, so a crash on the way costs nothing but time. */
export async function completeUpload(
  folders: DiskFolders,
  key: string,
  uploadId: string,
  wanted: { number: number; etag: string }[],
): Promise<StoredObject> {
  const folder = await uploadFolder(folders, key, uploadId).catch(async (error: unknown) => {
    const done = await headObject(folders, key)
    if (!done) throw error
    return done
  })
  if (typeof folder !== 'string') return folder
  const arrived = new Set((await listUploadedParts(folders, key, uploadId)).map(({ number, etag }) => `${number} ${etag}`))
  const parts = wanted.map(({ number, etag }) => ({ number, etag: withoutQuotes(etag) })).sort((a, b) => a.number - b.number)
  if (parts.length === 0) throw conflict('The upload has no parts. Start it again.')
  const missing = parts.find(({ number, etag }, index) => !arrived.has(`${number} ${etag}`) || parts[index - 1]?.number === number)
  if (missing) throw conflict(`Part ${missing.number} of the upload has not arrived as announced. Send it again.`)

  const stored = await storeObject(folders, key, joined(folder, parts), UPLOAD_MAX_BYTES)
  await rm(folder, { recursive: true, force: true })
  return stored
}

async function* joined(folder: string, parts: { number: number; etag: string }[]): AsyncGenerator<Buffer> {
  for (const { number, etag } of parts) {
    let sum = 0
    const handle = await open(join(folder, `${String(number).padStart(5, '0')}-${etag}`))
    for await (const chunk of readFrom(handle, 0, sizeOf(etag))) {
      sum = crc32(chunk, sum)
      yield chunk
      // Asked for the next chunk, the writer has copied this one.
      giveBack(chunk)
    }
    if (!etag.startsWith(hex(sum))) throw conflict(`Part ${number} of the upload was damaged on the disk. Send it again.`)
  }
}

export async function abortUpload(folders: DiskFolders, key: string, uploadId: string): Promise<void> {
  await rm(await uploadFolder(folders, key, uploadId), { recursive: true, force: true })
}

export async function sweepUploads(folders: DiskFolders, before: Date): Promise<number> {
  let removed = 0
  for (const name of await readdir(folders.parts)) {
    const found = await statOrNothing(join(folders.parts, name))
    if (!found || found.mtime >= before) continue
    await rm(join(folders.parts, name), { recursive: true, force: true })
    removed += 1
  }
  return removed
}

/** Only the upload that was begun for this key is found under it. */
async function uploadFolder(folders: DiskFolders, key: string, uploadId: string): Promise<string> {
  const folder = join(folders.parts, uploadId)
  const owner = UPLOAD_ID.test(uploadId) ? await readFile(join(folder, KEY_FILE), 'utf8').catch(nothingIfMissing) : undefined
  if (owner !== key) throw notFound('Upload')
  return folder
}

const hex = (sum: number) => sum.toString(16).padStart(8, '0')
const sizeOf = (etag: string) => Number.parseInt(etag.slice(9), 16)
