import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { blocksOf } from '#server/kernel/blocks.ts'
import type { Context, WriteContext } from '../context.ts'
import { transact } from '../transaction/transact.ts'
import { recordVisit } from '../visits/record-visit.ts'
import { recordPackage, type Listed, type RecordedPackage } from './packages.ts'

export interface PendingListing extends Omit<Listed, 'fingerprint'> {
  fingerprint: Promise<string>
}

interface IssuedFile extends Omit<RecordedPackage, 'content' | 'checksums' | 'isIssued' | 'listed'> {
  listed?: PendingListing
  /** Hash of what the file contains, without its date and id, complete at its end; undefined for a file that has neither. */
  content: Hash | undefined
  /** How the visit of a person from outside names it; recorded before the first byte. */
  name: string
  /** What else the end of the file records, in the same transaction. */
  alsoRecord?: (tx: WriteContext) => Promise<void>
}

/** The bytes of a file, which becomes known to the page for checking files when all of them were read; a download that was canceled does not. */
export const issuedFile = (ctx: Context, file: Readable, issued: IssuedFile): Readable =>
  Readable.from(thenRecord(ctx, file, issued), { objectMode: false }).once('close', () => file.destroy())

/** Compressed files come in pieces of a few kilobytes, and each write to the network takes as long as many of them. */
const BLOCK_BYTES = 65_536

async function* thenRecord(
  ctx: Context,
  file: Readable,
  { content, name, alsoRecord, listed, ...made }: IssuedFile,
): AsyncGenerator<Buffer> {
  await recordVisit(ctx, { what: 'downloaded', item: { id: made.id, name } })
  const hash = createHash('sha256')
  // what streams of bytes yield
  for await (const bytes of blocksOf(file as AsyncIterable<Buffer | string>, { least: BLOCK_BYTES, first: 0 })) {
    hash.update(bytes)
    yield bytes
  }
  const checksum = hash.digest('hex')
  const then = listed && { listed: { ...listed, fingerprint: await listed.fingerprint } }
  await transact(ctx, async (tx) => {
    await alsoRecord?.(tx)
    await recordPackage(tx, { ...made, ...then, content: content?.digest('hex') ?? checksum, checksums: [checksum], isIssued: true })
  })
}
