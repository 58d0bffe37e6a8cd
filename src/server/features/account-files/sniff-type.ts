import type { Context } from '#server/engines/context.ts'

const SNIFFED_BYTES = 4_100

const PROGRAM_TYPES: readonly string[] = [
  'application/x-elf',
  'application/x-mach-binary',
  'application/java-vm',
  'application/x-ms-shortcut',
  'application/vnd.ms-htmlhelp',
  'application/x-deb',
  'application/x-rpm',
  'application/x-apple-diskimage',
]
const WINDOWS_PROGRAM = 'application/x-msdownload'
/** A control character that distinguishes a program from a text. */
const NOT_TEXT = /[[\p{Cc}&&\p{ASCII}]--[\t-\r\u007F]]/v
/** Also after the mark of UTF-8, whose bytes are read as three characters. */
const SCRIPT = /^(\u00EF\u00BB\u00BF)?#![ \t]*\//

/**
 * The type by the first bytes; the type that the browser sent only for texts, which have no signature. Undefined for a program. A text
 * can start with the two letters that mark a program for Windows, but has no control characters.
 */
export async function sniffType(ctx: Context, key: string, size: number, stated: string): Promise<string | undefined> {
  const chunks: Buffer[] = []
  const start = await ctx.storage.read(key, { start: 0, end: Math.min(size, SNIFFED_BYTES) - 1 }, size)
  for await (const chunk of start) chunks.push(chunk as Buffer) // binary stream
  const head = Buffer.concat(chunks)
  const text = head.toString('latin1')
  if (SCRIPT.test(text)) return undefined
  const { fileTypeFromBuffer } = await import('file-type')
  const sniffed = await fileTypeFromBuffer(head)
  if (sniffed !== undefined && PROGRAM_TYPES.includes(sniffed.mime)) return undefined
  if (sniffed?.mime === WINDOWS_PROGRAM && NOT_TEXT.test(text)) return undefined
  if (sniffed !== undefined && sniffed.mime !== WINDOWS_PROGRAM) return sniffed.mime
  return /^(text\/(plain|csv|tab-separated-values|markdown)|message\/rfc822)$/.test(stated) ? stated : 'application/octet-stream'
}
