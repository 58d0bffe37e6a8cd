import { inflateRawSync } from 'node:zlib'

const END = 0x06054b50
const ENTRY = 0x02014b50

/** The names and texts of the entries of an archive or office file, and of the office files in it. Anything else is its own text. */
export function textsOf(bytes: Buffer): string {
  const end = bytes.length < 22 || bytes.readUInt32LE(0) !== 0x04034b50 ? -1 : bytes.lastIndexOf(Buffer.from('PK\u0005\u0006'))
  if (end < 0 || bytes.readUInt32LE(end) !== END) return bytes.toString()
  const texts: string[] = []
  let at = bytes.readUInt32LE(end + 16)
  while (at < end && bytes.readUInt32LE(at) === ENTRY) {
    const [method, size, nameLength] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28)]
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const content = bytes.subarray(start, start + size)
    texts.push(bytes.toString('utf8', at + 46, at + 46 + nameLength), textsOf(method === 0 ? content : inflateRawSync(content)))
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return texts.join('\n')
}
