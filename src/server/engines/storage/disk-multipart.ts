import { randomUUID } from 'node:crypto'
import { open, readFile, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { UPLOAD_MAX_BYTES, UPLOAD_PARTS_MAX } from '#contract/limits.ts'
import { conflict, errorCode, invalid, notFound } from '#server/kernel/errors.ts'
import { isUuid } from '#server/kernel/uuid.ts'
import { diskFailure, giveBack, publish, readFrom, writeTemporary } from './durable-file.ts'
import { storeObject, undefinedIfMissing, type DiskFolders } from './disk-files.ts'
import { checkedKey, sortedParts, type PartTag, type Storage } from './storage.ts'

/** Number, CRC-32 and size of the part, so that listing reads no file. */
const PART_FILE = /^(\d{5})-([0-9a-f]{8}-[0-9a-f]+)$/
const KEY_FILE = 'key'

const hex = (sum: number) => sum.toString(16).padStart(8, '0')
const partFile = (number: number, etag: string) => `${String(number).padStart(5, '0')}-${etag}`
const sizeOf = (etag: string) => Number.parseInt(etag.slice(9), 16)

/** Multipart uploads: each is a folder with a file for each part. */
export function diskUploads(
  folders: DiskFolders,
  head: Storage['head'],
): Pick<Storage, 'startMultipart' | 'listParts' | 'completeMultipart' | 'abortMultipart'> {
  const listParts: Storage['listParts'] = async (key, uploadId) => {
    const names = (await readdir(await uploadFolder(folders, key, uploadId))).sort()
    return names.flatMap((name) => {
      const [, number, etag = ''] = PART_FILE.exec(name) ?? []
      return number === undefined ? [] : [{ number: Number(number), size: sizeOf(etag), etag }]
    })
  }
  return {
    listParts,
    async startMultipart(key) {
      const uploadId = randomUUID()
      const { path } = await writeTemporary(folders.incoming, [checkedKey(key)])
      await publish(path, join(folders.parts, uploadId, KEY_FILE))
      return uploadId
    },
    /** Joins the parts into the object. They are removed only when it is durable, so an interrupted call can be repeated. */
    async completeMultipart(key, uploadId, wanted) {
      const folder = await uploadFolder(folders, key, uploadId).catch(async (error: unknown) => {
        const completed = await head(key)
        if (!completed) throw error
        return completed
      })
      if (typeof folder !== 'string') return folder
      const arrived = new Set((await listParts(key, uploadId)).map(({ number, etag }) => partFile(number, etag)))
      const parts = sortedParts(wanted)
      if (parts.length === 0) throw conflict('The upload has no parts. Start it again.')
      const wrong = parts.find(({ number, etag }, index) => !arrived.has(partFile(number, etag)) || parts[index - 1]?.number === number)
      if (wrong) throw conflict(`Part ${wrong.number} of the upload has not arrived as announced. Send it again.`)

      const stored = await storeObject(folders, key, joined(folder, parts), UPLOAD_MAX_BYTES)
      await rm(folder, { recursive: true, force: true })
      return stored
    },
    async abortMultipart(key, uploadId) {
      await rm(await uploadFolder(folders, key, uploadId), { recursive: true, force: true })
    },
  }
}

/** Returns the ETag of the part. A part that is sent again replaces the earlier one. */
export async function storePart(
  folders: DiskFolders,
  { key, uploadId, number, maxBytes }: { key: string; uploadId: string; number: number; maxBytes: number },
  source: AsyncIterable<Buffer>,
): Promise<string> {
  if (!Number.isInteger(number) || number < 1 || number > UPLOAD_PARTS_MAX) throw invalid({ number: ['There is no such part.'] })
  const folder = await uploadFolder(folders, key, uploadId)
  const { path, size, crc32: sum } = await writeTemporary(folders.incoming, source, maxBytes)
  const etag = `${hex(sum)}-${size.toString(16)}`
  const name = partFile(number, etag)
  await rename(path, join(folder, name)).catch(async (error: unknown) => {
    await rm(path, { force: true }).catch(() => undefined)
    throw errorCode(error) === 'ENOENT' ? notFound('Upload') : diskFailure(error)
  })
  const replaced = (await readdir(folder)).filter((other) => other.startsWith(name.slice(0, 6)) && other !== name)
  for (const other of replaced) await rm(join(folder, other), { force: true })
  return etag
}

async function* joined(folder: string, parts: PartTag[]): AsyncGenerator<Buffer> {
  for (const { number, etag } of parts) {
    let sum = 0
    const handle = await open(join(folder, partFile(number, etag)))
    for await (const chunk of readFrom(handle, 0, sizeOf(etag))) {
      sum = crc32(chunk, sum)
      yield chunk
      // The next chunk is requested only after this one was written.
      giveBack(chunk)
    }
    if (!etag.startsWith(hex(sum))) throw conflict(`Part ${number} of the upload was damaged on the disk. Send it again.`)
  }
}

/** Throws `not_found` unless the upload was started for this key. */
async function uploadFolder(folders: DiskFolders, key: string, uploadId: string): Promise<string> {
  const folder = join(folders.parts, uploadId)
  const owner = isUuid(uploadId) ? await readFile(join(folder, KEY_FILE), 'utf8').catch(undefinedIfMissing) : undefined
  if (owner !== key) throw notFound('Upload')
  return folder
}
