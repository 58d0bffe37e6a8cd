import type { FileState } from '#contract/file-check.ts'
import { formatDateTime, formatNumber, plural } from '#contract/format.ts'
import type { Verdict } from './check-file.ts'

/** The answers of the page, in its words. */
export const ANSWERS: Readonly<Record<FileState, { title: string; meaning: (product: string) => string }>> = {
  current: {
    title: 'Unchanged and current',
    meaning: (product) => `${product} issued exactly this file, and nothing newer has replaced it.`,
  },
  newest: {
    title: 'Unchanged, and the newest export',
    meaning: (product) =>
      `${product} issued exactly this export, and no newer one was made. Whether the rows of its list have changed since is not fully checked.`,
  },
  superseded: {
    title: 'Unchanged, but superseded',
    meaning: (product) =>
      `${product} issued exactly this file. Since then it was replaced or withdrawn, a newer one was made, or what it lists has changed. Ask the sender for the present one.`,
  },
  unknown: {
    title: 'Unknown',
    meaning: (product) =>
      `${product} has not issued exactly this file. It was changed after it was downloaded, comes from somewhere else, or is private.`,
  },
}

const OLD_LIST = 'No newer list was made, but some of the documents in it were replaced or withdrawn since. Ask the sender for a new one.'

const PACKED_AGAIN = ' If it was packed again, unpack it and drop its files here.'

const ARCHIVE = {
  hasOtherFiles: 'It is not an archive that was issued. Files in it that are not listed below are as they were issued.',
  hasOtherNames: 'All files in it are as they were issued, but the archive is not: it was packed again, or names in it were changed.',
}

/** Of a document, which a user uploaded: the product vouches for its delivery, and not for what it says. */
const currentDocument = (product: string) =>
  `${product} delivered exactly this document, and nothing newer has replaced it. It was uploaded by a user, so ask the sender if you doubt what it says.`

/** What the answer means for this file. */
export function meaningOf({ state, madeAt, oldDocuments, members }: Verdict, { product, name }: { product: string; name: string }): string {
  if (oldDocuments.length > 0) return OLD_LIST
  const known = members.filter((member) => member.state !== 'unknown').length
  if (state === 'unknown' && known > 0) return known === members.length ? ARCHIVE.hasOtherNames : ARCHIVE.hasOtherFiles
  if (state === 'current' && madeAt === null) return currentDocument(product)
  const meaning = ANSWERS[state].meaning(product)
  return state === 'unknown' && name.toLowerCase().endsWith('.zip') ? `${meaning}${PACKED_AGAIN}` : meaning
}

/** When the file was made, and how many files an archive contains. */
export function factsOf({ madeAt, members, state }: Verdict, zone: string): string {
  const made = madeAt === null ? [] : [`Made on ${formatDateTime(madeAt, zone)}.`]
  const unchanged =
    state === 'unknown' || members.length === 0 ? [] : [`All ${plural(members.length, 'file', 'files')} in it are unchanged.`]
  return [...made, ...unchanged].join(' ')
}

const OLD = 'replaced or withdrawn since'
const GROUPS = [
  ['superseded', OLD],
  ['unknown', 'changed, added or private'],
  ['private', 'unchanged; this page does not say whether current'],
] as const

/** The files of an archive or list that are not current, by what is known about them. */
export function membersToList({ state, members, oldDocuments: old }: Verdict): { label: string; paths: string[] }[] {
  if (old.length > 0) return [{ label: `${formatNumber(old.length)} ${OLD}`, paths: old }]
  return GROUPS.flatMap(([own, label]) => {
    // The index and the manifest are superseded with their archive.
    const listed = members.filter((member) => member.state === own && (member.isDocument || own !== 'superseded'))
    const paths = listed.map(({ path }) => path)
    // In an archive that is not known, files that are not known either may all be of another origin.
    const isAll = state === 'unknown' && paths.length === members.length
    return paths.length === 0 || isAll ? [] : [{ label: `${formatNumber(paths.length)} ${label}`, paths }]
  })
}
