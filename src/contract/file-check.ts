import { z } from 'zod'
import { CHECKSUMS_PER_CHECK_MAX } from './limits.ts'
import { formatNumber } from './format.ts'
import { call, json } from './route.ts'

/**
 * What the page for checking files says about one. `current`: these bytes are the present document, or the newest package of its kind,
 * which would contain the same if it was made again. `newest`: the newest export of a list, whose rows are not compared with those of today. `superseded`: they were issued, and were replaced or withdrawn since, or what they list
 * changed. `unknown`: they were never issued to anyone.
 */
export const FILE_STATES = ['current', 'newest', 'superseded', 'unknown'] as const
export type FileState = (typeof FILE_STATES)[number]

/** SHA-256 of a file in lower case, or `zip:` and the digest of an archive (`packageDigest`). */
const Checksum = z.string().regex(/^(zip:)?[0-9a-f]{64}$/, 'Please send the SHA-256 of the file as 64 lower-case hexadecimal digits.')

const most = `Please check at most ${formatNumber(CHECKSUMS_PER_CHECK_MAX)} files in one request.`

export const FileCheck = z.object({
  checksum: z.string(),
  state: z.enum(FILE_STATES),
  /** When the product made the file, which is printed in it; null for documents, which others made. */
  made_at: z.string().nullable(),
})
export type FileCheck = z.output<typeof FileCheck>

export const fileCheckCalls = {
  check: call('POST', '/check', 'public', 'Whether files are unchanged and current, by their checksums', {
    body: z.strictObject({ checksums: z.array(Checksum).min(1, 'Please send a checksum.').max(CHECKSUMS_PER_CHECK_MAX, most) }),
    output: json(z.array(FileCheck)),
  }),
}
