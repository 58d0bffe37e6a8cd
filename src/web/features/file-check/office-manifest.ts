import { CHECK_AT_ONCE_BYTES } from '#contract/limits.ts'
import { MANIFEST_PART } from '#contract/manifest.ts'

const LOCAL_HEADER_BYTES = 30
const CENTRAL_HEADER = 0x02014b50
const CENTRAL_HEADER_BYTES = 46
const END = 0x06054b50
const END_BYTES = 22
const DEFLATED = 8

/** The JSON of the manifest in a Word or Excel file. Errors: throws for a file without one, or with more than CHECK_AT_ONCE_BYTES of it. */
export async function officeManifest(file: Blob): Promise<string> {
  const view = new DataView(await file.arrayBuffer())
  const { start, length, method } = findPart(view)
  const stored = new Blob([new Uint8Array(view.buffer, start, length)]).stream()
  const xml = await textOf(method === DEFLATED ? stored.pipeThrough(new DecompressionStream('deflate-raw')) : stored)
  return xml.slice(xml.indexOf('>', xml.indexOf('<manifest')) + 1, xml.lastIndexOf('<'))
}

/** The place of the part's content by the directory at the end of the ZIP; the headers before the parts may not have their sizes. */
function findPart(view: DataView<ArrayBuffer>): { start: number; length: number; method: number } {
  const decoder = new TextDecoder()
  let end = view.byteLength - END_BYTES
  while (view.getUint32(end, true) !== END) end -= 1
  let at = view.getUint32(end + 16, true)
  while (view.getUint32(at, true) === CENTRAL_HEADER) {
    const nameLength = view.getUint16(at + 28, true)
    if (decoder.decode(new Uint8Array(view.buffer, at + CENTRAL_HEADER_BYTES, nameLength)) === MANIFEST_PART) {
      const header = view.getUint32(at + 42, true)
      const start = header + LOCAL_HEADER_BYTES + view.getUint16(header + 26, true) + view.getUint16(header + 28, true)
      return { start, length: view.getUint32(at + 20, true), method: view.getUint16(at + 10, true) }
    }
    at += CENTRAL_HEADER_BYTES + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  throw new RangeError('The file has no manifest')
}

async function textOf(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of bytes) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > CHECK_AT_ONCE_BYTES) throw new RangeError('The manifest is too large')
  }
  return text + decoder.decode()
}
