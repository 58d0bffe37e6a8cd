/** Records of a stored ZIP, after PKWARE's APPNOTE 6.3.10, sections 4.3 and 4.5. Nothing is compressed or encrypted. */

export interface RecordedMember {
  name: string
  /** Bytes. */
  size: number
  crc32: number
  modifiedAt: Date
  /** Position of the local header, in bytes from the start of the archive. */
  offset: number
}

const MAX_16 = 0xffff
const MAX_32 = 0xffffffff
const UTF8_FLAG = 0x0800
const VERSION = 20
const VERSION_ZIP64 = 45
const MADE_BY_UNIX = 3 << 8
const REGULAR_FILE = 0o100644
const TIME_FIELD_BYTES = 9

const needsZip64Size = (size: number) => size >= MAX_32
const needsZip64Offset = (offset: number) => offset >= MAX_32

export function localHeaderLength({ name, size }: { name: string; size: number }): number {
  return 30 + Buffer.byteLength(name) + (needsZip64Size(size) ? 20 : 0) + TIME_FIELD_BYTES
}

export function localHeader(member: RecordedMember): Buffer {
  const name = Buffer.from(member.name)
  const wide = needsZip64Size(member.size)
  const extra = Buffer.concat([wide ? zip64Field([member.size, member.size]) : Buffer.alloc(0), timeField(member.modifiedAt)])
  const fixed = Buffer.alloc(30)
  fixed.writeUInt32LE(0x04034b50, 0)
  fixed.writeUInt16LE(wide ? VERSION_ZIP64 : VERSION, 4)
  writeCommon(fixed, 6, member)
  fixed.writeUInt16LE(name.length, 26)
  fixed.writeUInt16LE(extra.length, 28)
  return Buffer.concat([fixed, name, extra])
}

export function centralHeaderLength({ name, size, offset }: { name: string; size: number; offset: number }): number {
  const wide = (needsZip64Size(size) ? 16 : 0) + (needsZip64Offset(offset) ? 8 : 0)
  return 46 + Buffer.byteLength(name) + (wide > 0 ? 4 + wide : 0) + TIME_FIELD_BYTES
}

export function centralHeader(member: RecordedMember): Buffer {
  const name = Buffer.from(member.name)
  const wide = [
    ...(needsZip64Size(member.size) ? [member.size, member.size] : []),
    ...(needsZip64Offset(member.offset) ? [member.offset] : []),
  ]
  const extra = Buffer.concat([wide.length > 0 ? zip64Field(wide) : Buffer.alloc(0), timeField(member.modifiedAt)])
  const version = wide.length > 0 ? VERSION_ZIP64 : VERSION
  const fixed = Buffer.alloc(46)
  fixed.writeUInt32LE(0x02014b50, 0)
  fixed.writeUInt16LE(MADE_BY_UNIX | version, 4)
  fixed.writeUInt16LE(version, 6)
  writeCommon(fixed, 8, member)
  fixed.writeUInt16LE(name.length, 28)
  fixed.writeUInt16LE(extra.length, 30)
  fixed.writeUInt32LE(REGULAR_FILE * 0x10000, 38)
  fixed.writeUInt32LE(Math.min(member.offset, MAX_32), 42)
  return Buffer.concat([fixed, name, extra])
}

/** Flags, method, time, date, CRC-32 and both sizes have this order in both headers. */
function writeCommon(record: Buffer, at: number, { size, crc32, modifiedAt }: RecordedMember): void {
  const { date, time } = dosTime(modifiedAt)
  record.writeUInt16LE(UTF8_FLAG, at)
  record.writeUInt16LE(0, at + 2)
  record.writeUInt16LE(time, at + 4)
  record.writeUInt16LE(date, at + 6)
  record.writeUInt32LE(crc32, at + 8)
  record.writeUInt32LE(Math.min(size, MAX_32), at + 12)
  record.writeUInt32LE(Math.min(size, MAX_32), at + 16)
}

const isZip64 = (count: number, length: number, offset: number) => count >= MAX_16 || length >= MAX_32 || offset >= MAX_32

export function endRecordsLength(count: number, length: number, offset: number): number {
  return 22 + (isZip64(count, length, offset) ? 56 + 20 : 0)
}

/** The end of the archive, for a central directory of `count` members and `length` bytes at `offset`. */
export function endRecords(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(count, MAX_16), 8)
  end.writeUInt16LE(Math.min(count, MAX_16), 10)
  end.writeUInt32LE(Math.min(length, MAX_32), 12)
  end.writeUInt32LE(Math.min(offset, MAX_32), 16)
  if (!isZip64(count, length, offset)) return end

  const wide = Buffer.alloc(56)
  wide.writeUInt32LE(0x06064b50, 0)
  wide.writeBigUInt64LE(44n, 4)
  wide.writeUInt16LE(MADE_BY_UNIX | VERSION_ZIP64, 12)
  wide.writeUInt16LE(VERSION_ZIP64, 14)
  wide.writeBigUInt64LE(BigInt(count), 24)
  wide.writeBigUInt64LE(BigInt(count), 32)
  wide.writeBigUInt64LE(BigInt(length), 40)
  wide.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + length), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([wide, locator, end])
}

function zip64Field(values: number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length)
  field.writeUInt16LE(0x0001, 0)
  field.writeUInt16LE(8 * values.length, 2)
  values.forEach((value, index) => field.writeBigUInt64LE(BigInt(value), 4 + 8 * index))
  return field
}

/** Extended timestamp: modification time in UTC seconds, which the DOS fields cannot express. */
function timeField(modifiedAt: Date): Buffer {
  const field = Buffer.alloc(TIME_FIELD_BYTES)
  field.writeUInt16LE(0x5455, 0)
  field.writeUInt16LE(5, 2)
  field.writeUInt8(1, 4)
  field.writeInt32LE(Math.max(-0x80000000, Math.min(0x7fffffff, Math.floor(modifiedAt.getTime() / 1000))), 5)
  return field
}

function dosTime(at: Date): { date: number; time: number } {
  const year = at.getUTCFullYear()
  if (year < 1980) return { date: (1 << 5) | 1, time: 0 }
  const date = (Math.min(year - 1980, 127) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return { date, time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1) }
}
