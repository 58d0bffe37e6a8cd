import { createHash } from 'node:crypto'
import { assertNames } from './zip-names.ts'
import { centralHeaderLength, endRecordsLength, localHeaderLength } from './zip-records.ts'

export interface ZipMember {
  /** Path inside the archive with `/`; already fit for every file system, as `assertNames` demands. */
  name: string
  /** Bytes. */
  size: number
  crc32: number
  modifiedAt: Date
  source: { kind: 'object'; key: string } | { kind: 'bytes'; bytes: Buffer }
}

export interface PlacedMember extends ZipMember {
  /** Of the local header, in bytes from the start of the archive. */
  offset: number
  /** Of the first byte of content. */
  dataOffset: number
}

export interface ZipLayout {
  members: PlacedMember[]
  centralOffset: number
  centralLength: number
  /** Exact bytes of the whole archive. */
  length: number
  /** Strong and without quotes: equal for equal members only, so that a broken download may resume after another layout. */
  etag: string
}

/** Places every byte of a stored (uncompressed) ZIP from metadata alone; ZIP64 records appear where sizes, offsets or count need them. */
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
