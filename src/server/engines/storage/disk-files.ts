import { createHash } from 'node:crypto'
import { open, opendir, readFile, readdir, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { conflict, errorCode, notFound } from '#server/kernel/errors.ts'
import { publish, readFrom, writeTemporary, type ByteSource } from './durable-file.ts'
import { checkedKey, type Checksums, type Storage, type StoredObject, type UploadedPart } from './storage.ts'

/** `incoming` holds unfinished files, `parts` a folder for each unfinished multipart upload. */
export type DiskFolders = { objects: string; incoming: string; parts: string }

// No key contains '@', so an object never has the path of another object's folder or sidecar.
const OBJECT_SUFFIX = '@object'
const SIDECAR_SUFFIX = '@checksums.json'

/** Number, CRC-32 and size of a part, so that listing reads no file. */
const PART_FILE = /^(\d{5})-([0-9a-f]{8}-[0-9a-f]+)$/

const Sidecar = z.object({ crc32: z.number(), sha256: z.string(), size: z.number(), modifiedMs: z.number() })

const pathOf = (folders: DiskFolders, key: string, suffix: string): string => join(folders.objects, ...checkedKey(key).split('/')) + suffix

interface StoreOptions {
  maxBytes?: number
  /** Runs the last step, after all bytes have arrived; throws to reject them. */
  publishing?: (publish: () => Promise<StoredObject>) => Promise<StoredObject>
}

/** Stores the bytes as one object and its checksums in a sidecar file. A failed upload leaves the earlier object unchanged. */
export async function storeObject(
  folders: DiskFolders,
  key: string,
  source: ByteSource,
  { maxBytes, publishing = (publish) => publish() }: StoreOptions = {},
): Promise<StoredObject> {
  checkedKey(key)
  const hash = createHash('sha256')
  const { path, ...written } = await writeTemporary(folders.incoming, source, maxBytes, (chunk) => hash.update(chunk))
  try {
    const sums = { ...written, sha256: hash.digest('hex') }
    return await publishing(() => publishObject(folders, key, path, sums))
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** Moves a file, or a folder with parts, to the place of the object. */
export async function publishObject(folders: DiskFolders, key: string, path: string, sums: Checksums): Promise<StoredObject> {
  const modifiedMs = Math.floor(Date.now() / 1000) * 1000
  await utimes(path, modifiedMs / 1000, modifiedMs / 1000)
  const sidecar = await writeTemporary(folders.incoming, [JSON.stringify({ ...sums, modifiedMs })])
  await publish(sidecar.path, pathOf(folders, key, SIDECAR_SUFFIX))
  await publish(path, pathOf(folders, key, OBJECT_SUFFIX))
  return { key, size: sums.size, etag: etagOf(sums.sha256), modifiedAt: new Date(modifiedMs) }
}

export const partFile = (number: number, etag: string): string => `${String(number).padStart(5, '0')}-${etag}`

/** The parts in a folder, by number. */
export async function partsIn(folder: string): Promise<UploadedPart[]> {
  const names = (await readdir(folder)).sort()
  return names.flatMap((name) => {
    const [, number, etag = ''] = PART_FILE.exec(name) ?? []
    return number === undefined ? [] : [{ number: Number(number), size: Number.parseInt(etag.slice(9), 16), etag }]
  })
}

export const totalSize = (parts: readonly UploadedPart[]): number => parts.reduce((sum, { size }) => sum + size, 0)

/** The object at this path: one file, or a folder with the parts in which it was uploaded. */
async function findObject(path: string): Promise<{ size: number; mtime: Date } | undefined> {
  const found = await statIfExists(path)
  if (!found?.isDirectory()) return found
  const parts = await partsIn(path)
  return { size: totalSize(parts), mtime: found.mtime }
}

async function* readParts(folder: string, parts: readonly UploadedPart[], start: number, end: number): AsyncGenerator<Buffer> {
  let begin = 0
  for (const { number, etag, size } of parts) {
    const [from, to] = [Math.max(0, start - begin), Math.min(size, end - begin)]
    begin += size
    if (from < to) yield* readFrom(await open(join(folder, partFile(number, etag))), from, to)
  }
}

const STATS_AT_ONCE = 16

const etagOf = (sha256: string) => sha256.slice(0, 32)

/** Loops that share the keys, because a queue with an entry for each file takes about twice the processor time for 10,000 documents. */
async function sizesOf(folders: DiskFolders, keys: readonly string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  const rest = keys.values()
  const readSizes = async () => {
    for (const key of rest) {
      const found = await findObject(pathOf(folders, key, OBJECT_SUFFIX))
      if (found !== undefined) sizes.set(key, found.size)
    }
  }
  await Promise.all(Array.from({ length: STATS_AT_ONCE }, readSizes))
  return sizes
}

/** The calls of the store that need no link. */
export function diskObjects(
  folders: DiskFolders,
): Pick<Storage, 'put' | 'head' | 'sizes' | 'checksums' | 'sealUpload' | 'read' | 'remove' | 'list'> {
  /** Undefined if the sidecar belongs to other bytes, which a crash between the two renames can leave. */
  const checksums: Storage['checksums'] = async (key) => {
    const found = await findObject(pathOf(folders, key, OBJECT_SUFFIX))
    const text = await readFile(pathOf(folders, key, SIDECAR_SUFFIX), 'utf8').catch(undefinedIfMissing)
    if (!found || text === undefined) return undefined
    const { modifiedMs, ...sums } = Sidecar.parse(JSON.parse(text))
    return sums.size === found.size && modifiedMs === found.mtime.getTime() ? sums : undefined
  }
  const head: Storage['head'] = async (key) => {
    const found = await findObject(pathOf(folders, key, OBJECT_SUFFIX))
    if (!found) return undefined
    const sums = await checksums(key)
    const etag = sums ? etagOf(sums.sha256) : `${found.size.toString(16)}-${found.mtime.getTime().toString(16)}`
    return { key, size: found.size, etag, modifiedAt: found.mtime }
  }
  return {
    head,
    sizes: (keys) => sizesOf(folders, keys),
    checksums,
    async sealUpload(key, etag) {
      if ((await head(key))?.etag !== etag) throw conflict('The stored file was replaced. Please upload it again.')
      return key
    },
    put: (key, body) => storeObject(folders, key, typeof body === 'string' || Buffer.isBuffer(body) ? [body] : body),
    async read(key, range, expectedSize) {
      const path = pathOf(folders, key, OBJECT_SUFFIX)
      const handle = await open(path, 'r').catch(undefinedIfMissing)
      if (!handle) throw notFound('File')
      const stored = await handle.stat()
      const parts = stored.isDirectory() ? await partsIn(path) : undefined
      const size = parts === undefined ? stored.size : totalSize(parts)
      const isExpected = expectedSize === undefined || size === expectedSize
      if (parts !== undefined || !isExpected) await handle.close()
      if (!isExpected) throw conflict('The stored file does not have the registered size.')
      const [start, end] = [range?.start ?? 0, Math.min(size, (range?.end ?? size) + 1)]
      return parts === undefined ? readFrom(handle, start, end) : Readable.from(readParts(path, parts, start, end), { highWaterMark: 1 })
    },
    async remove(key) {
      for (const suffix of [OBJECT_SUFFIX, SIDECAR_SUFFIX]) await rm(pathOf(folders, key, suffix), { recursive: true, force: true })
    },
    async *list(prefix) {
      const parent = prefix.includes('/') ? checkedKey(dirname(`${prefix}_`)) : ''
      for await (const key of keysIn(folders.objects, parent)) {
        const found = key.startsWith(prefix) ? await head(key) : undefined
        if (found) yield found
      }
    },
  }
}

async function* keysIn(root: string, folder: string): AsyncGenerator<string> {
  const entries = await opendir(join(root, folder)).catch(undefinedIfMissing)
  if (!entries) return
  for await (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (path.endsWith(OBJECT_SUFFIX)) yield path.slice(0, -OBJECT_SUFFIX.length)
    else if (entry.isDirectory()) yield* keysIn(root, path)
  }
}

export const statIfExists = (path: string) => stat(path).catch(undefinedIfMissing)

export function undefinedIfMissing(error: unknown): undefined {
  const code = errorCode(error)
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
}
