import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Storage } from '#server/engines/storage/storage.ts'
import { testNeeding } from '#server/testing/needs.ts'
import { bytesOf, type Sample, sampleArchive, streamZip } from './archive.fixture.ts'
import { layoutZip, type ZipMember } from './zip-layout.ts'

const run = promisify(execFile)
const options = { maxBuffer: 64 * 1024 ** 2 }
const GiB = 1024 ** 3

const CHECKS: [program: 'unzip' | '7z' | 'bsdtar', check: (file: string) => Promise<unknown>][] = [
  ['unzip', (file) => run('unzip', ['-tqq', file], options)],
  ['7z', (file) => run('7z', ['t', file], options)],
  // It reads names in the locale, which is not always UTF-8 where the tests run.
  ['bsdtar', (file) => run('env', ['LC_ALL=C.UTF-8', 'bsdtar', '-xOf', file], { maxBuffer: GiB, encoding: 'buffer' })],
]

const READ_ALL = `
import hashlib, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    print(json.dumps([[i.filename, i.file_size, list(i.date_time), hashlib.sha256(archive.read(i)).hexdigest()] for i in archive.infolist()]))
`
const READ_DIRECTORY = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    infos = archive.infolist()
    last = infos[-1]
    print(json.dumps([len(infos), last.filename, last.header_offset, max(i.file_size for i in infos), archive.read(last).decode('latin-1')]))
`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-zip-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function written(sample: Pick<Sample, 'layout' | 'storage'>, name: string): Promise<string> {
  const file = join(folder, name)
  await pipeline(streamZip(sample.layout, sample.storage), createWriteStream(file))
  return file
}

describe.each<[string, number[]]>([
  ['an ordinary archive', [0, 1, 10, 70_000, 1_000_000, 3]],
  ['an archive of one', [5]],
])('%s', (what, sizes) => {
  for (const [program, check] of CHECKS)
    testNeeding(program)(`is accepted by ${program}`, async () => {
      const file = await written(sampleArchive(sizes), `${what}.zip`)
      await expect(check(file)).resolves.toBeDefined()
    })

  testNeeding('python3')('is read by Python with every name, time and byte', async () => {
    const sample = sampleArchive(sizes)
    const { stdout } = await run('python3', ['-c', READ_ALL, await written(sample, `${what}-python.zip`)], options)
    const expected = sample.layout.members.map(({ name, size, modifiedAt }) => [
      name,
      size,
      [2026, 2, 3, 4, 5, modifiedAt.getUTCSeconds() & ~1],
      createHash('sha256')
        .update(sample.contents.get(name) ?? '')
        .digest('hex'),
    ])
    expect(JSON.parse(stdout)).toEqual(expected)
  })
})

test('an empty archive is the end record of 22 bytes', async () => {
  const empty = await bytesOf(sampleArchive([]))
  expect(empty.toString('hex')).toBe(`504b0506${'00'.repeat(18)}`)
})

describe('an archive of more than 65,535 members', () => {
  const sample = () =>
    sampleArchive(
      Array.from({ length: 66_000 }, (_, index) => index % 4),
      (index) => `f/${index}.txt`,
    )
  testNeeding('unzip')('is accepted by unzip', async () => {
    const { stdout } = await run('unzip', ['-tq', await written(sample(), 'many.zip')], options)
    expect(stdout).toContain('No errors detected')
  })
  testNeeding('python3')('is read completely by Python', async () => {
    const { stdout } = await run('python3', ['-c', READ_DIRECTORY, await written(sample(), 'many-python.zip')], options)
    expect(JSON.parse(stdout).slice(0, 2)).toEqual([66_000, 'f/65999.txt'])
  })
})

describe('an archive beyond 4 GiB', () => {
  const zeros = Buffer.alloc(1024 ** 2)
  const storage: Pick<Storage, 'read'> = {
    read: async (_key, range) => Readable.from(zeroes((range?.end ?? 0) - (range?.start ?? 0) + 1), { objectMode: false }),
  }
  function* zeroes(length: number) {
    for (let left = length; left > 0; left -= zeros.length) yield left < zeros.length ? zeros.subarray(0, left) : zeros
  }
  const big = (name: string, size: number, crc: number): ZipMember => ({
    name,
    size,
    crc32: crc,
    modifiedAt: new Date(Date.UTC(2026, 1, 3)),
    source: { kind: 'object', key: 'zeros' },
  })
  const tail = Buffer.from('behind the big one')
  const layout = layoutZip([
    big('big.bin', 4 * GiB + 5, crcOfZeros(4 * GiB + 5)),
    { ...big('tail.txt', tail.length, crc32(tail)), source: { kind: 'bytes', bytes: tail } },
  ])

  test('yields a range at its end without reading the rest', async () => {
    const start = layout.length - 600
    const end = await bytesOf({ layout, storage }, start, layout.length - 1)
    expect(end).toHaveLength(600)
    expect(end.includes(tail)).toBe(true)
    expect(end.includes(Buffer.from('504b0606', 'hex'))).toBe(true)
  })

  testNeeding('python3', 'bsdtar')('is read by Python and bsdtar', async () => {
    const file = join(folder, 'big.zip')
    await sparse(file)
    const { stdout } = await run('python3', ['-c', READ_DIRECTORY, file], options)
    const [count, name, offset, largest, text] = JSON.parse(stdout)
    expect([count, name, largest, text]).toEqual([2, 'tail.txt', 4 * GiB + 5, String(tail)])
    expect(offset).toBeGreaterThan(4 * GiB)
    expect((await run('bsdtar', ['-xOf', file, 'tail.txt'], options)).stdout).toBe(String(tail))
  })

  /** Writes a sparse file, so that the test needs no 4 GiB of disk. */
  async function sparse(file: string): Promise<void> {
    const [first, second] = layout.members
    if (!first || !second) throw new Error('The layout must have two members')
    const out = createWriteStream(file)
    await pipeline(streamZip(layout, storage, { start: 0, end: first.dataOffset - 1 }), out)
    const rest = createWriteStream(file, { flags: 'r+', start: second.offset })
    await pipeline(streamZip(layout, storage, { start: second.offset, end: layout.length - 1 }), rest)
  }

  function crcOfZeros(length: number): number {
    let sum = 0
    for (const chunk of zeroes(length)) sum = crc32(chunk, sum)
    return sum
  }
})
