import { randomUUID } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MINUTE_MS, MULTIPART_ABOVE_BYTES, UPLOAD_LINK_LIFE_MS, UPLOAD_PART_BYTES } from '#contract/limits.ts'
import { systemClock, type Clock } from '#server/kernel/clock.ts'
import { forbidden, tooLarge } from '#server/kernel/errors.ts'
import { isSigned, sign } from '../secrets/tokens.ts'
import { diskObjects, statIfExists, type DiskFolders } from './disk-files.ts'
import { diskUploads } from './disk-multipart.ts'
import { diskFailure, makeFolder } from './durable-file.ts'
import { checkedKey, type Storage } from './storage.ts'

/** The path of the routes of `registerDiskRoutes`. Links are relative, because the page has the same origin. */
export const STORAGE_PATH = '/storage'

export interface DiskStorage extends Storage {
  kind: 'disk'
  folders: DiskFolders
  links: LinkSigner
}

interface DiskOptions {
  dataDir: string
  /** Signs the links; the same for all processes that serve them. */
  secret: string
  clock?: Clock
}

/**
 * An unfinished file that was not written to for this long belongs to no running upload: stalled ones are cut much sooner. Other
 * processes use the same folder.
 */
const INCOMING_IDLE_MS = 10 * MINUTE_MS

/** Documents as files in `{dataDir}/objects`, which several processes can share. Removes files of interrupted uploads. */
export async function openDiskStorage({ dataDir, secret, clock = systemClock }: DiskOptions): Promise<DiskStorage> {
  const root = join(dataDir, 'objects')
  const folders: DiskFolders = { objects: join(root, 'data'), incoming: join(root, 'incoming'), parts: join(root, 'parts') }
  for (const folder of Object.values(folders)) await makeFolder(folder)
  await sweep(folders.incoming, new Date(Date.now() - INCOMING_IDLE_MS))
  const links = createLinkSigner(secret, clock)
  const objects = diskObjects(folders)

  return {
    kind: 'disk',
    folders,
    links,
    check: () => checkWritable(folders),
    ...linkCalls(links),
    ...objects,
    ...diskUploads(folders, objects.head),
    sweepTemporary: async (before) => (await sweep(folders.incoming, before)) + (await sweep(folders.parts, before)),
  }
}

/** In signed links whose bytes are shown, not saved. */
export const PREVIEW_PURPOSE = 'preview'

export type LinkFields = Record<string, string>
type LinkSigner = ReturnType<typeof createLinkSigner>

const byName = ([a]: [string, string], [b]: [string, string]) => (a < b ? -1 : 1)

/** Signs what a link permits, including its expiry. `verify` returns the fields, or throws `forbidden` for a changed or expired link. */
function createLinkSigner(secret: string, clock: Clock) {
  const flat = (fields: LinkFields) => Object.entries(fields).sort(byName).flat()
  return {
    sign(method: 'POST' | 'PUT' | 'GET', fields: LinkFields, expiresInMs: number): LinkFields {
      const signed = { ...fields, expires: String(clock.now().getTime() + expiresInMs) }
      return { ...signed, signature: sign(secret, `storage ${method}`, ...flat(signed)) }
    },
    verify(method: 'POST' | 'PUT' | 'GET', { signature = '', ...signed }: LinkFields): LinkFields {
      if (!isSigned(signature, secret, `storage ${method}`, ...flat(signed))) {
        throw forbidden('This link is not valid. Open the page again to get a new one.')
      }
      if (clock.now().getTime() > Number(signed['expires'])) throw forbidden('This link has expired. Open the page again to get a new one.')
      return signed
    },
  }
}

function linkCalls(links: LinkSigner): Pick<Storage, 'uploadTicket' | 'partUrl' | 'downloadUrl'> {
  const link = (path: string, fields: LinkFields) => `${STORAGE_PATH}/${path}?${new URLSearchParams(fields)}`
  return {
    async uploadTicket(key, { contentType, size, expiresInMs, familyId = '' }) {
      if (size > MULTIPART_ABOVE_BYTES) throw tooLarge('A file of this size is uploaded in parts.')
      const permitted = { key: checkedKey(key), 'Content-Type': contentType, limit: String(size), family: familyId }
      return { postEndpoint: `${STORAGE_PATH}/upload`, fields: links.sign('POST', permitted, expiresInMs) }
    },
    async partUrl(key, uploadId, number, { size = UPLOAD_PART_BYTES, familyId = '' } = {}) {
      const fields = { key: checkedKey(key), upload: uploadId, number: String(number), limit: String(size), family: familyId }
      return link('part', links.sign('PUT', fields, UPLOAD_LINK_LIFE_MS))
    },
    async downloadUrl(key, { fileName, contentType, disposition, isPreview = false, expiresInMs, familyId = '' }) {
      const use: LinkFields = isPreview ? { disposition, purpose: PREVIEW_PURPOSE } : { disposition }
      const fields = { key: checkedKey(key), name: fileName, type: contentType, ...use, family: familyId }
      return link('object', links.sign('GET', fields, expiresInMs))
    },
  }
}

async function checkWritable(folders: DiskFolders): Promise<void> {
  const path = join(folders.incoming, `probe-${randomUUID()}`)
  try {
    await writeFile(path, 'probe')
  } catch (error) {
    throw diskFailure(error)
  } finally {
    // A full disk still creates the file, without content.
    await rm(path, { force: true }).catch(() => undefined)
  }
}

/** Removes the files and folders that were last changed before the given time; returns how many. */
async function sweep(folder: string, before: Date): Promise<number> {
  let removed = 0
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await statIfExists(path)
    if (!found || found.mtime >= before) continue
    await rm(path, { recursive: true, force: true })
    removed += 1
  }
  return removed
}
