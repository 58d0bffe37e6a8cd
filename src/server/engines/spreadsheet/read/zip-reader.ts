import { TextDecoder } from 'node:util'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { IMPORT_MAX_RATIO, IMPORT_MAX_UNPACKED_BYTES } from '#contract/limits.ts'
import { IMPORT_MAX_MEMBERS, IMPORT_RATIO_FROM_BYTES } from '#contract/reading-limits.ts'
import { unpackFailure, brokenFile, passwordProtected, unpacksTooLarge } from './file-errors.ts'

export interface ZipArchive {
  /** Lower-case names, forward slashes. */
  names: string[]
  /** Inflates one member, at most to its declared size. Throws an AppError for a wrong size or checksum. */
  read(name: string): AsyncGenerator<Buffer>
  close(): void
}

/**
 * Opens a ZIP archive and checks its directory before anything is unpacked: number of members, declared
 * sizes, and the ratio of large members.
 * @throws AppError when the archive is damaged, encrypted or would unpack to too much.
 */
export async function openZip(path: string): Promise<ZipArchive> {
  const zip = await openPromise(path, { autoClose: false }).catch(() => {
    throw brokenFile('the archive is cut off or not complete')
  })
  try {
    const members = await readDirectory(zip)
    return {
      names: [...members.keys()],
      read: (name) => readMember(zip, members, name),
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw unpackFailure(error)
  }
}

async function readDirectory(zip: ZipFile): Promise<Map<string, Entry>> {
  const members = new Map<string, Entry>()
  let total = 0
  if (zip.entryCount > IMPORT_MAX_MEMBERS) throw unpacksTooLarge()
  for await (const entry of zip.eachEntry()) {
    total += entry.uncompressedSize
    if (entry.isEncrypted()) throw passwordProtected()
    if (total > IMPORT_MAX_UNPACKED_BYTES || isBomb(entry)) throw unpacksTooLarge()
    members.set(entry.fileName.toLowerCase(), entry)
  }
  return members
}

const isBomb = (entry: Entry) =>
  entry.uncompressedSize > IMPORT_RATIO_FROM_BYTES && entry.uncompressedSize > entry.compressedSize * IMPORT_MAX_RATIO

async function* readMember(zip: ZipFile, members: Map<string, Entry>, name: string): AsyncGenerator<Buffer> {
  const entry = members.get(name.toLowerCase())
  if (!entry) throw brokenFile(`${name} is missing`)
  let checksum = 0
  try {
    // Leaving the loop destroys the stream.
    const chunks: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry)
    for await (const chunk of chunks) {
      checksum = crc32(chunk, checksum)
      yield chunk
    }
  } catch (error) {
    throw unpackFailure(error)
  }
  if (checksum !== entry.crc32) throw brokenFile(`${name} does not match its checksum`)
}

/** The first chunk of the text of a member; the rest is not unpacked. */
export async function readMemberStart(zip: ZipArchive, name: string): Promise<string> {
  for await (const chunk of decodeMember(zip, name)) return chunk
  return ''
}

/** The text of a member chunk by chunk; UTF-8 unless its byte order mark says UTF-16. */
export async function* decodeMember(zip: ZipArchive, name: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  for await (const chunk of zip.read(name)) {
    decoder ??= new TextDecoder(chunk[0] === 0xff && chunk[1] === 0xfe ? 'utf-16le' : chunk[0] === 0xfe ? 'utf-16be' : 'utf-8')
    yield decoder.decode(chunk, { stream: true })
  }
  if (decoder) yield decoder.decode()
}
