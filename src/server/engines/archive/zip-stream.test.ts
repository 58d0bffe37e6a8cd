import { PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { bytesOf, memoryStore, numbersFrom, sampleArchive, streamZip } from './archive.fixture.ts'
import { layoutZip } from './zip-layout.ts'

describe('a range of an archive', () => {
  test.each([1, 2, 3, 4, 5, 6])('equals the same bytes of the whole archive (seed %i)', async (seed) => {
    const random = numbersFrom(seed)
    const archive = sampleArchive(
      Array.from({ length: random(40) }, () => (random(4) === 0 ? 0 : random(3) === 0 ? random(300_000) : random(900))),
    )
    const whole = await bytesOf(archive)
    expect(whole.length).toBe(archive.layout.length)
    for (let round = 0; round < 40; round += 1) {
      const start = random(whole.length)
      const end = start + random(whole.length - start)
      expect((await bytesOf(archive, start, end)).equals(whole.subarray(start, end + 1)), `${start}-${end}`).toBe(true)
    }
  })

  test('joins with its neighbors to the whole archive', async () => {
    const archive = sampleArchive([0, 1, 70_000, 500, 200_000, 3])
    const whole = await bytesOf(archive)
    const random = numbersFrom(7)
    const pieces: Buffer[] = []
    for (let at = 0; at < whole.length;) {
      const end = Math.min(whole.length - 1, at + random(20_000))
      pieces.push(await bytesOf(archive, at, end))
      at = end + 1
    }
    expect(Buffer.concat(pieces).equals(whole)).toBe(true)
  })

  test('can be every single byte of a small archive', async () => {
    const archive = sampleArchive([3, 0, 5])
    const whole = await bytesOf(archive)
    for (let at = 0; at < whole.length; at += 1) expect((await bytesOf(archive, at, at))[0]).toBe(whole[at])
  })
})

describe('an object that differs from the layout', () => {
  test.each([
    ['is missing', (objects: Map<string, Buffer>) => objects.delete('k/3')],
    ['has grown', (objects: Map<string, Buffer>) => objects.set('k/3', Buffer.alloc(100_001))],
    ['has shrunk', (objects: Map<string, Buffer>) => objects.set('k/3', Buffer.alloc(99_999))],
  ])('cuts the stream when it %s', async (_what, change) => {
    const archive = sampleArchive([100_000, 100_000, 100_000, 100_000, 100_000])
    change(archive.objects)
    let received = 0
    const reading = (async () => {
      for await (const chunk of streamZip(archive.layout, archive.storage)) received += chunk.length
    })()
    await expect(reading).rejects.toThrow(/File not found|another size/)
    expect(received).toBeGreaterThan(200_000)
    expect(received).toBeLessThan(archive.layout.length)
  })

  test('cuts the stream when its bytes end early', async () => {
    const archive = sampleArchive([100_000, 100_000])
    const short = memoryStore(new Map([...archive.objects].map(([key, content]) => [key, content.subarray(1)])))
    const storage = { read: (key: string) => short.read(key) }
    await expect(bytesOf({ layout: archive.layout, storage })).rejects.toThrow('changed its size')
  })
})

describe('a client that disconnects', () => {
  test('closes every object, also prefetched ones', async () => {
    const archive = sampleArchive(Array.from({ length: 30 }, () => 200_000))
    const stream = streamZip(archive.layout, archive.storage)
    await new Promise((resolve) => stream.once('data', resolve))
    expect(archive.storage.open.size).toBeGreaterThan(0)
    stream.destroy()
    await pause(20)
    expect(archive.storage.open.size).toBe(0)
  })

  test('closes an object that has stalled', async () => {
    const stalled = new PassThrough()
    const layout = layoutZip([{ name: 'a', size: 10, crc32: 0, modifiedAt: new Date(), source: { kind: 'object', key: 'k' } }])
    const stream = streamZip(layout, { read: async () => stalled })
    stream.resume()
    await pause(10)
    stream.destroy()
    await pause(10)
    expect(stalled.destroyed).toBe(true)
  })

  test('closes an object that was still being opened', async () => {
    const late = new PassThrough()
    const layout = layoutZip([{ name: 'a', size: 10, crc32: 0, modifiedAt: new Date(), source: { kind: 'object', key: 'k' } }])
    const stream = streamZip(layout, { read: () => pause(30).then(() => late) })
    stream.resume()
    await pause(5)
    stream.destroy()
    await pause(60)
    expect(late.destroyed).toBe(true)
  })
})

test('prefetches a few objects, never all at once', async () => {
  const archive = sampleArchive(Array.from({ length: 60 }, () => 1_000_000))
  let most = 0
  for await (const chunk of streamZip(archive.layout, archive.storage))
    most = chunk.length > 0 ? Math.max(most, archive.storage.open.size) : most
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(6)
})
