/** Types of files that an operating system runs, opens as a program or mounts when a user opens them. Workbooks and letters with macros are documents. */
const PROGRAM = new RegExp(
  `\\.(${[
    'exe|dll|com|scr|pif|bat|cmd|msi|msp|msix|appx|sys|cpl|ps1|psm1|vbs|vbe|js|jse|wsf|wsh|hta|chm|gadget|reg|lnk|url|scf',
    'sh|bash|run|bin|elf|so|desktop|deb|rpm|command|app|pkg|dmg|iso|img|vhdx?|jar|apk|py|pyw',
  ].join('|')})$`,
  'i',
)

/**
 * Whether a file with this name is opened as a program. Compares the name that systems use: without invisible characters and dots or spaces at
 * the end, in letters of normal width, and without the stream of a file that Windows names after a colon.
 */
export const isProgramName = (name: string): boolean =>
  name
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/gu, '')
    .split(':')
    .some((part) => PROGRAM.test(part.replace(/[.\s]+$/, '')))
