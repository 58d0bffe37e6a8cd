import { MANIFEST_NAME } from '#contract/manifest.ts'

/** A file in an archive; positions are bytes from the start of the archive. */
export interface ArchiveMember {
  path: string
  headerStart: number
  start: number
  end: number
}

const LOCAL_HEADER = 0x04034b50
const CENTRAL_HEADER = 0x02014b50
const HEADER_BYTES = 30
const ENCRYPTED = 0x0001
const SIZE_FOLLOWS = 0x0008
const WIDE_SIZE = 0xffffffff
const ZIP64_FIELD = 0x0001
const FIELD_HEADER_BYTES = 4

/** A read takes browsers milliseconds however few bytes it is for, so one read is for the headers of many small members. */
const BYTES_PER_READ = 64 * 1024

/** Returns a function that reads parts of the file in their order, fewer bytes at its end. */
function headerReader(file: Blob) {
  let from = 0
  let bytes = new ArrayBuffer(0)
  return async (start: number, length: number): Promise<DataView<ArrayBuffer>> => {
    if (start < from || start + length > from + bytes.byteLength) {
      from = start
      bytes = await file.slice(start, start + Math.max(length, BYTES_PER_READ)).arrayBuffer()
    }
    return new DataView(bytes, start - from, Math.min(length, bytes.byteLength - (start - from)))
  }
}

/**
 * The members of an archive that the product made, from their headers: their content is stored as it is, one after the other. Undefined for
 * any other file.
 */
export async function archiveMembers(file: Blob): Promise<ArchiveMember[] | undefined> {
  const members: ArchiveMember[] = []
  const read = headerReader(file)
  const decoder = new TextDecoder()
  for (let at = 0; ;) {
    const header = await read(at, HEADER_BYTES)
    if (header.byteLength < HEADER_BYTES) return undefined
    const signature = header.getUint32(0, true)
    if (signature === CENTRAL_HEADER) break
    const method = header.getUint16(8, true)
    if (signature !== LOCAL_HEADER || method !== 0 || (header.getUint16(6, true) & (ENCRYPTED | SIZE_FOLLOWS)) !== 0) return undefined
    const nameLength = header.getUint16(26, true)
    const extraLength = header.getUint16(28, true)
    const rest = await read(at + HEADER_BYTES, nameLength + extraLength)
    if (rest.byteLength < nameLength + extraLength) return undefined
    const start = at + HEADER_BYTES + nameLength + extraLength
    const end = start + sizeOf(header, new DataView(rest.buffer, rest.byteOffset + nameLength, extraLength))
    if (end > file.size) return undefined
    members.push({ path: decoder.decode(new Uint8Array(rest.buffer, rest.byteOffset, nameLength)), headerStart: at, start, end })
    at = end
  }
  return members.some(({ path }) => path === MANIFEST_NAME) ? members : undefined
}

/** Of 4 GiB and more, the size is the first of the extra fields. */
function sizeOf(header: DataView, extra: DataView): number {
  const size = header.getUint32(18, true)
  const isWide = size === WIDE_SIZE && extra.byteLength >= FIELD_HEADER_BYTES + 8 && extra.getUint16(0, true) === ZIP64_FIELD
  return isWide ? Number(extra.getBigUint64(FIELD_HEADER_BYTES, true)) : size
}
