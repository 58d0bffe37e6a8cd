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

/** A read takes browsers milliseconds however few bytes it is for, so members are read together up to this size. */
const GROUP_BYTES = 4 * 1024 ** 2
/** The browser's own SHA-256 takes longer for fewer bytes than computing it here. */
const SMALL_BYTES = 16 * 1024

/** Members that are read together, with their headers. */
interface Group {
  start: number
  end: number
  members: ArchiveMember[]
}

function groupsOf(members: readonly ArchiveMember[]): Group[] {
  const groups: Group[] = []
  for (const member of members) {
    const last = groups.at(-1)
    if (last !== undefined && member.end - last.start <= GROUP_BYTES) {
      last.members.push(member)
      last.end = member.end
    } else groups.push({ start: member.headerStart, end: member.end, members: [member] })
  }
  return groups
}

/** SHA-256 of the archive in which the content of each member is replaced by its SHA-256, so that every byte is hashed once. */
async function hashArchive(file: Blob, members: readonly ArchiveMember[], onRead: OnRead): Promise<HashedFile> {
  const outer = sha256.create()
  const hashed: HashedFile['members'] = []
  const read = async (start: number, end: number) => {
    const bytes = new Uint8Array(await file.slice(start, end).arrayBuffer())
    onRead(bytes.length)
    return bytes
  }
  for (const group of groupsOf(members)) {
    // A larger member is a group of its own.
    const together = group.end - group.start <= GROUP_BYTES ? await read(group.start, group.end) : undefined
    for (const { path, headerStart, start, end } of group.members) {
      const part = (from: number, to: number) => together?.subarray(from - group.start, to - group.start)
      outer.update(part(headerStart, start) ?? (await read(headerStart, start)))
      const content = part(start, end)
      const inner = content === undefined ? await digest(file.slice(start, end), onRead) : await digestAtOnce(content)
      outer.update(inner)
      // A folder is no file.
      if (!path.endsWith('/')) hashed.push({ path, checksum: hex(inner) })
    }
  }
  outer.update(await read(members.at(-1)?.end ?? 0, file.size))
  return { checksum: `zip:${hex(outer.digest())}`, members: hashed }
}

async function digest(file: Blob, onRead: OnRead): Promise<Uint8Array> {
  if (file.size <= CHECK_AT_ONCE_BYTES && globalThis.isSecureContext) {
    const found = await digestAtOnce(new Uint8Array(await file.arrayBuffer()))
    onRead(file.size)
    return found
  }
  const hash = sha256.create()
  const reader = file.stream().getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    hash.update(part.value)
    onRead(part.value.length)
  }
  return hash.digest()
}

/** The SHA-256 of browsers is many times as fast, but needs all bytes at once, and a page that was loaded by HTTPS. */
async function digestAtOnce(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (bytes.length <= SMALL_BYTES || !globalThis.isSecureContext) return sha256(bytes)
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
