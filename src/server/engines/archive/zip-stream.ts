import type { Readable } from 'node:stream'
import { byteStream } from '#server/engines/storage/byte-stream.ts'
import type { ByteRange, Storage } from '#server/engines/storage/storage.ts'
import type { ZipLayout } from './zip-layout.ts'
import { piecesOf, type Piece } from './zip-pieces.ts'

/** How far ahead of the reader objects are opened, and how many at most, so that their latency does not interrupt the flow. */
const AHEAD_BYTES = 4 * 1024 ** 2
const AHEAD_OBJECTS = 4
const JOIN_BELOW_BYTES = 64 * 1024

type Source = Pick<Storage, 'read'>
type OpenObjects = { closed: boolean; contents: Set<Readable> }
type Opening = { piece: Piece; content: Promise<Buffer | Readable> }

/**
 * Exactly the bytes of the (inclusive) range of the archive, or of all of it.
 * Errors: the stream is destroyed when an object is missing, of another size or unreadable, so that a receiver who knows the length sees a cut.
 * Destroying the stream closes every object at once.
 */
export function streamZip(layout: ZipLayout, storage: Source, range: ByteRange = { start: 0, end: layout.length - 1 }): Readable {
  const { chunks, close } = zipChunks(layout, storage, range)
  return byteStream(chunks, close)
}

/** The same as a generator; `close` makes it fail at its next step, also while it waits. */
export function zipChunks(layout: ZipLayout, storage: Source, range: ByteRange): { chunks: AsyncGenerator<Buffer>; close(): void } {
  const open: OpenObjects = { closed: false, contents: new Set() }
  const close = () => {
    open.closed = true
    for (const content of open.contents) content.destroy()
  }
  return { chunks: joinSmall(contents(piecesOf(layout, range.start, range.end), storage, open)), close }
}

async function* contents(pieces: Iterator<Piece>, storage: Source, open: OpenObjects): AsyncGenerator<Buffer> {
  const ahead: Opening[] = []
  let aheadBytes = 0
  let exhausted = false
  const lookAhead = (remaining: number) => {
    while (!exhausted && ahead.length < 2 * AHEAD_OBJECTS && (ahead.length === 0 || remaining + aheadBytes < AHEAD_BYTES)) {
      const next = pieces.next()
      exhausted = next.done === true
      if (next.done) return
      aheadBytes += next.value.end - next.value.start
      ahead.push({ piece: next.value, content: openPiece(next.value, storage, open) })
    }
  }
  lookAhead(0)
  for (let current = ahead.shift(); current; current = ahead.shift()) {
    let remaining = current.piece.end - current.piece.start
    aheadBytes -= remaining
    const content = await current.content
    for await (const chunk of Buffer.isBuffer(content) ? [content] : content) {
      remaining -= chunk.length
      if (remaining < AHEAD_BYTES) lookAhead(remaining)
      yield chunk
    }
    if (!Buffer.isBuffer(content)) open.contents.delete(content)
    if (remaining !== 0) throw new Error('A stored file changed its size while it was being archived.')
    lookAhead(0)
  }
}

function openPiece(piece: Piece, storage: Source, open: OpenObjects): Promise<Buffer | Readable> {
  if (piece.kind === 'bytes') return Promise.resolve(piece.bytes.subarray(piece.start, piece.end))
  const opening = storage.read(piece.key, { start: piece.start, end: piece.end - 1 }, piece.size).then((content) => {
    open.contents.add(content)
    // An object opened ahead may fail before it is its turn; the error is met when it is read.
    content.on('error', () => undefined)
    if (open.closed) content.destroy()
    else content.read(0)
    return content
  })
  opening.catch(() => undefined)
  return opening
}

/** Headers and small members travel together: one write each would cost more than their bytes. */
async function* joinSmall(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let heldBytes = 0
  for await (const chunk of chunks) {
    if (chunk.length < JOIN_BELOW_BYTES) {
      held.push(chunk)
      heldBytes += chunk.length
      if (heldBytes < JOIN_BELOW_BYTES) continue
      yield Buffer.concat(held)
    } else {
      if (heldBytes > 0) yield Buffer.concat(held)
      yield chunk
    }
    held = []
    heldBytes = 0
  }
  if (heldBytes > 0) yield Buffer.concat(held)
}
