import { randomUUID } from 'node:crypto'
import { readdir, rm, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MULTIPART_ABOVE_BYTES, UPLOAD_LINK_LIFE_MS, UPLOAD_PART_BYTES } from '#contract/limits.ts'
import { systemClock, type Clock } from '#server/kernel/clock.ts'
import { tooLarge } from '#server/kernel/errors.ts'
import { headObject, listObjects, oneChunk, readChecksums, readObject, removeObject, statOrNothing, storeObject } from './disk-files.ts'
import type { DiskFolders } from './disk-files.ts'
import { createLinkSigner, type LinkFields, type LinkSigner } from './disk-links.ts'
import { abortUpload, completeUpload, listUploadedParts, startUpload, sweepUploads } from './disk-multipart.ts'
import { diskFailure, makeFolder } from './durable-file.ts'
import { assertKey, type Storage } from './storage.ts'

/** Where the routes of `registerDiskRoutes` answer; links are relative, as the page and the store share one origin. */
export const STORAGE_PATH = '/storage'

export interface DiskStorage extends Storage {
  kind: 'disk'
  folders: DiskFolders
  links: LinkSigner
}

interface DiskOptions {
  dataDir: string
  /** Signs the links; the same for every process that serves them. */
  secret: string
  clock?: Clock
}

/** Documents as files below `{dataDir}/objects`. One server owns the folder: what an earlier one left half received is removed here. */
export async function openDiskStorage({ dataDir, secret, clock = systemClock }: DiskOptions): Promise<DiskStorage> {
  const root = join(dataDir, 'objects')
  const folders: DiskFolders = { objects: join(root, 'data'), incoming: join(root, 'incoming'), parts: join(root, 'parts') }
  for (const folder of Object.values(folders)) await makeFolder(folder)
  await sweepIncoming(folders)
  const links = createLinkSigner(secret, () => clock.now())

  return {
    kind: 'disk',
    folders,
    links,
    check: () => probe(folders),
    ...linkCalls(links),
    startMultipart: (key) => startUpload(folders, key),
    listParts: (key, uploadId) => listUploadedParts(folders, key, uploadId),
    completeMultipart: (key, uploadId, parts) => completeUpload(folders, key, uploadId, parts),
    abortMultipart: (key, uploadId) => abortUpload(folders, key, uploadId),
    put: (key, body) => storeObject(folders, key, typeof body === 'string' || Buffer.isBuffer(body) ? oneChunk(body) : body),
    head: (key) => headObject(folders, key),
    read: (key, range, expectedSize) => readObject(folders, key, range, expectedSize),
    remove: (key) => removeObject(folders, key),
    list: (prefix) => listObjects(folders, prefix),
    checksums: (key) => readChecksums(folders, key),
    sweepTemporary: async (before) => (await sweepIncoming(folders, before)) + (await sweepUploads(folders, before)),
  }
}

function linkCalls(links: LinkSigner): Pick<Storage, 'uploadTicket' | 'partUrl' | 'downloadUrl'> {
  const link = (path: string, fields: LinkFields) => `${STORAGE_PATH}/${path}?${new URLSearchParams(fields)}`
  return {
    async uploadTicket(key, { contentType, size, expiresInMs }) {
      assertKey(key)
      if (size > MULTIPART_ABOVE_BYTES) throw tooLarge('A file of this size is uploaded in parts.')
      const fields = links.sign('POST', { key, 'Content-Type': contentType, limit: String(size) }, expiresInMs)
      return { postEndpoint: `${STORAGE_PATH}/upload`, fields }
    },
    async partUrl(key, uploadId, number, { size = UPLOAD_PART_BYTES } = {}) {
      assertKey(key)
      const fields = { key, upload: uploadId, number: String(number), limit: String(size) }
      return link('part', links.sign('PUT', fields, UPLOAD_LINK_LIFE_MS))
    },
    async downloadUrl(key, { fileName, contentType, disposition, expiresInMs, viewerId = '' }) {
      assertKey(key)
      return link('object', links.sign('GET', { key, name: fileName, type: contentType, disposition, viewer: viewerId }, expiresInMs))
    },
  }
}

async function probe(folders: DiskFolders): Promise<void> {
  const path = join(folders.incoming, `probe-${randomUUID()}`)
  try {
    await writeFile(path, 'probe')
    await unlink(path)
  } catch (error) {
    throw diskFailure(error)
  }
}

async function sweepIncoming(folders: DiskFolders, before?: Date): Promise<number> {
  let removed = 0
  for (const name of await readdir(folders.incoming)) {
    const path = join(folders.incoming, name)
    const found = await statOrNothing(path)
    if (!found || (before && found.mtime >= before)) continue
    await rm(path, { force: true })
    removed += 1
  }
  return removed
}
