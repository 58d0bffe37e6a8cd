import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { centralHeader, dataDescriptor } from '../archive/zip-layout.ts'
import { zipParts, type Part } from './zip-parts.ts'

const MODIFIED_AT = new Date(Date.UTC(1980, 0, 1))
const GiB = 1024 ** 3

async function* pieces() {
  for (let at = 0; at < 100; at += 1) yield `<row>${at} Müller</row>`.repeat(1_000)
}

describe('a ZIP of parts', () => {
  it('reads back with the name, sizes, checksum and content of each part', async () => {
    const parts: Part[] = [
      ['a.xml', ['<a/>']],
      ['sheets/b.xml', pieces()],
      ['empty.xml', []],
    ]
    const zip = await fromBufferPromise(await buffer(zipParts(parts)))
    const read: [string, number, Buffer][] = []
    for await (const entry of zip.eachEntry()) {
      const content = await buffer(await zip.openReadStreamPromise(entry))
      expect([entry.uncompressedSize, entry.crc32, entry.compressionMethod]).toEqual([content.length, crc32(content), 8])
      read.push([entry.fileName, entry.compressedSize, content])
    }
    let rows = ''
    for await (const piece of pieces()) rows += piece
    expect(read.map(([name, , content]) => [name, content.toString() === rows ? 'rows' : content.toString()])).toEqual([
      ['a.xml', '<a/>'],
      ['sheets/b.xml', 'rows'],
      ['empty.xml', ''],
    ])
    expect(read[1]?.[1]).toBeLessThan(rows.length / 10)
  })

  it('states the sizes of a part of more than 4 GB with 64 bits', () => {
    const part = { name: 'a', size: 5 * GiB, compressedSize: GiB, crc32: 7, modifiedAt: MODIFIED_AT, offset: 0 }
    const descriptor = dataDescriptor(part)
    expect([descriptor.length, descriptor.readBigUInt64LE(8), descriptor.readBigUInt64LE(16)]).toEqual([24, BigInt(GiB), BigInt(5 * GiB)])
    const header = centralHeader(part)
    expect([header.readUInt32LE(20), header.readUInt32LE(24), header.readUInt16LE(49), header.readBigUInt64LE(51)]).toEqual([
      GiB,
      0xffffffff,
      8,
      BigInt(5 * GiB),
    ])
  })

  it('closes the source of a part when the stream is destroyed', async () => {
    let isClosed = false
    async function* endless() {
      try {
        for (;;) yield 'x'.repeat(10_000)
      } finally {
        isClosed = true
      }
    }
    const stream = zipParts([['a.xml', endless()]])
    for await (const _chunk of stream) break
    await expect.poll(() => isClosed).toBe(true)
  })
})
