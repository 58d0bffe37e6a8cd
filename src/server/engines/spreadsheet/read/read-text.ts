import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { IMPORT_TOKEN_MAX_CHARACTERS } from '#contract/reading-limits.ts'

export const CHUNK_BYTES = 65_536
/** A longer line is rejected in most cases, because a row has at most this many characters. */
const PIECE_BYTES = IMPORT_TOKEN_MAX_CHARACTERS
export const LINE_FEED = 10
export const CARRIAGE_RETURN = 13

/**
 * Yields the text of a delimited file chunk by chunk, without byte order mark: UTF-16 where detected, otherwise UTF-8
 * line by line, and Windows-1252 for every line that is not UTF-8, so that a file of mixed origin loses nothing. A line longer
 * than PIECE_BYTES is yielded in pieces, so that the reader can reject it before the rest is read.
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
  let restBytes = 0
  let first = true
  return (chunk) => {
    let end = chunk ? Math.max(chunk.lastIndexOf(LINE_FEED), chunk.lastIndexOf(CARRIAGE_RETURN)) + 1 : 0
    if (chunk && end === 0 && restBytes + chunk.length > PIECE_BYTES) end = startOfLastCharacter(chunk)
    if (chunk && end === 0) {
      rest.push(chunk)
      restBytes += chunk.length
      return ''
    }
    const text = decodeLines(Buffer.concat(chunk ? [...rest, chunk.subarray(0, end)] : rest))
    rest = chunk ? [chunk.subarray(end)] : []
    restBytes = rest[0]?.length ?? 0
    if (!first || text === '') return text
    first = false
    return text.startsWith('\ufeff') ? text.slice(1) : text
  }
}

/** The position of the last byte that does not continue a character of UTF-8. */
function startOfLastCharacter(chunk: Buffer): number {
  let at = chunk.length - 1
  while (at > 0 && ((chunk[at] ?? 0) & 0xc0) === 0x80) at--
  return at
}

const WINDOWS_1252 = new TextDecoder('windows-1252')

function decodeLines(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  let text = ''
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, start)
    const turn = bytes.subarray(start, feed < 0 ? bytes.length : feed).indexOf(CARRIAGE_RETURN)
    const end = turn >= 0 ? start + turn + 1 : feed < 0 ? bytes.length : feed + 1
    const line = bytes.subarray(start, end)
    text += isUtf8(line) ? line.toString() : WINDOWS_1252.decode(line)
    start = end
  }
  return text
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
