import { ARCHIVE_PART_CHARACTERS, ARCHIVE_PATH_CHARACTERS } from '#contract/limits.ts'

const DEVICES = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i
const DIRECTION_MARKS = /[\u200E\u200F\u202A-\u202E\u2066-\u2069\u061C]/g

/** One part of a path that every file system accepts: forbidden signs become `-`, device names get a mark, length is cut. */
export function safePart(text: string, max = ARCHIVE_PART_CHARACTERS): string {
  const cleaned = text
    .normalize('NFC')
    .toWellFormed()
    .replace(DIRECTION_MARKS, '')
    // oxlint-disable-next-line no-control-regex -- control characters are what it replaces
    .replace(/[<>:"/\\|?*\u0000-\u001F\u007F]/g, '-')
    .replace(/\s+/g, ' ')
  const cut = [...cleaned.trim()].slice(0, max).join('')
  const trimmed = cut.replace(/[. ]+$/, '').replace(/^ +/, '')
  if (trimmed === '' || /^\.+$/.test(trimmed)) return '-'
  return DEVICES.test(trimmed) ? `_${trimmed}` : trimmed
}

const splitEnding = (name: string): [stem: string, ending: string] => {
  const ending = /\.[^.\s]{1,10}$/.exec(name)?.[0] ?? ''
  return ending === name ? [name, ''] : [name.slice(0, name.length - ending.length), ending]
}

/** A file name with its ending kept when it is cut. */
function safeFileName(name: string, max: number): string {
  const [stem, ending] = splitEnding(name)
  const safeEnding = ending === '' ? '' : `.${safePart(ending.slice(1), 10)}`
  return safePart(stem, Math.max(1, max - safeEnding.length)) + safeEnding
}

/**
 * Gives out paths inside an archive: parts of at most 80 characters, whole paths of at most 200, and ` (2)`, ` (3)` where a name
 * is taken in its folder, ignoring case.
 */
export function pathGiver() {
  const taken = new Set<string>()
  return (folder: string, fileName: string): string => {
    const room = Math.max(20, Math.min(ARCHIVE_PART_CHARACTERS, ARCHIVE_PATH_CHARACTERS - folder.length - 6))
    const safe = safeFileName(fileName, room)
    const [stem, ending] = splitEnding(safe)
    for (let copy = 1; ; copy += 1) {
      const path = `${folder}${copy === 1 ? safe : `${stem} (${copy})${ending}`}`
      const key = path.normalize('NFC').toLowerCase()
      if (taken.has(key)) continue
      taken.add(key)
      return path
    }
  }
}
