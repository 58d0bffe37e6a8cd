import type { FileHandle } from 'node:fs/promises'

const HEADER_BYTES = 512
const ENTRY_BYTES = 128
const DIRECTORY_SECTORS_MAX = 64

/**
 * Names of the streams in an OLE2 compound file, the container of .xls and of password-protected workbooks.
 * Empty when the directory cannot be read. Layout: [MS-CFB] sections 2.2 (header), 2.3 (FAT), 2.6 (directory).
 */
export async function readOleNames(file: FileHandle): Promise<string[]> {
  const header = await readAt(file, 0, HEADER_BYTES)
  if (header.length < HEADER_BYTES) return []
  const sectorBytes = 2 ** Math.min(header.readUInt16LE(30), 12)
  const names: string[] = []
  let sector = header.readUInt32LE(48)
  for (let read = 0; read < DIRECTORY_SECTORS_MAX && sector < 0xff_ff_ff_fa; read++) {
    names.push(...entryNames(await readAt(file, (sector + 1) * sectorBytes, sectorBytes)))
    sector = await nextSector(file, header, sector, sectorBytes)
  }
  return names
}

function entryNames(sector: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; at + ENTRY_BYTES <= sector.length; at += ENTRY_BYTES) {
    const bytes = sector.readUInt16LE(at + 64)
    if (bytes >= 4 && bytes <= 64) names.push(sector.toString('utf16le', at, at + bytes - 2))
  }
  return names
}

async function nextSector(file: FileHandle, header: Buffer, sector: number, sectorBytes: number): Promise<number> {
  const perSector = sectorBytes / 4
  const slot = 76 + Math.floor(sector / perSector) * 4
  if (slot + 4 > HEADER_BYTES) return 0xff_ff_ff_fe
  const table = await readAt(file, (header.readUInt32LE(slot) + 1) * sectorBytes + (sector % perSector) * 4, 4)
  return table.length === 4 ? table.readUInt32LE(0) : 0xff_ff_ff_fe
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
