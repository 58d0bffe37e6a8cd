import {
  ARCHIVE_PART_BYTES,
  ARCHIVE_PART_CHARACTERS,
  ARCHIVE_PATH_CHARACTERS,
  FILE_NAME_MAX_CHARACTERS,
  UPLOAD_MAX_BYTES,
} from '#contract/limits.ts'
import { isProgramName } from '#contract/program-names.ts'
import { visibleName } from '#contract/visible-names.ts'
import { withoutHiddenCharacters } from '#contract/route.ts'
import { invalid } from '#server/kernel/errors.ts'

const WINDOWS_DEVICES = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i

const extensionOf = (name: string): string => /\.[^.\s]{1,10}$/.exec(name)?.[0] ?? ''

interface Limits {
  /** In UTF-16, as Windows counts. */
  characters: number
  /** In UTF-8, as other systems count. */
  bytes: number
}

const PART_LIMITS: Limits = { characters: ARCHIVE_PART_CHARACTERS, bytes: ARCHIVE_PART_BYTES }
const NAME_LIMITS: Limits = { characters: FILE_NAME_MAX_CHARACTERS, bytes: Infinity }
const FOLDER_LIMITS: Limits = { characters: 1_000, bytes: Infinity }
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })

const fits = (text: string, { characters, bytes }: Limits): boolean => text.length <= characters && Buffer.byteLength(text) <= bytes

/** As many of the first graphemes as fit. */
function firstGraphemes(text: string, { characters, bytes }: Limits): string {
  let [end, used] = [0, 0]
  for (const { segment } of GRAPHEMES.segment(text)) {
    used += Buffer.byteLength(segment)
    if (end + segment.length > characters || used > bytes) break
    end += segment.length
  }
  return text.slice(0, end)
}

/** As many of the first graphemes as fit, and the ending, if that needs at most half of the limits. */
function shorten(whole: string, { characters, bytes }: Limits, ending = ''): string {
  if (fits(whole, { characters, bytes })) return whole
  const end = fits(ending, { characters: characters / 2, bytes: bytes / 2 }) ? ending.trimEnd() : ''
  const room = { characters: characters - end.length, bytes: bytes - Buffer.byteLength(end) }
  return firstGraphemes(whole.slice(0, whole.length - end.length), room).trimEnd() + end
}

/** The name of an uploaded file in one line, without folders and hidden characters, at most 255 characters including the extension. */
export function cleanFileName(filePath: string): string {
  const last = filePath.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? ''
  const whole = visibleName(last)
  const name = shorten(whole, NAME_LIMITS, extensionOf(whole))
  if (name === '' || /^\.+$/.test(name)) throw invalid({ filePath: ['This file has no usable name. Please rename it and try again.'] })
  return name
}

/** The folders of a path, in one line without hidden characters. Null without folders; the beginning of very long ones. */
export function folderOf(path: string): string | null {
  const parts = path
    .split(/[/\\]/)
    .slice(0, -1)
    .map((part) => visibleName(part))
    .filter((part) => part !== '' && !/^\.+$/.test(part))
  return parts.length === 0 ? null : shorten(parts.join('/'), FOLDER_LIMITS)
}

/** Throws `invalid` for an empty file, a too large one and a program. */
export function requireDocument(name: string, size: number): void {
  if (size === 0) throw invalid({ size: [`${name} is empty (0 bytes). Please check the file and upload it again.`] })
  if (size > UPLOAD_MAX_BYTES) throw invalid({ size: [`${name} is larger than 5 GiB, the limit for one file.`] })
  if (isProgramName(name)) throw invalid({ filePath: [`${name} is a program. Programs are not accepted as documents.`] })
}

interface NamedFile {
  vanity_name: string | null
  original_file_name: string
}

export const displayName = (file: NamedFile): string => file.vanity_name ?? file.original_file_name

/** The display name with the extension of the original file. */
export const downloadName = (file: NamedFile): string => withoutProgramEnding(withExtension(file))

