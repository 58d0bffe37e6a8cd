import { RTF_MAX_BYTES } from './reading-limits.ts'

const HEADER_BYTES = 16
const [COMPRESSED, PLAIN] = [0x75_46_5a_4c, 0x41_4c_45_4d]
const WINDOW_BYTES = 4_096
const REFERENCE_MIN_BYTES = 2
/** What both sides begin with ([MS-OXRTFCP] 2.1.3.1.2). */
const START =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes' +
  ' New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx'

/**
 * The RTF of a message of Outlook, one character for each byte: literal bytes, and references to the last 4,096 bytes. Reads to the first
 * byte that does not fit, and at most RTF_MAX_BYTES. Throws for other formats.
 */
export function decompressRtf(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const format = bytes.length < HEADER_BYTES ? undefined : view.getUint32(8, true)
  if (format === PLAIN) return latin1(bytes.subarray(HEADER_BYTES, HEADER_BYTES + RTF_MAX_BYTES))
  if (format !== COMPRESSED) throw new Error('This is not compressed RTF.')
  const window = new Uint8Array(WINDOW_BYTES)
  window.set(Uint8Array.from(START, (character) => character.charCodeAt(0)))
  const out = new Uint8Array(Math.min(view.getUint32(4, true), RTF_MAX_BYTES))
  let [at, written, next] = [HEADER_BYTES, 0, START.length]
  const write = (byte: number) => {
    if (written < out.length) out[written] = byte
    window[next % WINDOW_BYTES] = byte
    written += 1
    next += 1
  }
  while (at < bytes.length && written < out.length) {
    const control = bytes[at++] ?? 0
    for (let bit = 0; bit < 8 && at < bytes.length; bit += 1) {
      if ((control & (1 << bit)) === 0) {
        write(bytes[at++] ?? 0)
        continue
      }
      if (at + 1 >= bytes.length) return latin1(out.subarray(0, written))
      const reference = view.getUint16(at)
      at += 2
      const from = reference >> 4
      // A reference to the place that is written next is the end.
      if (from === next % WINDOW_BYTES) return latin1(out.subarray(0, written))
      const length = (reference & 15) + REFERENCE_MIN_BYTES
      for (let step = 0; step < length; step += 1) write(window[(from + step) % WINDOW_BYTES] ?? 0)
    }
  }
  return latin1(out.subarray(0, written))
}

const CHUNK_BYTES = 8_192

/** Byte for byte. A decoder of Latin-1 would decode it as Windows-1252. */
function latin1(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES)))
  return parts.join('')
}
