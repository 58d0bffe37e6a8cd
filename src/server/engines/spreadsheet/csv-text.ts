import { open } from 'node:fs/promises'
import { wideEncoding } from './recognise.ts'

const CHUNK_BYTES = 65_536
const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/**
 * The text of a delimited file chunk by chunk, without byte order mark: UTF-16 when it shows, otherwise UTF-8
 * line by line, and Windows-1252 for every line that is no UTF-8, so a file of mixed origin loses nothing.
 */
export async function* readText(path: string): AsyncGenerator<string> {
  const file = await open(path)
  try {
    const stream: AsyncIterable<Buffer> = file.createReadStream({ highWaterMark: CHUNK_BYTES, autoClose: false })
    let decode: ((chunk: Buffer | undefined) => string) | undefined
    for await (const chunk of stream) {
      decode ??= createDecoder(chunk)
      yield decode(chunk)
    }
    if (decode) yield decode(undefined)
  } finally {
    await file.close()
  }
}

function createDecoder(head: Buffer): (chunk: Buffer | undefined) => string {
  const wide = wideEncoding(head)
  if (!wide) return createLineDecoder()
  const decoder = new TextDecoder(wide)
  return (chunk) => (chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode())
}

function createLineDecoder(): (chunk: Buffer | undefined) => string {
  let rest = Buffer.alloc(0)
  let first = true
  return (chunk) => {
    const bytes = chunk ? Buffer.concat([rest, chunk]) : rest
    const end = chunk ? Math.max(bytes.lastIndexOf(LINE_FEED), bytes.lastIndexOf(CARRIAGE_RETURN)) + 1 : bytes.length
    rest = bytes.subarray(end)
    const text = decodeLines(bytes.subarray(0, end))
    if (!first || text === '') return text
    first = false
    return text.startsWith('\ufeff') ? text.slice(1) : text
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const WINDOWS_1252 = new TextDecoder('windows-1252')

function decodeLines(bytes: Buffer): string {
  const whole = tryUtf8(bytes)
  if (whole !== undefined) return whole
  let text = ''
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, start)
    const turn = bytes.subarray(start, feed < 0 ? bytes.length : feed).indexOf(CARRIAGE_RETURN)
    const end = turn >= 0 ? start + turn + 1 : feed < 0 ? bytes.length : feed + 1
    const line = bytes.subarray(start, end)
    text += tryUtf8(line) ?? WINDOWS_1252.decode(line)
    start = end
  }
  return text
}

function tryUtf8(bytes: Buffer): string | undefined {
  try {
    return UTF_8.decode(bytes)
  } catch {
    return undefined
  }
}
