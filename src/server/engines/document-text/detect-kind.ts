import { open } from 'node:fs/promises'
import { hasOleStream, looksBinary } from '../spreadsheet/read/open-workbook.ts'
import { openZip } from '../spreadsheet/read/zip-reader.ts'

export type DocumentKind = 'pdf' | 'word' | 'workbook' | 'delimited' | 'email' | 'outlook' | 'html' | 'text'

const HEAD_BYTES = 65_536
/** PDF readers accept bytes before the header. */
const PDF_HEAD_BYTES = 1_024
const OLE = '\xd0\xcf\x11\xe0'
const EMAIL_HEADER = /^(received|from|to|subject|date|message-id|mime-version|return-path|delivered-to|content-type|x-[\w-]+):/im

/** Files with such names that are not what they are named are damaged, also for previews. */
const NAMED = /\.(pdf|docx|docm|dotx|xlsx|xlsm|eml|msg)$/i

/** The kind of a document by its content; the name only distinguishes texts. `encrypted` for an Office file with a password. */
export async function detectKind(path: string, name: string): Promise<DocumentKind | 'encrypted' | 'not_supported' | 'damaged'> {
  const kind = await kindOfContent(path, name)
  return kind === 'unknown' ? (NAMED.test(name) ? 'damaged' : 'not_supported') : kind
}

async function kindOfContent(path: string, name: string): Promise<DocumentKind | 'encrypted' | 'unknown'> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const head = buffer.subarray(0, bytesRead)
    const bytes = head.toString('latin1')
    if (bytes.slice(0, PDF_HEAD_BYTES).includes('%PDF-')) return 'pdf'
    if (bytes.startsWith(OLE)) return oleKind(await file.readFile())
    if (bytes.startsWith('PK\x03\x04')) return await zipKind(path)
    return textKind(head, bytes, name)
  } finally {
    await file.close()
  }
}

/** OLE2 is the container of old Office files, of encrypted new ones, and of Outlook messages ([MS-CFB]). */
function oleKind(file: Buffer): 'encrypted' | 'outlook' | 'unknown' {
  if (hasOleStream(file, 'EncryptedPackage')) return 'encrypted'
  return hasOleStream(file, '__properties_version1.0') ? 'outlook' : 'unknown'
}

async function zipKind(path: string): Promise<'word' | 'workbook' | 'unknown'> {
  const zip = await openZip(path)
  try {
    const names = new Set(zip.names)
    return names.has('word/document.xml') ? 'word' : names.has('xl/workbook.xml') ? 'workbook' : 'unknown'
  } finally {
    zip.close()
  }
}

function textKind(head: Buffer, bytes: string, name: string): 'delimited' | 'email' | 'html' | 'text' | 'unknown' {
  if (looksBinary(head) || bytes.startsWith('{\\rtf')) return 'unknown'
  if (/\.(csv|tsv)$/i.test(name)) return 'delimited'
  if (/\.x?html?$/i.test(name)) return 'html'
  const [start = ''] = bytes.replace(/^\xef\xbb\xbf/, '').split(/\r?\n\r?\n/, 1)
  return /\.eml$/i.test(name) || (EMAIL_HEADER.test(start.split(/\r?\n/, 1)[0] ?? '') && /^(from|subject):/im.test(start))
    ? 'email'
    : 'text'
}
