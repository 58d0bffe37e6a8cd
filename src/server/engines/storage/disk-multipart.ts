import { randomUUID } from 'node:crypto'
import { open, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { UPLOAD_MAX_BYTES, UPLOAD_PARTS_MAX } from '#contract/limits.ts'
import { conflict, errorCode, invalid, notFound, tooLarge } from '#server/kernel/errors.ts'
import { isUuid } from '#server/kernel/uuid.ts'
import { createDigest } from './checksums.ts'
import { diskFailure, giveBack, publish, readFrom, syncFolder, writeTemporary } from './durable-file.ts'
import { partFile, partsIn, publishObject, statIfExists, totalSize, undefinedIfMissing, type DiskFolders } from './disk-files.ts'
import { checkedKey, sortedParts, type Checksums, type PartTag, type Storage, type StoredObject, type UploadedPart } from './storage.ts'

const KEY_FILE = 'key'
/** Added to the name of the folder while its upload is completed: it receives no further part. */
const SEALED = '@sealed'

/** Of the number in the name of a part, with the hyphen after it. */
const NUMBER_LENGTH = 6

const hex = (sum: number) => sum.toString(16).padStart(8, '0')

/** Multipart uploads: each is a folder with a file for each part, which becomes the object. */
export function diskUploads(
  folders: DiskFolders,
  head: Storage['head'],
): Pick<Storage, 'startMultipart' | 'listParts' | 'completeMultipart' | 'abortMultipart'> {
  return {
    listParts: async (key, uploadId) => partsIn(await uploadFolder(folders, key, uploadId)),
    async startMultipart(key) {
      const uploadId = randomUUID()
      const { path } = await writeTemporary(folders.incoming, [checkedKey(key)])
      await publish(path, join(folders.parts, uploadId, KEY_FILE))
      return uploadId
    },
    /** Checks the parts and moves their folder to the object, without copying. An interrupted call can be repeated. */
    async completeMultipart(key, uploadId, wanted) {
      const unlessCompleted = async (error: unknown): Promise<StoredObject> => {
        const completed = await head(key)
        if (!completed) throw error
        return completed
      }
      const folder = await uploadFolder(folders, key, uploadId).catch(unlessCompleted)
      if (typeof folder !== 'string') return folder
      const sealed = join(folders.parts, uploadId + SEALED)
      if (folder !== sealed) await rename(folder, sealed).catch(undefinedIfMissing)
      try {
        return await publishObject(folders, key, sealed, await checkedParts(sealed, wanted))
      } catch (error) {
        // Another call completed the same upload.
        if ((await statIfExists(sealed)) === undefined) return unlessCompleted(error)
        await rename(sealed, join(folders.parts, uploadId)).catch(undefinedIfMissing)
        throw error
      }
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
  const folder = await uploadFolder(folders, key, uploadId, [''])
  const { path, size, crc32: sum } = await writeTemporary(folders.incoming, source, maxBytes)
  const etag = `${hex(sum)}-${size.toString(16)}`
  const name = partFile(number, etag)
  await rename(path, join(folder, name)).catch(async (error: unknown) => {
    await rm(path, { force: true }).catch(() => undefined)
    throw errorCode(error) === 'ENOENT' ? notFound('Upload') : diskFailure(error)
  })
  await removeEarlier(folder, name)
  return etag
}

/**
 * Removes other bodies of this part that arrived before it, so that of several at the same moment exactly one remains. Without an order each of
 * two would remove the other. The time is that of the rename into the folder.
 */
async function removeEarlier(folder: string, name: string): Promise<void> {
  const arrivalOf = async (file: string) => (await stat(join(folder, file), { bigint: true }).catch(undefinedIfMissing))?.ctimeNs
  const others = ((await readdir(folder).catch(undefinedIfMissing)) ?? []).filter(
    (other) => other.startsWith(name.slice(0, NUMBER_LENGTH)) && other !== name,
  )
  if (others.length === 0) return
  const own = await arrivalOf(name)
  for (const other of others) {
    const arrival = await arrivalOf(other)
    if (own === undefined || arrival === undefined) continue
    const isEarlier = arrival === own ? other < name : arrival < own
    if (isEarlier) await rm(join(folder, other), { force: true })
  }
}

/** Throws `conflict` unless exactly the wanted parts are in the folder, as they arrived. Removes all others. */
async function checkedParts(folder: string, wanted: readonly PartTag[]): Promise<Checksums> {
  const arrived = await partsIn(folder)
  const tags = sortedParts(wanted)
  if (tags.length === 0) throw conflict('The upload has no parts. Start it again.')
  const parts = tags.map(({ number, etag }, index) => {
    const part = arrived.find((one) => one.number === number && one.etag === etag)
    if (part !== undefined && tags[index - 1]?.number !== number) return part
    throw conflict(`Part ${number} of the upload has not arrived as announced. Send it again.`)
  })
  if (totalSize(parts) > UPLOAD_MAX_BYTES) throw tooLarge(`A file has at most ${UPLOAD_MAX_BYTES} bytes.`)
  const digest = createDigest()
  for (const part of parts) await readPart(folder, part, digest.update)
  for (const { number, etag } of arrived.filter((part) => !parts.includes(part))) await rm(join(folder, partFile(number, etag)))
  await syncFolder(folder)
  return digest.result()
}

async function readPart(folder: string, { number, etag, size }: UploadedPart, onChunk: (chunk: Buffer) => void): Promise<void> {
  let sum = 0
  const handle = await open(join(folder, partFile(number, etag)))
  for await (const chunk of readFrom(handle, 0, size)) {
    sum = crc32(chunk, sum)
    onChunk(chunk)
    giveBack(chunk)
  }
  if (!etag.startsWith(hex(sum))) throw conflict(`Part ${number} of the upload was damaged on the disk. Send it again.`)
}

/** Throws `not_found` unless the upload was started for this key. */
async function uploadFolder(folders: DiskFolders, key: string, uploadId: string, suffixes = ['', SEALED]): Promise<string> {
  for (const suffix of isUuid(uploadId) ? suffixes : []) {
    const folder = join(folders.parts, uploadId + suffix)
    if ((await readFile(join(folder, KEY_FILE), 'utf8').catch(undefinedIfMissing)) === key) return folder
  }
  throw notFound('Upload')
}
