import { strFromU8, unzipSync, zipSync } from 'fflate'
import { WORD_PARTS_MAX, WORD_TEXT_MAX_BYTES, WORD_UNPACKED_MAX_BYTES } from '#contract/reading-limits.ts'

/** Why a document is not shown. */
export type WordProblem = 'encrypted' | 'old' | 'damaged' | 'large'

/** Macros, embedded files and other parts that a preview does not need are left out. */
const NEEDED =
  /^(\[Content_Types\]\.xml|_rels\/.*|docProps\/.*\.xml|word\/(?!embeddings\/|activeX\/|vbaProject)[^:]*\.(xml|rels|png|jpe?g|gif|bmp|webp))$/i
const XML = /\.(xml|rels)$/i
const OLE_START = [0xd0, 0xcf, 0x11, 0xe0]
/** The name of the stream that an encrypted document consists of, in UTF-16. */
const ENCRYPTED = [...'EncryptedPackage'].join('\0')

/**
 * The parts of a Word document that a preview needs, in an archive without compression. Sizes are checked before anything is unpacked, and
 * no part becomes larger than it says.
 */
export function unpackWord(bytes: Uint8Array): Uint8Array<ArrayBuffer> | WordProblem {
  if (OLE_START.every((byte, index) => bytes[index] === byte))
    return new TextDecoder('latin1').decode(bytes).includes(ENCRYPTED) ? 'encrypted' : 'old'
  let total = 0
  let parts = 0
  let isLarge = false
  try {
    const unpacked = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!NEEDED.test(name)) return false
        total += originalSize
        parts += 1
        isLarge ||= total > WORD_UNPACKED_MAX_BYTES || parts > WORD_PARTS_MAX || (XML.test(name) && originalSize > WORD_TEXT_MAX_BYTES)
        return !isLarge
      },
    })
    if (isLarge) return 'large'
    const xml = Object.entries(unpacked).filter(([name]) => XML.test(name))
    // Entities could expand to any size, and Word writes none.
    if (unpacked['word/document.xml'] === undefined || xml.some(([, part]) => strFromU8(part).includes('<!DOCTYPE'))) return 'damaged'
    return new Uint8Array(zipSync(unpacked, { level: 0 }))
  } catch {
    return 'damaged'
  }
}
