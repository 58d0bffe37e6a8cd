import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { notFound } from '#server/kernel/errors.ts'
import { byteStream } from '#server/engines/storage/byte-stream.ts'
import type { ByteRange, Storage } from '#server/engines/storage/storage.ts'
import { layoutZip, type ZipLayout, type ZipMember } from './zip-layout.ts'
import { zipChunks } from './zip-serve.ts'

type Source = Pick<Storage, 'read'>

/** Objects in memory, streamed in pieces of an unusual size. */
export function memoryStore(objects: Map<string, Buffer>, pieceBytes = 7_001): Source & { open: Set<Readable> } {
  const open = new Set<Readable>()
  const read: Storage['read'] = async (key, range, expectedSize) => {
    const content = objects.get(key)
    if (!content) throw notFound('File')
    if (expectedSize !== undefined && content.length !== expectedSize) throw new Error('The object has another size')
    const wanted = range ? content.subarray(range.start, range.end + 1) : content
    const stream = Readable.from(slices(wanted, pieceBytes), { objectMode: false })
    open.add(stream)
    stream.once('close', () => open.delete(stream))
    return stream
  }
  return { read, open }
}

function* slices(content: Buffer, pieceBytes: number): Generator<Buffer> {
  for (let at = 0; at < content.length; at += pieceBytes) yield content.subarray(at, at + pieceBytes)
}

export interface Sample {
  layout: ZipLayout
  contents: Map<string, Buffer>
  storage: ReturnType<typeof memoryStore>
  objects: Map<string, Buffer>
}

/** An archive of members with these sizes; every third one is held as bytes, the others are objects in the store. */
export function sampleArchive(sizes: number[], nameOf = (index: number) => `Properties/${index} – Größe/${index} 文書.pdf`): Sample {
  const objects = new Map<string, Buffer>()
  const contents = new Map<string, Buffer>()
  const members = sizes.map((size, index): ZipMember => {
    const content = randomBytes(size)
    const key = `k/${index}`
    objects.set(key, content)
    contents.set(nameOf(index), content)
    const source = index % 3 === 2 ? ({ kind: 'bytes', bytes: content } as const) : ({ kind: 'object', key } as const)
    return { name: nameOf(index), size, crc32: crc32(content), modifiedAt: new Date(Date.UTC(2026, 1, 3, 4, 5, 6 + (index % 50))), source }
  })
  return { layout: layoutZip(members), contents, objects, storage: memoryStore(objects) }
}

/** The bytes of the (inclusive) range of an archive, or of all of it. Destroying the stream closes its objects. */
export function streamZip(layout: ZipLayout, storage: Source, range: ByteRange = { start: 0, end: layout.length - 1 }): Readable {
  const { chunks, close } = zipChunks(layout, storage, range)
  return byteStream(chunks, close)
}

export async function bytesOf({ layout, storage }: { layout: ZipLayout; storage: Source }, start?: number, end?: number): Promise<Buffer> {
  const stream = start === undefined || end === undefined ? streamZip(layout, storage) : streamZip(layout, storage, { start, end })
  return Buffer.concat(await stream.toArray())
}

/** Numbers that look random and are the same in every run (mulberry32). */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
