import { type FileHandle, open } from 'node:fs/promises'
import { IMPORT_MAX_BYTES } from '#contract/limits.ts'
import { invalid, tooLarge, unsupported } from '#server/kernel/errors.ts'
import { passwordProtected } from './file-refusal.ts'
import { readOleNames } from './ole-directory.ts'
import { openZip, readMemberStart } from './zip-directory.ts'

const HEAD_BYTES = 65_536
/** The first member of an archive, or the end of an empty one. */
const ZIP_STARTS = ['PK\x03\x04', 'PK\x05\x06'] as const
const SAVE_AS = 'Open it in Excel, choose "Save As" and the type "Excel Workbook (.xlsx)", then upload that file.'

const SIGNATURES: readonly { bytes: string; sentence: string }[] = [
  { bytes: '%PDF', sentence: 'This is a PDF document, not a spreadsheet. Ask for the schedule as an Excel file (.xlsx) or as .csv.' },
  { bytes: '\x89PNG', sentence: 'This is an image, not a spreadsheet. Upload the schedule as .xlsx or .csv.' },
  { bytes: '\xff\xd8\xff', sentence: 'This is an image, not a spreadsheet. Upload the schedule as .xlsx or .csv.' },
  { bytes: 'GIF8', sentence: 'This is an image, not a spreadsheet. Upload the schedule as .xlsx or .csv.' },
  { bytes: 'BM', sentence: 'This is an image or another binary file, not a spreadsheet. Upload the schedule as .xlsx or .csv.' },
  { bytes: 'II*\0', sentence: 'This is an image, not a spreadsheet. Upload the schedule as .xlsx or .csv.' },
  { bytes: 'MM\0*', sentence: 'This is an image, not a spreadsheet. Upload the schedule as .xlsx or .csv.' },
  { bytes: '{\\rtf', sentence: 'This is a text document (.rtf), not a spreadsheet. Upload the schedule as .xlsx or .csv.' },
  { bytes: 'Rar!', sentence: 'This is a compressed archive. Unpack it and upload the spreadsheet inside.' },
  { bytes: '7z\xbc\xaf', sentence: 'This is a compressed archive. Unpack it and upload the spreadsheet inside.' },
  { bytes: '\x1f\x8b', sentence: 'This is a compressed archive. Unpack it and upload the spreadsheet inside.' },
]

/**
 * Says what a file is by its content; its name plays no part. Macros in an .xlsm are never looked at.
 * @throws AppError with advice for everything that is neither an Office Open XML workbook nor delimited text.
 */
export async function recognise(path: string): Promise<'xlsx' | 'csv'> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size === 0) throw invalid({ file: ['This file is empty. Check that it was saved completely and upload it again.'] })
    if (size > IMPORT_MAX_BYTES) {
      throw tooLarge(
        `This file is larger than ${IMPORT_MAX_BYTES / 1024 ** 2} MB, the most an import can take. Remove pictures and sheets that are not needed, or split it.`,
      )
    }
    const head = await readHead(file)
    const bytes = head.toString('latin1')
    if (bytes.startsWith('\xd0\xcf\x11\xe0')) throw await oleRefusal(file)
    if (ZIP_STARTS.some((start) => bytes.startsWith(start))) return await recogniseZip(path)
    refuseOtherTypes(bytes, head)
    return 'csv'
  } finally {
    await file.close()
  }
}

async function readHead(file: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

async function oleRefusal(file: FileHandle) {
  const names = await readOleNames(file)
  if (names.includes('EncryptedPackage')) return passwordProtected()
  if (names.includes('Workbook') || names.includes('Book')) {
    return unsupported(`This is a workbook in the old .xls format. ${SAVE_AS}`)
  }
  return unsupported(`This is an old Office file, not an .xlsx workbook. ${SAVE_AS}`)
}

async function recogniseZip(path: string): Promise<'xlsx'> {
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

function refuseOtherTypes(bytes: string, head: Buffer): void {
  const known = SIGNATURES.find((signature) => bytes.startsWith(signature.bytes))
  const start = bytes
    .slice(0, 512)
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
    .toLowerCase()
  if (known && (known.bytes !== 'BM' || looksBinary(head))) throw unsupported(known.sentence)
  if (/^<(!doctype html|html|table|head|meta)/.test(start)) {
    throw unsupported(`This is a web page saved under the name of a spreadsheet. ${SAVE_AS}`)
  }
  if (start.startsWith('<?xml')) throw unsupported(`This is an XML file, not an .xlsx workbook. ${SAVE_AS}`)
  if (looksBinary(head)) throw unsupported('This file is neither a workbook nor text. Upload the schedule as .xlsx or .csv.')
}

/** Bytes that no text holds; UTF-16 text is full of zero bytes, but in every other place only. */
function looksBinary(head: Buffer): boolean {
  if (wideEncoding(head)) return false
  let control = 0
  for (const byte of head) {
    if (byte === 0) return true
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) control++
  }
  return control > head.length / 100
}

/** UTF-16 by its byte order mark or, without one, by where the zero bytes stand. */
export function wideEncoding(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  for (let at = 0; at < head.length; at++) if (head[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > head.length / 4 && even < odd / 20) return 'utf-16le'
  if (even > head.length / 4 && odd < even / 20) return 'utf-16be'
  return undefined
}