function withExtension(file: NamedFile): string {
  const name = displayName(file)
  const extension = extensionOf(file.original_file_name)
  return name.toLowerCase().endsWith(extension.toLowerCase()) ? name : name + extension
}

/** Throws `invalid` for a descriptive name with which the document would be downloaded as a program. */
export function requireDocumentName(file: NamedFile): void {
  const name = withExtension(file)
  if (isProgramName(name)) throw invalid({ vanity_name: [`${name} is the name of a program. Please enter another name.`] })
}

/** Names that were stored before a type was rejected, or are shortened, do not become those of programs. */
export const withoutProgramEnding = (name: string): string => (isProgramName(name) ? `${name.replace(/[.\s]+$/, '')}_` : name)

const withoutReserved = (text: string): string =>
  withoutHiddenCharacters(text.normalize('NFC').toWellFormed())
    // oxlint-disable-next-line no-control-regex -- control characters are what it replaces
    .replace(/[<>:"/\\|?*\u0000-\u001F\u007F]/g, '-')
    .replace(/\s+/g, ' ')

/**
 * A part of a path that every file system accepts: without reserved characters and device names, and not too long.
 * @param ending what follows the text, and stays whole if it needs at most half of the part
 */
export function safePart(text: string, { ending = '', limits = PART_LIMITS }: { ending?: string; limits?: Limits } = {}): string {
  const whole = withoutReserved(text + ending).trim()
  const part = shorten(whole, limits, withoutReserved(ending)).replace(/[. ]+$/, '')
  if (part === '') return '-'
  return WINDOWS_DEVICES.test(part) ? `_${part}` : part
}

/** The name with the extension of another file, which may be of another type. */
export function withExtensionOf(name: string, other: string): string {
  const [former, extension] = [extensionOf(name), extensionOf(other)]
  if (former.toLowerCase() === extension.toLowerCase()) return name
  const stem = former === name ? name : name.slice(0, name.length - former.length)
  return shorten(stem + extension, NAME_LIMITS, extension)
}

const splitExtension = (name: string): [stem: string, extension: string] => {
  const extension = extensionOf(name)
  return extension === name ? [name, ''] : [name.slice(0, name.length - extension.length), extension]
}

/** @param number distinguishes copies, between the name and its extension */
function safeFileName(name: string, characters: number, number: string): string {
  const [stem, extension] = splitExtension(name)
  const safeExtension = extension === '' ? '' : `.${safePart(extension.slice(1))}`
  const ending = safeExtension.length + number.length
  const limits = { characters: characters - ending, bytes: ARCHIVE_PART_BYTES - Buffer.byteLength(safeExtension) - number.length }
  const [safeStem, shownExtension] = splitExtension(withoutProgramEnding(safePart(stem, { limits }) + safeExtension))
  return safeStem + number + shownExtension
}

/** Returns a function that makes names unique with ` (2)`, ` (3)` and so on, ignoring case. */
export function uniqueNames() {
  const used = new Set<string>()
  /** The last number of each name, so that the ten thousandth copy does not try all numbers before it. */
  const copies = new Map<string, number>()
  const keyOf = (name: string) => name.normalize('NFC').toLowerCase()
  /** @param nameWith the name with a number, which is empty for the first one */
  return (nameWith: (number: string) => string): string => {
    const first = keyOf(nameWith(''))
    for (let copy = (copies.get(first) ?? 0) + 1; ; copy += 1) {
      const name = nameWith(copy === 1 ? '' : ` (${copy})`)
      const key = keyOf(name)
      if (used.has(key)) continue
      used.add(key)
      copies.set(first, copy)
      return name
    }
  }
}

/** Returns a function that gives out the paths of an archive: whole paths within the limits, each of them once. */
export function pathGiver() {
  const give = uniqueNames()
  return (folder: string, fileName: string): string => {
    const characters = Math.max(20, Math.min(ARCHIVE_PART_CHARACTERS, ARCHIVE_PATH_CHARACTERS - folder.length))
    return give((number) => folder + safeFileName(fileName, characters, number))
  }
}
