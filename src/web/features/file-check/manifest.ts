import { z } from 'zod'
import { formatNumber, plural } from '#contract/format.ts'
import { CHECK_AT_ONCE_BYTES } from '#contract/limits.ts'
import { officeManifest } from './office-manifest.ts'

/** A Word file lists documents without a place in an archive, and also those whose checksum is not known. */
const Listed = z.object({ path: z.string().optional(), original_name: z.string().optional(), sha256: z.string().nullable() })
const Manifest = z.object({ manifest_version: z.number(), documents: z.array(Listed), generated: z.array(Listed).default([]) })

/** A file that a manifest lists. */
export interface ListedFile {
  path: string
  sha256: string
}

/** A file that was checked, or a file in a checked archive. */
export interface PresentFile {
  name: string
  checksum: string
}

const LISTING = ['json', 'docx', 'xlsx']

/** The files of an archive as its manifest lists them, or the documents that a Word or Excel file of the product lists; undefined for any other file. */
export async function listedFiles(file: File): Promise<ListedFile[] | undefined> {
  const extension = file.name.toLowerCase().split('.').at(-1)
  if (!LISTING.includes(extension ?? '') || file.size > CHECK_AT_ONCE_BYTES) return undefined
  try {
    const text = extension === 'json' ? await file.text() : await officeManifest(file)
    const { documents, generated } = Manifest.parse(JSON.parse(text))
    return [...documents, ...generated].flatMap(({ path, original_name: name = '', sha256 }) =>
      sha256 === null ? [] : [{ path: path ?? name, sha256 }],
    )
  } catch {
    return undefined
  }
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** What the files that were checked say about a manifest: a text, and lists of what is not as it should be. */
export function compareWithManifest(listed: readonly ListedFile[], present: readonly PresentFile[]) {
  const total = plural(listed.length, 'file')
  if (present.length === 0) return { text: `It lists ${total}. Drop them here, too, to find out whether one is missing.`, lists: [] }
  const checksums = new Set(present.map(({ checksum }) => checksum))
  const known = new Set(listed.map(({ sha256 }) => sha256))
  const otherNames = new Set(present.filter(({ checksum }) => !known.has(checksum)).map(({ name }) => nameOf(name)))
  const absent = listed.filter(({ sha256 }) => !checksums.has(sha256)).map(({ path }) => path)
  if (absent.length === 0) return { text: `All ${total} that it lists are here, unchanged.`, lists: [] }
  const changed = absent.filter((path) => otherNames.has(nameOf(path)))
  const missing = absent.filter((path) => !otherNames.has(nameOf(path)))
  return {
    text: `It lists ${total}. ${formatNumber(absent.length)} of them ${absent.length === 1 ? 'is' : 'are'} not here as listed.`,
    lists: [
      { label: `${formatNumber(missing.length)} missing`, paths: missing },
      { label: `${formatNumber(changed.length)} here with other content`, paths: changed },
    ].filter(({ paths }) => paths.length > 0),
  }
}
