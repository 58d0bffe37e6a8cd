import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import type { Storage } from '#server/engines/storage/storage.ts'
import { streamZip } from './archive.fixture.ts'
import { layoutZip, type ZipLayout, localHeaderLength } from './zip-layout.ts'

const GiB = 1024 ** 3
/** The first value that needs ZIP64. */
const BORDER = 4 * GiB - 1
const TAIL = Buffer.from('the last member')

/** Every object holds zeros. Readers search for the end of an archive in its last 64 KiB, so they read some of them. */
const zeros: Pick<Storage, 'read'> = {
  read: async (_key, range) => Readable.from([Buffer.alloc((range?.end ?? 0) - (range?.start ?? 0) + 1)], { objectMode: false }),
}

/** Reads an archive by ranges, so that a test needs neither its bytes in memory nor a file. */
class LayoutReader extends RandomAccessReader {
  readonly #layout: ZipLayout

  constructor(layout: ZipLayout) {
    super()
    this.#layout = layout
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return streamZip(this.#layout, zeros, { start, end: end - 1 })
  }
}

const openLayout = (layout: ZipLayout) => fromRandomAccessReaderPromise(new LayoutReader(layout), layout.length, { autoClose: false })

async function readEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) entries.push(entry)
  return entries
}

function bigMember(size: number) {
  return { name: 'big.bin', size, crc32: 0, modifiedAt: new Date(0), source: { kind: 'object', key: 'big' } } as const
}
const tailMember = {
  name: 'tail.txt',
  size: TAIL.length,
  crc32: crc32(TAIL),
  modifiedAt: new Date(0),
  source: { kind: 'bytes', bytes: TAIL },
} as const

test.each([BORDER - 1, BORDER, BORDER + 1, 6 * GiB, 9 * GiB])('a reader finds the content of a member at offset %d', async (offset) => {
  const headerLength = localHeaderLength({ name: 'big.bin', size: offset - 100 })
  const layout = layoutZip([bigMember(offset - headerLength), tailMember])
  const zip = await openLayout(layout)
  const [big, tail] = await readEntries(zip)
  if (!big || !tail) throw new Error('The archive must have two members')
  expect([big.uncompressedSize, tail.relativeOffsetOfLocalHeader]).toEqual([offset - headerLength, offset])
  expect(String(await buffer(await zip.openReadStreamPromise(tail)))).toBe(String(TAIL))
})

test.each([BORDER - 1, BORDER, BORDER + 1])('a reader finds the size of a member of %d bytes', async (size) => {
  const layout = layoutZip([bigMember(size), tailMember])
  const zip = await openLayout(layout)
  const [big, tail] = await readEntries(zip)
  expect([big?.uncompressedSize, big?.compressedSize, tail?.relativeOffsetOfLocalHeader]).toEqual([size, size, layout.members[1]?.offset])
})
