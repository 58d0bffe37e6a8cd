import type { FileState } from '#contract/file-check.ts'
import type { Answers, AskStates } from './ask-states.ts'
import type { HashedFile } from './hash-file.ts'
import { hashInWorker } from './hash-in-worker.ts'
import type { ListedFile } from './manifest.ts'

export interface Verdict {
  checksum: string
  state: FileState
  /** When the product made the file; null for documents. */
  madeAt: string | null
  /** The documents in an uploaded list that were replaced or withdrawn since; empty for any other file. */
  oldDocuments: string[]
  /** The files of an archive; empty for any other file. */
  members: CheckedMember[]
}

interface CheckedMember {
  path: string
  checksum: string
  /** Not the index or another file that was made for the archive. */
  isDocument: boolean
  /** `private`: unchanged, because the archive is, but the page does not say whether it is current. */
  state: FileState | 'private'
}

interface Run {
  ask: AskStates
  onProgress: (bytes: number) => void
  /** The file is read; what remains is the answer of the server. */
  onRead: () => void
  signal: AbortSignal
}

/** Compares the checksums of a file with those that the product issued. Only checksums are sent. */
export async function checkFile(file: Blob, { ask, onProgress, onRead, signal }: Run): Promise<Verdict> {
  const hashed = await hashInWorker({ file, whole: false }, onProgress, signal)
  onRead()
  const found = await ask([hashed.checksum, ...hashed.members.map(({ checksum }) => checksum)])
  const archive = verdictOf(hashed, found)
  if (archive.state !== 'unknown' || hashed.members.length === 0) return archive
  // An archive may also have been uploaded and issued as a document.
  const whole = await hashInWorker({ file, whole: true }, onProgress, signal)
  onRead()
  const document = verdictOf(whole, await ask([whole.checksum]))
  return document.state === 'unknown' ? archive : document
}

/**
 * A current archive contains exactly what the same request would contain now, so its documents are current in it, also one that is superseded
 * alone because it is private now.
 */
function verdictOf({ checksum, members }: HashedFile, found: Answers): Verdict {
  const stateOf = (sum: string): FileState => found.get(sum)?.state ?? 'unknown'
  const state = stateOf(checksum)
  const inArchive = (own: FileState) => {
    if (own === 'unknown' && state !== 'unknown') return 'private'
    return own === 'superseded' && state === 'current' ? 'current' : own
  }
  const checked = members.map(({ path, checksum: sum }): CheckedMember => {
    const isDocument = (found.get(sum)?.made_at ?? null) === null
    return { path, checksum: sum, isDocument, state: inArchive(stateOf(sum)) }
  })
  return { checksum, state, madeAt: found.get(checksum)?.made_at ?? null, oldDocuments: [], members: checked }
}

/**
 * A list that was uploaded as a document is superseded as well when one of the documents in it is. One that the product made lists exactly
 * what is there now while it is current.
 */
export async function withListed(verdict: Verdict, listed: readonly ListedFile[], ask: AskStates): Promise<Verdict> {
  if (verdict.state !== 'current' || verdict.madeAt !== null) return verdict
  const found = await ask(listed.map(({ sha256 }) => sha256))
  const old = listed.filter(({ sha256 }) => found.get(sha256)?.state === 'superseded')
  return old.length === 0 ? verdict : { ...verdict, state: 'superseded', oldDocuments: old.map(({ path }) => path) }
}
