import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Checksums, Storage } from './storage.ts'

/** Computes CRC-32, SHA-256 and size of all chunks passed to `update`. */
export function createDigest() {
  const hash = createHash('sha256')
  let crc = 0
  let size = 0
  return {
    update: (chunk: Buffer): void => {
      hash.update(chunk)
      crc = crc32(chunk, crc)
      size += chunk.length
    },
    result: (): Checksums => ({ crc32: crc, sha256: hash.digest('hex'), size }),
  }
}

/** Reads the whole object as a stream. Throws the errors of `read`. */
export async function computeChecksums(storage: Pick<Storage, 'read'>, key: string): Promise<Checksums> {
  const digest = createDigest()
  for await (const chunk of await storage.read(key)) digest.update(chunk)
  return digest.result()
}
