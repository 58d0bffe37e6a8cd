import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { startDownload } from '#server/engines/storage/download.ts'
import { sendDownload, type Delivery, type DownloadBody } from '#server/engines/storage/send-download.ts'
import type { ByteRange, Storage } from '#server/engines/storage/storage.ts'
import { type ZipLayout, centralHeader, endRecords, localHeader } from './zip-layout.ts'

/** Responds to GET or HEAD for an archive with a known length, Range, If-Range and 416, so that an interrupted download can resume. */
export function serveZip(
  request: FastifyRequest,
  reply: FastifyReply,
  layout: ZipLayout,
  storage: Pick<Storage, 'read'>,
  { fileName, delivery }: { fileName: string; delivery: Delivery },
): FastifyReply {
  const stored = { size: layout.length, etag: layout.etag }
  const range = startDownload(request, reply, stored, { contentType: 'application/zip', disposition: 'attachment', fileName })
  // With no payload at all, the answer to HEAD would have the length 0.
  if (!range) return reply.send(Readable.from([]))

  return sendDownload(request, reply, zipChunks(layout, storage, range), range, delivery)
}

/** Objects are opened before they are needed, up to these limits, so that their latency does not interrupt the stream. */
const PREFETCH_BYTES = 4 * 1024 ** 2
const PREFETCH_OBJECTS = 4
const JOIN_BELOW_BYTES = 64 * 1024
const CENTRAL_BATCH = 500

type Source = Pick<Storage, 'read'>
type OpenObjects = { closed: boolean; contents: Set<Readable> }
type Opening = { piece: Piece; content: Promise<Buffer | Readable> }

/** A part of the archive; `start` and `end` (exclusive) count from the start of the piece. */
type Piece =
  { kind: 'bytes'; start: number; end: number; bytes: Buffer } | { kind: 'object'; start: number; end: number; key: string; size: number }

/**
 * Yields exactly the bytes of the (inclusive) range of the archive. `close` closes every object and makes the generator
 * fail at its next step, also while it waits.
 * @throws when an object is missing, unreadable or of another size, so that a client that has the length detects an incomplete download.
 */
export function zipChunks(layout: ZipLayout, storage: Source, range: ByteRange): DownloadBody & { chunks: AsyncGenerator<Buffer> } {
  const open: OpenObjects = { closed: false, contents: new Set() }
  const close = () => {
    open.closed = true
    for (const content of open.contents) content.destroy()
  }
  return { chunks: joinSmall(readPieces(piecesOf(layout, range.start, range.end), storage, open)), close }
}

/** Yields the pieces of the inclusive range in order. */
function* piecesOf(layout: ZipLayout, start: number, end: number): Generator<Piece> {
  const clip = (at: number, length: number) => ({ start: Math.max(0, start - at), end: Math.min(length, end + 1 - at) })
  const bytes = function* (at: number, made: Buffer): Generator<Piece> {
    const within = clip(at, made.length)
    if (within.start < within.end) yield { kind: 'bytes', ...within, bytes: made }
  }

  const first = layout.members.findLastIndex(({ offset }) => offset <= start)
  for (const member of layout.members.slice(Math.max(0, first))) {
    if (member.offset > end) break
    if (start < member.dataOffset) yield* bytes(member.offset, localHeader(member))
    if (member.source.kind === 'bytes') {
      yield* bytes(member.dataOffset, member.source.bytes)
      continue
    }
    const within = clip(member.dataOffset, member.size)
    if (within.start < within.end) yield { kind: 'object', ...within, key: member.source.key, size: member.size }
  }
  if (end < layout.centralOffset) return

  let at = layout.centralOffset
  for (let index = 0; index < layout.members.length; index += CENTRAL_BATCH) {
    const headers = Buffer.concat(layout.members.slice(index, index + CENTRAL_BATCH).map(centralHeader))
    yield* bytes(at, headers)
    at += headers.length
  }
  yield* bytes(at, endRecords(layout.members.length, layout.centralLength, layout.centralOffset))
}

async function* readPieces(pieces: Iterator<Piece>, storage: Source, open: OpenObjects): AsyncGenerator<Buffer> {
  const prefetched: Opening[] = []
  let prefetchedBytes = 0
  let exhausted = false
  const prefetch = (remaining: number) => {
    while (
      !exhausted &&
      prefetched.length < 2 * PREFETCH_OBJECTS &&
      (prefetched.length === 0 || remaining + prefetchedBytes < PREFETCH_BYTES)
    ) {
      const next = pieces.next()
      exhausted = next.done === true
      if (next.done) return
      prefetchedBytes += next.value.end - next.value.start
      prefetched.push({ piece: next.value, content: openPiece(next.value, storage, open) })
    }
  }
  prefetch(0)
  for (let current = prefetched.shift(); current; current = prefetched.shift()) {
    let remaining = current.piece.end - current.piece.start
    prefetchedBytes -= remaining
    const content = await current.content
    for await (const chunk of Buffer.isBuffer(content) ? [content] : content) {
      remaining -= chunk.length
      if (remaining < PREFETCH_BYTES) prefetch(remaining)
      yield chunk
    }
    if (!Buffer.isBuffer(content)) open.contents.delete(content)
    if (remaining !== 0) throw new Error('A stored file changed its size while it was being archived.')
    prefetch(0)
  }
}

function openPiece(piece: Piece, storage: Source, open: OpenObjects): Promise<Buffer | Readable> {
  if (piece.kind === 'bytes') return Promise.resolve(piece.bytes.subarray(piece.start, piece.end))
  const opening = storage.read(piece.key, { start: piece.start, end: piece.end - 1 }, piece.size).then((content) => {
    open.contents.add(content)
    // A prefetched object may fail before its turn; the error surfaces when it is read.
    content.on('error', () => undefined)
    if (open.closed) content.destroy()
    else content.read(0)
    return content
  })
  // A prefetched object may fail before its turn; the error surfaces when it is awaited.
  opening.catch(() => undefined)
  return opening
}

/** Joins headers and small members: a write for each would cost more than their bytes. */
async function* joinSmall(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let small: Buffer[] = []
  let smallBytes = 0
  for await (const chunk of chunks) {
    if (chunk.length < JOIN_BELOW_BYTES) {
      small.push(chunk)
      smallBytes += chunk.length
      if (smallBytes < JOIN_BELOW_BYTES) continue
      yield Buffer.concat(small)
    } else {
      if (smallBytes > 0) yield Buffer.concat(small)
      yield chunk
    }
    small = []
    smallBytes = 0
  }
  if (smallBytes > 0) yield Buffer.concat(small)
}
