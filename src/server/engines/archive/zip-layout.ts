import { createHash } from 'node:crypto'

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

/** Records of a ZIP, after PKWARE's APPNOTE 6.3.10, sections 4.3 and 4.5. Nothing is encrypted. */

export interface ZipEntry {
  /** Path inside the archive with `/`, valid on every file system; see `assertNames`. */
  name: string
  /** Bytes. */
  size: number
  crc32: number
  modifiedAt: Date
  /** Of a member that is compressed while it is written: a data descriptor follows its bytes, and its local header has zeros instead. */
  compressedSize?: number
}

const MAX_16 = 0xffff
const MAX_32 = 0xffffffff
const UTF8_FLAG = 0x0800
const DESCRIPTOR_FLAG = 0x0008
const DEFLATED = 8
const VERSION = 20
const VERSION_ZIP64 = 45
const MADE_BY_UNIX = 3 << 8
const REGULAR_FILE = 0o100644
const TIME_FIELD_BYTES = 9

/** Little-endian numbers without gaps: B of one byte, H of two, I of four, Q of eight. */
function pack(format: string, ...values: readonly number[]): Buffer {
  const packed = Buffer.allocUnsafe(64)
  let at = 0
  values.forEach((value, index) => {
    const type = format[index]
    if (type === 'H') at = packed.writeUInt16LE(value, at)
    else if (type === 'I') at = packed.writeUInt32LE(value, at)
    else if (type === 'Q') at = packed.writeBigUInt64LE(BigInt(value), at)
    else at = packed.writeUInt8(value, at)
  })
  return packed.subarray(0, at)
}

const atMost32 = (value: number) => Math.min(value, MAX_32)

export function localHeaderLength({ name, size }: Pick<ZipEntry, 'name' | 'size'>): number {
  return 30 + Buffer.byteLength(name) + (size >= MAX_32 ? 20 : 0) + TIME_FIELD_BYTES
}

export function localHeader(entry: ZipEntry): Buffer {
  const wide = entry.size >= MAX_32 ? [entry.size, entry.size] : []
  const name = Buffer.from(entry.name)
  const extra = extraFields(wide, entry.modifiedAt)
  return Buffer.concat([
    pack('IH', 0x04034b50, wide.length > 0 ? VERSION_ZIP64 : VERSION),
    commonFields(entry),
    pack('HH', name.length, extra.length),
    name,
    extra,
  ])
}

function centralHeaderLength({ name, size, offset }: { name: string; size: number; offset: number }): number {
  const wide = (size >= MAX_32 ? 16 : 0) + (offset >= MAX_32 ? 8 : 0)
  return 46 + Buffer.byteLength(name) + (wide > 0 ? 4 + wide : 0) + TIME_FIELD_BYTES
}

/** `offset` is the position of the local header, in bytes from the start of the archive. */
export function centralHeader(entry: ZipEntry & { offset: number }): Buffer {
  const { size, compressedSize = size, offset } = entry
  const wide = [size, compressedSize, offset].filter((value) => value >= MAX_32)
  const version = wide.length > 0 ? VERSION_ZIP64 : VERSION
  const name = Buffer.from(entry.name)
  const extra = extraFields(wide, entry.modifiedAt)
  return Buffer.concat([
    pack('IHH', 0x02014b50, MADE_BY_UNIX | version, version),
    commonFields(entry),
    // After the lengths of name and extra: no comment, first disk, no internal attributes.
    pack('HHHHHII', name.length, extra.length, 0, 0, 0, REGULAR_FILE * 0x10000, atMost32(offset)),
    name,
    extra,
  ])
}

/** Flags, method, time, date, CRC-32 and both sizes have this order in both headers. */
function commonFields({ size, compressedSize, crc32, modifiedAt }: ZipEntry): Buffer {
  const { date, time } = dosTime(modifiedAt)
  const [flags, method] = compressedSize === undefined ? [UTF8_FLAG, 0] : [UTF8_FLAG | DESCRIPTOR_FLAG, DEFLATED]
  return pack('HHHHIII', flags, method, time, date, crc32, atMost32(compressedSize ?? size), atMost32(size))
}

/** What was not known when the local header was written. */
export function dataDescriptor({ size, compressedSize = size, crc32 }: ZipEntry): Buffer {
  return pack(Math.max(size, compressedSize) >= MAX_32 ? 'IIQQ' : 'IIII', 0x08074b50, crc32, compressedSize, size)
}

const isZip64 = (count: number, length: number, offset: number) => count >= MAX_16 || length >= MAX_32 || offset >= MAX_32

function endRecordsLength(count: number, length: number, offset: number): number {
  return 22 + (isZip64(count, length, offset) ? 56 + 20 : 0)
}

/** The end of the archive, for a central directory of `count` members and `length` bytes at `offset`. */
export function endRecords(count: number, length: number, offset: number): Buffer {
  const shortCount = Math.min(count, MAX_16)
  const end = pack('IHHHHIIH', 0x06054b50, 0, 0, shortCount, shortCount, atMost32(length), atMost32(offset), 0)
  if (!isZip64(count, length, offset)) return end

  const version = MADE_BY_UNIX | VERSION_ZIP64
  const wide = pack('IQHHIIQQQQ', 0x06064b50, 44, version, VERSION_ZIP64, 0, 0, count, count, length, offset)
  const locator = pack('IIQI', 0x07064b50, 0, offset + length, 1)
  return Buffer.concat([wide, locator, end])
}

/** The sizes and the offset that need 64 bits, and the modification time in UTC seconds, which the DOS fields cannot express. */
function extraFields(wide: readonly number[], modifiedAt: Date): Buffer {
  const seconds = Math.max(-0x80000000, Math.min(0x7fffffff, Math.floor(modifiedAt.getTime() / 1000)))
  const time = pack('HHBI', 0x5455, 5, 1, seconds >>> 0)
  return wide.length === 0 ? time : Buffer.concat([pack(`HH${'Q'.repeat(wide.length)}`, 0x0001, 8 * wide.length, ...wide), time])
}

function dosTime(at: Date): { date: number; time: number } {
  const year = at.getUTCFullYear()
  if (year < 1980) return { date: (1 << 5) | 1, time: 0 }
  const date = (Math.min(year - 1980, 127) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return { date, time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1) }
}
