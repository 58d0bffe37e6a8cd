import { seesPrivateFiles } from '#server/access/account-files.ts'
import { seesOwnFilesOnly } from '#server/access/scope.ts'
import type { Viewer } from '#server/access/viewer.ts'

/** What the database counts of an account's documents; private ones also apart. */
export interface KeptFiles {
  files_disclosed: number
  files_sov: number
  bytes_disclosed: number
  bytes_sov: number
  private_disclosed: number
  private_sov: number
  private_bytes_disclosed: number
  private_bytes_sov: number
}

/** Counts and sizes of the documents that this viewer may see, from the kept totals: private ones are taken off for others. */
export function seenFiles(viewer: Viewer, kept: KeptFiles & { company_id: string }) {
  if (seesOwnFilesOnly(viewer)) return { total: 0, disclosed: 0, sov: 0, size: { total: 0, disclosed: 0, sov: 0 } }
  const hidden = seesPrivateFiles(viewer, kept.company_id) ? 0 : 1
  const disclosed = kept.files_disclosed - hidden * kept.private_disclosed
  const sov = kept.files_sov - hidden * kept.private_sov
  const size = {
    disclosed: kept.bytes_disclosed - hidden * kept.private_bytes_disclosed,
    sov: kept.bytes_sov - hidden * kept.private_bytes_sov,
  }
  return { total: disclosed + sov, disclosed, sov, size: { total: size.disclosed + size.sov, ...size } }
}
