import { createHash } from 'node:crypto'
import { centralHeader, endRecords, localHeader, type ZipLayout } from '../archive/zip-layout.ts'

/**
 * Identifies every byte of an archive without reading its documents: SHA-256 of the archive in which the content of each member is replaced
 * by its own SHA-256. The page for checking files computes the same from the archive itself. The prefix distinguishes it from the
 * SHA-256 of a file.
 */
export function packageDigest({ members, centralLength, centralOffset }: ZipLayout, sha256Of: (name: string) => string): string {
  const hash = createHash('sha256')
  for (const member of members) hash.update(localHeader(member)).update(Buffer.from(sha256Of(member.name), 'hex'))
  for (const member of members) hash.update(centralHeader(member))
  return `zip:${hash.update(endRecords(members.length, centralLength, centralOffset)).digest('hex')}`
}

export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')
