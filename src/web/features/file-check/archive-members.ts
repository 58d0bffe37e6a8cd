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

const viewOf = async (file: Blob, start: number, length: number) => new DataView(await file.slice(start, start + length).arrayBuffer())

/**
 * The members of an archive that the product made, from their headers: their content is stored as it is, one after the other. Undefined for
 * any other file.
 */
export async function archiveMembers(file: Blob): Promise<ArchiveMember[] | undefined> {
  const members: ArchiveMember[] = []
  for (let at = 0; ;) {
    const header = await viewOf(file, at, HEADER_BYTES)
    if (header.byteLength < HEADER_BYTES) return undefined
    const signature = header.getUint32(0, true)
    if (signature === CENTRAL_HEADER) break
    const method = header.getUint16(8, true)
    if (signature !== LOCAL_HEADER || method !== 0 || (header.getUint16(6, true) & (ENCRYPTED | SIZE_FOLLOWS)) !== 0) return undefined
    const nameLength = header.getUint16(26, true)
    const extraLength = header.getUint16(28, true)
    const rest = await viewOf(file, at + HEADER_BYTES, nameLength + extraLength)
    if (rest.byteLength < nameLength + extraLength) return undefined
    const start = at + HEADER_BYTES + nameLength + extraLength
    const end = start + sizeOf(header, new DataView(rest.buffer, nameLength))
    if (end > file.size) return undefined
    members.push({ path: new TextDecoder().decode(rest.buffer.slice(0, nameLength)), headerStart: at, start, end })
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
