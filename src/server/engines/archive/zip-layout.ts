import { createHash } from 'node:crypto'
import { centralHeaderLength, endRecordsLength, localHeaderLength, type ZipEntry } from './zip-records.ts'

export interface ZipMember extends ZipEntry {
  source: { kind: 'object'; key: string } | { kind: 'bytes'; bytes: Buffer }
}

interface PlacedMember extends ZipMember {
  /** Position of the local header, in bytes from the start of the archive. */
  offset: number
  /** Position of the first byte of content. */
  dataOffset: number
}

export interface ZipLayout {
  members: PlacedMember[]
  centralOffset: number
  centralLength: number
  /** Exact bytes of the whole archive. */
  length: number
  /** Strong, without quotes. Equal only for equal members, so that an interrupted download can resume after another layout. */
  etag: string
}

/**
 * Lays out every byte of a stored (uncompressed) ZIP from metadata alone, with ZIP64 records where sizes, offsets or the
 * count need them.
 * @throws Error for an unsafe or duplicate name, or bytes of another length than stated: the caller makes the names.
 */
export function layoutZip(members: ZipMember[]): ZipLayout {
  assertNames(members.map(({ name }) => name))
  const fingerprint = createHash('sha256')
  const placed: PlacedMember[] = []
  let offset = 0
  for (const member of members) {
    if (member.source.kind === 'bytes' && member.source.bytes.length !== member.size) {
      throw new Error(`The archive member ${JSON.stringify(member.name)} is not as long as it says.`)
    }
    const dataOffset = offset + localHeaderLength(member)
    placed.push({ ...member, offset, dataOffset })
    offset = dataOffset + member.size
    const origin = member.source.kind === 'object' ? member.source.key : null
    fingerprint.update(JSON.stringify([member.name, member.size, member.crc32, member.modifiedAt.getTime(), origin]))
  }
  const centralLength = placed.reduce((sum, member) => sum + centralHeaderLength(member), 0)
  return {
    members: placed,
    centralOffset: offset,
    centralLength,
    length: offset + centralLength + endRecordsLength(placed.length, centralLength, offset),
    etag: fingerprint.digest('hex').slice(0, 32),
  }
}

function assertNames(names: Iterable<string>): void {
  const files = new Set<string>()
  const folders = new Set<string>()
  for (const name of names) {
    const segments = name.split('/')
    const safe = segments.every((part) => part !== '' && part !== '.' && part !== '..') && !/[\\:\p{Cc}]/u.test(name) && name.isWellFormed()
    if (!safe || Buffer.byteLength(name) > 0xffff) throw new Error(`The archive member ${JSON.stringify(name)} has no safe name.`)
    // File systems of Windows and macOS ignore case and composition.
    const folded = name.normalize('NFC').toLowerCase()
    if (files.has(folded)) throw new Error(`Two archive members are named ${JSON.stringify(name)}, ignoring case.`)
    files.add(folded)
    for (let slash = folded.indexOf('/'); slash >= 0; slash = folded.indexOf('/', slash + 1)) folders.add(folded.slice(0, slash))
  }
  for (const file of files) {
    if (folders.has(file)) throw new Error(`The archive member ${JSON.stringify(file)} is both a file and a folder.`)
  }
}
