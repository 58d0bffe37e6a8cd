// @vitest-environment node
import { afterEach, describe, expect, test, vi } from 'vitest'
import { hashFile, hashWhole } from './hash-file.ts'
import { storedZip } from './stored-zip.fixture.ts'

const nothing = () => undefined
const bytesOf = async (file: Blob) => new Uint8Array(await file.arrayBuffer())
const digestOf = async (...parts: BlobPart[]) => new Uint8Array(await crypto.subtle.digest('SHA-256', await bytesOf(new Blob(parts))))
const sha256 = async (...parts: BlobPart[]) => [...(await digestOf(...parts))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const MEMBERS = [
  ['Properties/1 Größe/deed.txt', 'deed'],
  ['Manifest.json', '{}'],
] as const

afterEach(() => vi.unstubAllGlobals())

/** Counts how often a part of a file is read while this runs. */
async function readsOf(run: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(Blob.prototype, 'arrayBuffer')
  await run()
  const reads = spy.mock.calls.length
  spy.mockRestore()
  return reads
}

describe.each([
  ["the browser's own SHA-256", true],
  ['the SHA-256 for large files and pages without HTTPS', false],
])('with %s', (_how, isSecureContext) => {
  test('the checksum of a file is its SHA-256, and all of its bytes are reported as read', async () => {
    vi.stubGlobal('isSecureContext', isSecureContext)
    let read = 0
    const file = new Blob(['a deed'.repeat(100_000)])
    expect(await hashFile(file, (bytes) => (read += bytes))).toEqual({ checksum: await sha256(file), members: [] })
    expect(read).toBe(file.size)
  })

  test('the digest of an archive is that of its headers with the SHA-256 of each member', async () => {
    vi.stubGlobal('isSecureContext', isSecureContext)
    const zip = storedZip(MEMBERS)
    const parts: BlobPart[] = []
    let at = 0
    for (const [path, content] of MEMBERS) {
      const start = at + 30 + new Blob([path]).size
      parts.push(zip.slice(at, start), await digestOf(content))
      at = start + content.length
    }
    expect(await hashFile(zip, nothing)).toEqual({
      checksum: `zip:${await sha256(...parts, zip.slice(at))}`,
      members: await Promise.all(MEMBERS.map(async ([path, content]) => ({ path, checksum: await sha256(content) }))),
    })
    expect(await hashWhole(zip, nothing)).toEqual({ checksum: await sha256(zip), members: [] })
  })
})

test('a folder in an archive is no file of it', async () => {
  const { members } = await hashFile(
    storedZip([
      ['Properties/', ''],
      ['Properties/deed.txt', 'deed'],
      ['Manifest.json', '{}'],
    ]),
    nothing,
  )
  expect(members.map(({ path }) => path)).toEqual(['Properties/deed.txt', 'Manifest.json'])
})

test('an archive of thousands of small files is read in few parts, and all of its bytes are reported as read', async () => {
  const small = Array.from({ length: 5_000 }, (_, at) => [`Properties/${at}/deed.txt`, `deed ${at}`] as const)
  const zip = storedZip([...small, ['Manifest.json', '{}']])
  const parts: number[] = []
  const reads = await readsOf(async () => {
    const { members } = await hashFile(zip, (bytes) => parts.push(bytes))
    expect([members.length, members[4_999]]).toEqual([5_001, { path: 'Properties/4999/deed.txt', checksum: await sha256('deed 4999') }])
  })
  expect(parts.reduce((sum, bytes) => sum + bytes, 0)).toBe(zip.size)
  expect(reads).toBeLessThan(20)
})

test('a member that is too large to be read with others has its SHA-256, and so have its neighbors', async () => {
  const members = ['a', 'b'.repeat(5 * 1024 ** 2), 'c'.repeat(100_000), 'd', '{}'].map(
    (content, at) => [at === 4 ? 'Manifest.json' : `${at}.txt`, content] as const,
  )
  let read = 0
  const zip = storedZip(members)
  const hashed = await hashFile(zip, (bytes) => (read += bytes))
  expect(hashed.members).toEqual(await Promise.all(members.map(async ([path, content]) => ({ path, checksum: await sha256(content) }))))
  expect(read).toBe(zip.size)
})

test('a change of any byte of an archive changes its digest', async () => {
  const bytes = await bytesOf(storedZip(MEMBERS))
  const { checksum } = await hashFile(new Blob([bytes]), nothing)
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = bytes.slice()
    changed[at] = (changed[at] ?? 0) ^ 1
    expect((await hashFile(new Blob([changed]), nothing)).checksum, `byte ${at}`).not.toBe(checksum)
  }
})

test.each([
  ['without a manifest', storedZip([['deed.txt', 'deed']])],
  ['with compressed members', storedZip(MEMBERS, 8)],
  ['that is cut', storedZip(MEMBERS).slice(0, 60)],
  ['with a header behind its end', storedZip(MEMBERS).slice(0, 12)],
])('an archive %s is hashed like any other file', async (_what, zip) => {
  expect(await hashFile(zip, nothing)).toEqual({ checksum: await sha256(zip), members: [] })
})
