import type { Hash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'
import { centralHeader, dataDescriptor, endRecords, localHeader, type ZipEntry } from '../archive/zip-layout.ts'

/** A part of an office file, its XML in pieces, and what takes the bytes of that XML. */
export type Part = readonly [name: string, content: Iterable<string> | AsyncIterable<string>, hash?: Hash | undefined]

/** The fixed date makes the same parts the same file. */
const MODIFIED_AT = new Date(Date.UTC(1980, 0, 1))
/** Higher levels take three times as long to save a tenth. */
const COMPRESSION_LEVEL = 2
/** Of compressed bytes. Each chunk is a task for another thread, so smaller ones take longer. */
const CHUNK_BYTES = 131_072
/** XML that is rendered while another thread compresses what was rendered before. */
const RENDERED_AHEAD_BYTES = 4 * CHUNK_BYTES

/**
 * The parts as a compressed ZIP, which is a byte stream. Memory is constant: a part is rendered only as fast as the stream is read. Errors: the
 * stream fails when a part does.
 */
export const zipParts = (parts: Iterable<Part>): Readable =>
  Readable.from(zipChunks(parts), { objectMode: false, highWaterMark: CHUNK_BYTES })

const PIECE_BYTES = 2 * CHUNK_BYTES
/** Most bytes of a character. */
const UTF8_BYTES = 3

type Member = Required<ZipEntry> & { offset: number }

async function* zipChunks(parts: Iterable<Part>): AsyncGenerator<Buffer> {
  const members: Member[] = []
  let offset = 0
  for (const [name, content, hash] of parts) {
    // Sizes and checksum are known at the end of the part.
    const member: Member = { name, size: 0, compressedSize: 0, crc32: 0, modifiedAt: MODIFIED_AT, offset }
    members.push(member)
    const header = localHeader(member)
    yield header
    for await (const chunk of compressed(measured(content, member, hash))) {
      member.compressedSize += chunk.length
      yield chunk
    }
    const descriptor = dataDescriptor(member)
    yield descriptor
    offset += header.length + member.compressedSize + descriptor.length
  }
  const directory = Buffer.concat(members.map(centralHeader))
  yield directory
  yield endRecords(members.length, directory.length, offset)
}

function compressed(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const xml = Readable.from(bytes, { objectMode: false, highWaterMark: RENDERED_AHEAD_BYTES })
  // An error of either stream destroys both, and reading the result throws it.
  return pipeline(xml, createDeflateRaw({ level: COMPRESSION_LEVEL, chunkSize: CHUNK_BYTES }), () => undefined)
}

async function* measured(content: Part[1], member: Member, hash: Hash | undefined): AsyncGenerator<Buffer> {
  for await (const bytes of encoded(content)) {
    member.size += bytes.length
    member.crc32 = crc32(bytes, member.crc32)
    hash?.update(bytes)
    yield bytes
  }
}

/** In UTF-8, in pieces that are worth a task of the thread that compresses them. The first is a single text, which small parts are. */
async function* encoded(content: Part[1]): AsyncGenerator<Buffer> {
  let piece = Buffer.alloc(0)
  let length = 0
  for await (const text of content) {
    const most = text.length * UTF8_BYTES
    if (length + most > piece.length) {
      if (length > 0) yield piece.subarray(0, length)
      piece = Buffer.allocUnsafe(Math.max(most, length > 0 ? PIECE_BYTES : 0))
      length = 0
    }
    length += piece.write(text, length)
  }
  if (length > 0) yield piece.subarray(0, length)
}
