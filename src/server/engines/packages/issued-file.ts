import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Context, WriteContext } from '../context.ts'
import { transact } from '../transaction/transact.ts'
import { recordPackage, type RecordedPackage } from './packages.ts'

interface IssuedFile extends Omit<RecordedPackage, 'content' | 'checksums' | 'isIssued'> {
  /** Hash of what the file contains, without its date and id, complete at its end; undefined for a file that has neither. */
  content: Hash | undefined
  /** What else the end of the file records, in the same transaction. */
  alsoRecord?: (tx: WriteContext) => Promise<void>
}

/** The bytes of a file, which becomes known to the page for checking files when all of them were read; a download that was canceled does not. */
export const issuedFile = (ctx: Context, file: Readable, issued: IssuedFile): Readable =>
  Readable.from(thenRecord(ctx, file, issued), { objectMode: false })

async function* thenRecord(ctx: Context, file: Readable, { content, alsoRecord, ...made }: IssuedFile): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const bytes of inLargeChunks(file)) {
    hash.update(bytes)
    yield bytes
  }
  const checksum = hash.digest('hex')
  await transact(ctx, async (tx) => {
    await alsoRecord?.(tx)
    await recordPackage(tx, { ...made, content: content?.digest('hex') ?? checksum, checksums: [checksum], isIssued: true })
  })
}

const CHUNK_BYTES = 65_536

/** Compressed files come in pieces of a few kilobytes, and each write to the network takes as long as many of them. The first is not delayed. */
async function* inLargeChunks(file: Readable): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let [bytes, least] = [0, 0]
  // what streams of bytes yield
  for await (const chunk of file as AsyncIterable<Buffer | string>) {
    const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    waiting.push(piece)
    bytes += piece.length
    if (bytes < least) continue
    yield Buffer.concat(waiting)
    waiting = []
    bytes = 0
    least = CHUNK_BYTES
  }
  if (bytes > 0) yield Buffer.concat(waiting)
}
