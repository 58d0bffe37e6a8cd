import { open, readFile } from 'node:fs/promises'
import { IMPORT_MAX_BYTES } from '#contract/limits.ts'
import { invalid, tooLarge, unsupported } from '#server/kernel/errors.ts'
import type { OpenWorkbook } from '../sheet.ts'
import { openCsv } from './csv-reader.ts'
import { wideEncoding } from './read-text.ts'
import { passwordProtected } from './file-errors.ts'
import { IMPORT_LIMITS } from './read-limits.ts'
import { openXlsx } from './xlsx-reader.ts'
import { openZip, readMemberStart } from './zip-reader.ts'

const HEAD_BYTES = 65_536
/** The first member of an archive, or the end of an empty one. */
const ZIP_STARTS = ['PK\x03\x04', 'PK\x05\x06'] as const
/** Directory entries of OLE2 files begin at multiples of this and hold the name of a stream in UTF-16. */
const OLE_ENTRY_BYTES = 128
const SAVE_AS = 'Open it in Excel, choose "Save As" and the type "Excel Workbook (.xlsx)", then upload that file.'

const IMAGE = 'This is an image, not a spreadsheet. Upload the schedule as .xlsx or .csv.'
const ARCHIVE = 'This is a compressed archive. Unpack it and upload the spreadsheet inside.'

const SIGNATURES: readonly (readonly [bytes: string, message: string])[] = [
  ['%PDF', 'This is a PDF document, not a spreadsheet. Ask for the schedule as an Excel file (.xlsx) or as .csv.'],
  ['\x89PNG', IMAGE],
  ['\xff\xd8\xff', IMAGE],
  ['GIF8', IMAGE],
  ['BM', 'This is an image or another binary file, not a spreadsheet. Upload the schedule as .xlsx or .csv.'],
  ['II*\0', IMAGE],
  ['MM\0*', IMAGE],
  ['{\\rtf', 'This is a text document (.rtf), not a spreadsheet. Upload the schedule as .xlsx or .csv.'],
  ['Rar!', ARCHIVE],
  ['7z\xbc\xaf', ARCHIVE],
  ['\x1f\x8b', ARCHIVE],
]

/** Opens a workbook or delimited text on this thread, which parsing blocks; the server uses `readWorkbook`. Throws AppError. */
export async function openWorkbook(path: string, limits = IMPORT_LIMITS): Promise<OpenWorkbook> {
  return (await detectFileType(path)) === 'xlsx' ? openXlsx(path, limits) : openCsv(path, limits)
}

/** Detects the type of a file from its content, never from its name. Throws AppError with advice for a file that cannot be read. */
export async function detectFileType(path: string): Promise<'xlsx' | 'csv'> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size === 0) throw invalid({ file: ['This file is empty. Check that it was saved completely and upload it again.'] })
    if (size > IMPORT_MAX_BYTES) {
      throw tooLarge(
        `This file is larger than ${IMPORT_MAX_BYTES / 1024 ** 2} MB, the limit of an import. Remove pictures and sheets that are not needed, or split it.`,
      )
    }
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const head = buffer.subarray(0, bytesRead)
    const bytes = head.toString('latin1')
    if (bytes.startsWith('\xd0\xcf\x11\xe0')) throw await oleError(path)
    if (ZIP_STARTS.some((start) => bytes.startsWith(start))) return await detectZipType(path)
    rejectOtherTypes(bytes, head)
    return 'csv'
  } finally {
    await file.close()
  }
}

/** OLE2 is the container of .xls files and of password-protected workbooks ([MS-CFB]). */
async function oleError(path: string) {
  const file = await readFile(path)
  if (hasOleStream(file, 'EncryptedPackage')) return passwordProtected()
  if (hasOleStream(file, 'Workbook') || hasOleStream(file, 'Book')) {
    return unsupported(`This is a workbook in the old .xls format. ${SAVE_AS}`)
  }
  return unsupported(`This is an old Office file, not an .xlsx workbook. ${SAVE_AS}`)
}

export function hasOleStream(file: Buffer, name: string): boolean {
  const entry = Buffer.from(`${name}\0`, 'utf16le')
  for (let at = file.indexOf(entry); at >= 0; at = file.indexOf(entry, at + 1)) if (at % OLE_ENTRY_BYTES === 0) return true
  return false
}

async function detectZipType(path: string): Promise<'xlsx'> {
  const zip = await openZip(path)
  try {
    const names = new Set(zip.names)
    if (names.has('xl/workbook.xml')) return 'xlsx'
    if (names.has('xl/workbook.bin')) throw unsupported(`This is a binary workbook (.xlsb). ${SAVE_AS}`)
    if (names.has('mimetype') && (await readMemberStart(zip, 'mimetype')).startsWith('application/vnd.oasis.opendocument')) {
      throw unsupported('This is an OpenDocument file (.ods). Save it as "Excel Workbook (.xlsx)" and upload that file.')
    }
    if (names.has('word/document.xml'))
      throw unsupported('This is a Word document, not a spreadsheet. Upload the schedule as .xlsx or .csv.')
    throw unsupported('This is a ZIP archive without a workbook of its own. Unpack it and upload the spreadsheet inside.')
  } finally {
    zip.close()
  }
}

function rejectOtherTypes(bytes: string, head: Buffer): void {
  const [signature, message] = SIGNATURES.find(([start]) => bytes.startsWith(start)) ?? []
  const start = bytes
    .slice(0, 512)
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
    .toLowerCase()
  if (message !== undefined && (signature !== 'BM' || looksBinary(head))) throw unsupported(message)
  if (/^<(!doctype html|html|table|head|meta)/.test(start)) {
    throw unsupported(`This is a web page saved under the name of a spreadsheet. ${SAVE_AS}`)
  }
  if (start.startsWith('<?xml')) throw unsupported(`This is an XML file, not an .xlsx workbook. ${SAVE_AS}`)
  if (looksBinary(head)) throw unsupported('This file is neither a workbook nor text. Upload the schedule as .xlsx or .csv.')
}

/** Whether the bytes are not text. UTF-16 text holds zero bytes, but only at every other position. */
export function looksBinary(head: Buffer): boolean {
  if (wideEncoding(head)) return false
  let control = 0
  for (const byte of head) {
    if (byte === 0) return true
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) control++
  }
  return control > head.length / 100
}
