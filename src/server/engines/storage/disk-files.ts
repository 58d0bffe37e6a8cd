import { createHash } from 'node:crypto'
import { open, opendir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { conflict, errorCode, notFound } from '#server/kernel/errors.ts'
import { publish, readFrom, writeTemporary, type ByteSource } from './durable-file.ts'
import { checkedKey, type Checksums, type Storage, type StoredObject } from './storage.ts'

/** `incoming` holds unfinished files, `parts` a folder for each unfinished multipart upload. */
export type DiskFolders = { objects: string; incoming: string; parts: string }

// No key contains '@', so an object never has the path of another object's folder or sidecar.
const OBJECT_SUFFIX = '@object'
const SIDECAR_SUFFIX = '@checksums.json'

const Sidecar = z.object({ crc32: z.number(), sha256: z.string(), size: z.number(), modifiedMs: z.number() })

const pathOf = (folders: DiskFolders, key: string, suffix: string): string => join(folders.objects, ...checkedKey(key).split('/')) + suffix

/** Stores the bytes as one object and its checksums in a sidecar file. A failed upload leaves the earlier object unchanged. */
export async function storeObject(folders: DiskFolders, key: string, source: ByteSource, maxBytes?: number): Promise<StoredObject> {
  const target = pathOf(folders, key, OBJECT_SUFFIX)
  const hash = createHash('sha256')
  const { path, ...written } = await writeTemporary(folders.incoming, source, maxBytes, (chunk) => hash.update(chunk))
  const sums: Checksums = { ...written, sha256: hash.digest('hex') }
  const modifiedMs = Math.floor(Date.now() / 1000) * 1000
  try {
    await utimes(path, modifiedMs / 1000, modifiedMs / 1000)
    const sidecar = await writeTemporary(folders.incoming, [JSON.stringify({ ...sums, modifiedMs })])
    await publish(sidecar.path, pathOf(folders, key, SIDECAR_SUFFIX))
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  await publish(path, target)
  return { key, size: sums.size, etag: etagOf(sums.sha256), modifiedAt: new Date(modifiedMs) }
}

const etagOf = (sha256: string) => sha256.slice(0, 32)

/** The calls of the store that need no link. */
export function diskObjects(folders: DiskFolders): Pick<Storage, 'put' | 'head' | 'checksums' | 'read' | 'remove' | 'list'> {
  /** Undefined if the sidecar belongs to other bytes, which a crash between the two renames can leave. */
  const checksums: Storage['checksums'] = async (key) => {
    const found = await statIfExists(pathOf(folders, key, OBJECT_SUFFIX))
    const text = await readFile(pathOf(folders, key, SIDECAR_SUFFIX), 'utf8').catch(undefinedIfMissing)
    if (!found || text === undefined) return undefined
    const { modifiedMs, ...sums } = Sidecar.parse(JSON.parse(text))
    return sums.size === found.size && modifiedMs === Math.floor(found.mtimeMs) ? sums : undefined
  }
  const head: Storage['head'] = async (key) => {
    const found = await statIfExists(pathOf(folders, key, OBJECT_SUFFIX))
    if (!found) return undefined
    const sums = await checksums(key)
    const etag = sums ? etagOf(sums.sha256) : `${found.size.toString(16)}-${Math.floor(found.mtimeMs).toString(16)}`
    return { key, size: found.size, etag, modifiedAt: found.mtime }
  }
  return {
    head,
    checksums,
    put: (key, body) => storeObject(folders, key, typeof body === 'string' || Buffer.isBuffer(body) ? [body] : body),
    async read(key, range, expectedSize) {
      const handle = await open(pathOf(folders, key, OBJECT_SUFFIX), 'r').catch(undefinedIfMissing)
      if (!handle) throw notFound('File')
      const { size } = await handle.stat()
      if (expectedSize !== undefined && size !== expectedSize) {
        await handle.close()
        throw conflict('The stored file does not have the registered size.')
      }
      return readFrom(handle, range?.start ?? 0, Math.min(size, (range?.end ?? size) + 1))
    },
    async remove(key) {
      for (const suffix of [OBJECT_SUFFIX, SIDECAR_SUFFIX]) await rm(pathOf(folders, key, suffix), { force: true })
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
    if (entry.isDirectory()) yield* keysIn(root, path)
    else if (path.endsWith(OBJECT_SUFFIX)) yield path.slice(0, -OBJECT_SUFFIX.length)
  }
}

export const statIfExists = (path: string) => stat(path).catch(undefinedIfMissing)

export function undefinedIfMissing(error: unknown): undefined {
  const code = errorCode(error)
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
}
