// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { MANIFEST_PART } from '#contract/manifest.ts'
import { listedFiles } from './manifest.ts'

function header(length: number, signature: number, fields: readonly (readonly [at: number, bits: 16 | 32, value: number])[]): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(length))
  view.setUint32(0, signature, true)
  for (const [at, bits, value] of fields)
    if (bits === 16) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
  return view.buffer
}

/** A ZIP with these parts and the directory by which they are found; sizes are only there, as in files that were written as streams. */
async function zipOf(parts: Readonly<Record<string, string>>, method: 0 | 8): Promise<Blob> {
  const written: BlobPart[] = []
  const directory: BlobPart[] = []
  let at = 0
  for (const [name, text] of Object.entries(parts)) {
    const plain = new Blob([text])
    const stream = plain.stream().pipeThrough(new CompressionStream('deflate-raw'))
    const content = method === 8 ? await new Response(stream).blob() : plain
    written.push(header(30, 0x04034b50, [[26, 16, name.length]]), name, content)
    directory.push(
      header(46, 0x02014b50, [
        [10, 16, method],
        [20, 32, content.size],
        [28, 16, name.length],
        [42, 32, at],
      ]),
      name,
    )
    at += 30 + name.length + content.size
  }
  return new Blob([...written, ...directory, header(22, 0x06054b50, [[16, 32, at]])])
}

const SUM = 'a'.repeat(64)
const content = {
  manifest_version: 1,
  documents: [
    { original_name: 'Größe <1>.pdf', sha256: SUM },
    { original_name: 'not known.pdf', sha256: null },
  ],
}
const xml = `<?xml version="1.0"?><manifest xmlns="urn:package-manifest:1">${JSON.stringify(content).replaceAll('<', '\\u003c')}</manifest>`
const wordFile = (bytes: BlobPart, name = 'List.DOCX') => new File([bytes], name)

describe('the documents that a Word or Excel file lists', () => {
  test.each([0, 8] as const)('are read from its manifest, without those of unknown content (method %i)', async (method) => {
    const bytes = await zipOf({ 'word/document.xml': '<w:document/>', [MANIFEST_PART]: xml }, method)
    for (const name of ['List.DOCX', 'Document Index.xlsx'])
      expect(await listedFiles(new File([bytes], name))).toEqual([{ path: 'Größe <1>.pdf', sha256: SUM }])
  })

  test.each([
    ['another Word file', () => zipOf({ 'word/document.xml': '<w:document/>' }, 8)],
    ['another program’s part of this name', () => zipOf({ [MANIFEST_PART]: '<sources/>' }, 8)],
    ['a file that is no Word file', () => new Blob([new Uint8Array(5_000)])],
    ['a file without content', () => new Blob()],
  ])('are not known of %s', async (_what, make) => {
    expect(await listedFiles(wordFile(await make()))).toBeUndefined()
  })

  test('are not read from a file of another kind', async () => {
    expect(await listedFiles(wordFile(await zipOf({ [MANIFEST_PART]: xml }, 8), 'List.zip'))).toBeUndefined()
  })
})
