import { createReadStream } from 'node:fs'

export const CHUNK_BYTES = 65_536
export const LINE_FEED = 10
export const CARRIAGE_RETURN = 13

/**
 * Yields the text of a delimited file chunk by chunk, without byte order mark: UTF-16 where detected, otherwise UTF-8
 * line by line, and Windows-1252 for every line that is not UTF-8, so that a file of mixed origin loses nothing.
 */
export async function* readText(path: string): AsyncGenerator<string> {
  const stream: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  let decode: ((chunk: Buffer | undefined) => string) | undefined
  for await (const chunk of stream) {
    decode ??= createDecoder(chunk)
    yield decode(chunk)
  }
  if (decode) yield decode(undefined)
}

function createDecoder(head: Buffer): (chunk: Buffer | undefined) => string {
  const wide = wideEncoding(head)
  if (!wide) return createLineDecoder()
  const decoder = new TextDecoder(wide)
  return (chunk) => (chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode())
}

function createLineDecoder(): (chunk: Buffer | undefined) => string {
  let rest: Buffer[] = []
  let first = true
  return (chunk) => {
    const end = chunk ? Math.max(chunk.lastIndexOf(LINE_FEED), chunk.lastIndexOf(CARRIAGE_RETURN)) + 1 : 0
    if (chunk && end === 0) {
      rest.push(chunk)
      return ''
    }
    const text = decodeLines(Buffer.concat(chunk ? [...rest, chunk.subarray(0, end)] : rest))
    rest = chunk ? [chunk.subarray(end)] : []
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

/** Detects UTF-16 by its byte order mark or, without one, by the positions of the zero bytes. */
export function wideEncoding(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  for (let at = 0; at < head.length; at++) if (head[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > head.length / 4 && even < odd / 20) return 'utf-16le'
  if (even > head.length / 4 && odd < even / 20) return 'utf-16be'
  return undefined
}
