import { UPLOAD_MAX_BYTES } from '#contract/limits.ts'

/** Endings that a machine would run; the server refuses them by their content, too (decisions Q68). */
const EXECUTABLE =
  /\.(exe|dll|com|scr|pif|bat|cmd|msi|msp|msix|appx|ps1|psm1|vbs|vbe|js|jse|wsf|wsh|hta|cpl|jar|lnk|reg|sh|bash|run|bin|app|dmg|pkg|deb|rpm|apk|elf|so|gadget)$/i

/** Why a file cannot be uploaded, as a sentence; null when it can. */
export function refusalOf(file: { name: string; size: number }): string | null {
  if (EXECUTABLE.test(file.name)) return 'Programs cannot be uploaded. Send the document itself, for example as a PDF.'
  if (file.size === 0) return 'This file is empty. Check it on your computer and choose it again.'
  if (file.size > UPLOAD_MAX_BYTES) return 'A file may be at most 5 GiB. Split it or compress it first.'
  return null
}
