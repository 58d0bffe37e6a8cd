import { invalid } from '#server/kernel/errors.ts'
import { FILE_NAME_MAX_CHARACTERS, UPLOAD_MAX_BYTES } from '#contract/limits.ts'

const EXECUTABLE = /\.(exe|com|scr|pif|bat|cmd|msi|msp|dll|sys|cpl|ps1|psm1|vbs|vbe|wsf|wsh|hta|jse|jar|sh|app|dmg|apk|reg|lnk)$/i
/** Marks that turn the reading direction and can make `exe.pdf` of `fdp.exe`. */
const DIRECTION_MARKS = /[\u200E\u200F\u202A-\u202E\u2066-\u2069\u061C]/g

/** The bare name of an uploaded file: no folders, no direction marks, at most 255 characters with its ending kept. */
export function cleanFileName(filePath: string): string {
  const last = filePath.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? ''
  const name = last.normalize('NFC').replace(DIRECTION_MARKS, '').trim()
  if (name === '' || /^\.+$/.test(name)) throw invalid({ filePath: ['This file has no usable name. Please rename it and try again.'] })
  const characters = [...name]
  if (characters.length <= FILE_NAME_MAX_CHARACTERS) return name
  const ending = /\.[^.]{1,10}$/.exec(name)?.[0] ?? ''
  return characters.slice(0, FILE_NAME_MAX_CHARACTERS - ending.length).join('') + ending
}

/** Refuses what is never a document, with a sentence that says why. */
export function refuseFile(name: string, size: number): void {
  if (size === 0) throw invalid({ size: [`${name} is empty (0 bytes). Please check the file and upload it again.`] })
  if (size > UPLOAD_MAX_BYTES) throw invalid({ size: [`${name} is larger than 5 GiB, the most that one file may have.`] })
  if (EXECUTABLE.test(name)) throw invalid({ filePath: [`${name} is a program. Programs are not accepted as documents.`] })
}
