import { sha256 } from '@noble/hashes/sha2.js'
import { CHECK_AT_ONCE_BYTES } from '#contract/limits.ts'
import { archiveMembers, type ArchiveMember } from './archive-members.ts'

export interface HashedFile {
  /** SHA-256, or `zip:` and the digest of an archive of the product. */
  checksum: string
  /** Those of an archive, with their SHA-256. */
  members: { path: string; checksum: string }[]
}

/** Called with the bytes that were read since the last call. */
type OnRead = (bytes: number) => void

/** The checksum of a file, and of the files in it if it is an archive of the product. */
export async function hashFile(file: Blob, onRead: OnRead): Promise<HashedFile> {
  const members = await archiveMembers(file)
  return members === undefined ? { checksum: hex(await digest(file, onRead)), members: [] } : hashArchive(file, members, onRead)
}

/** SHA-256 of the whole file, also of an archive. */
export const hashWhole = async (file: Blob, onRead: OnRead): Promise<HashedFile> => ({
  checksum: hex(await digest(file, onRead)),
  members: [],
})

/** SHA-256 of the archive in which the content of each member is replaced by its SHA-256, so that every byte is read once. */
async function hashArchive(file: Blob, members: readonly ArchiveMember[], onRead: OnRead): Promise<HashedFile> {
  const outer = sha256.create()
  const hashed: HashedFile['members'] = []
  const add = async (start: number, end: number) => outer.update(new Uint8Array(await file.slice(start, end).arrayBuffer()))
  for (const { path, headerStart, start, end } of members) {
    await add(headerStart, start)
    const inner = await digest(file.slice(start, end), onRead)
    outer.update(inner)
    hashed.push({ path, checksum: hex(inner) })
  }
  await add(members.at(-1)?.end ?? 0, file.size)
  return { checksum: `zip:${hex(outer.digest())}`, members: hashed }
}

/** The SHA-256 of browsers is many times as fast, but needs all bytes at once, and a page that was loaded by HTTPS. */
async function digest(file: Blob, onRead: OnRead): Promise<Uint8Array> {
  if (file.size <= CHECK_AT_ONCE_BYTES && globalThis.isSecureContext) {
    const found = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
    onRead(file.size)
    return new Uint8Array(found)
  }
  const hash = sha256.create()
  const reader = file.stream().getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    hash.update(part.value)
    onRead(part.value.length)
  }
  return hash.digest()
}

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
