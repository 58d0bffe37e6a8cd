import { type FileHandle, open } from 'node:fs/promises'
import { IMPORT_MAX_BYTES } from '#contract/limits.ts'
import { invalid, tooLarge, unsupported } from '#server/kernel/errors.ts'
import type { OpenWorkbook } from '../sheet.ts'
import { openCsv } from './csv-reader.ts'
import { passwordProtected } from './file-errors.ts'
import { wideEncoding } from './text-encoding.ts'
import { openXlsx } from './xlsx-reader.ts'
import { openZip, readMemberStart } from './zip-reader.ts'

const HEAD_BYTES = 65_536
/** The first member of an archive, or the end of an empty one. */
const ZIP_STARTS = ['PK\x03\x04', 'PK\x05\x06'] as const
const OLE_HEADER_BYTES = 512
const OLE_ENTRY_BYTES = 128
const OLE_DIRECTORY_SECTORS_MAX = 64
const OLE_LAST_SECTOR = 0xff_ff_ff_fa
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

/**
 * Opens a workbook (.xlsx, .xlsm) or delimited text on this thread, which parsing blocks; the server reads in a worker
 * (read-workbook.ts).
 * @throws AppError for every file that cannot be read.
 */
export async function openWorkbook(path: string): Promise<OpenWorkbook> {
  return (await detectFileType(path)) === 'xlsx' ? openXlsx(path) : openCsv(path)
}

/**
 * Detects the type of a file from its content, never from its name. Macros in an .xlsm are ignored.
 * @throws AppError with advice for everything that is neither an Office Open XML workbook nor delimited text.
 */
export async function detectFileType(path: string): Promise<'xlsx' | 'csv'> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size === 0) throw invalid({ file: ['This file is empty. Check that it was saved completely and upload it again.'] })
    if (size > IMPORT_MAX_BYTES) {
      throw tooLarge(
        `This file is larger than ${IMPORT_MAX_BYTES / 1024 ** 2} MB, the most an import can take. Remove pictures and sheets that are not needed, or split it.`,
      )
    }
    const head = await readAt(file, 0, HEAD_BYTES)
    const bytes = head.toString('latin1')
    if (bytes.startsWith('\xd0\xcf\x11\xe0')) throw await oleError(file)
    if (ZIP_STARTS.some((start) => bytes.startsWith(start))) return await detectZipType(path)
    rejectOtherTypes(bytes, head)
    return 'csv'
  } finally {
    await file.close()
  }
}

async function oleError(file: FileHandle) {
  const names = await readOleNames(file)
  if (names.includes('EncryptedPackage')) return passwordProtected()
  if (names.includes('Workbook') || names.includes('Book')) {
    return unsupported(`This is a workbook in the old .xls format. ${SAVE_AS}`)
  }
  return unsupported(`This is an old Office file, not an .xlsx workbook. ${SAVE_AS}`)
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
function looksBinary(head: Buffer): boolean {
  if (wideEncoding(head)) return false
  let control = 0
  for (const byte of head) {
    if (byte === 0) return true
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) control++
  }
  return control > head.length / 100
}

/**
 * Names of the streams in an OLE2 compound file, the container of .xls and of password-protected workbooks.
 * Empty when the directory cannot be read. Layout: [MS-CFB] sections 2.2 (header), 2.3 (FAT), 2.6 (directory).
 */
async function readOleNames(file: FileHandle): Promise<string[]> {
  const header = await readAt(file, 0, OLE_HEADER_BYTES)
  if (header.length < OLE_HEADER_BYTES) return []
  const sectorBytes = 2 ** Math.min(header.readUInt16LE(30), 12)
  const names: string[] = []
  let sector = header.readUInt32LE(48)
  for (let read = 0; read < OLE_DIRECTORY_SECTORS_MAX && sector < OLE_LAST_SECTOR; read++) {
    names.push(...oleEntryNames(await readAt(file, (sector + 1) * sectorBytes, sectorBytes)))
    sector = await nextOleSector(file, header, sector, sectorBytes)
  }
  return names
}

function oleEntryNames(sector: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; at + OLE_ENTRY_BYTES <= sector.length; at += OLE_ENTRY_BYTES) {
    const bytes = sector.readUInt16LE(at + 64)
    if (bytes >= 4 && bytes <= 64) names.push(sector.toString('utf16le', at, at + bytes - 2))
  }
  return names
}

async function nextOleSector(file: FileHandle, header: Buffer, sector: number, sectorBytes: number): Promise<number> {
  const perSector = sectorBytes / 4
  const slot = 76 + Math.floor(sector / perSector) * 4
  if (slot + 4 > OLE_HEADER_BYTES) return OLE_LAST_SECTOR
  const table = await readAt(file, (header.readUInt32LE(slot) + 1) * sectorBytes + (sector % perSector) * 4, 4)
  return table.length === 4 ? table.readUInt32LE(0) : OLE_LAST_SECTOR
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
