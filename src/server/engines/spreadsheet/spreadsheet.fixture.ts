import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { inject } from 'vitest'
import { ZipFile } from 'yazl'
import { openWorkbook } from './read/open-workbook.ts'
import type { Cell, Row, SheetLayout, SheetPart, Workbook } from './sheet.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const folder = await mkdtemp(join(inject('filesFolder'), 'spreadsheet-'))

export async function save(name: string, content: Uint8Array | string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

interface ZipPart {
  name: string
  content: string
}

export function zip(parts: Iterable<ZipPart>): Promise<Buffer> {
  const file = new ZipFile()
  for (const { name, content } of parts) file.addBuffer(Buffer.from(content), name)
  file.end()
  return buffer(file.outputStream)
}

interface Parts {
  /** The inside of each `worksheet` element. */
  sheets: readonly string[]
  sheetAttributes?: readonly string[]
  strings?: string
  styles?: string
  workbookPr?: string
}

/** The parts of a small workbook, in the form in which other programs write them. */
export function workbookParts(parts: Parts): ZipPart[] {
  const relation = (id: string, type: string, target: string) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
  const tabs = parts.sheets.map(
    (_, at) => `<sheet name="Sheet${at + 1}" sheetId="${at + 1}" r:id="s${at}" ${parts.sheetAttributes?.[at] ?? ''}/>`,
  )
  const relations = [
    ...parts.sheets.map((_, at) => relation(`s${at}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)),
    relation('strings', 'sharedStrings', '/xl/sharedStrings.xml'),
    relation('styles', 'styles', 'styles.xml'),
  ]
  return [
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr ${parts.workbookPr ?? ''}/><sheets>${tabs.join('')}</sheets></workbook>`,
    },
    { name: 'xl/_rels/workbook.xml.rels', content: `<Relationships>${relations.join('')}</Relationships>` },
    { name: 'xl/sharedStrings.xml', content: `<sst xmlns="${MAIN}">${parts.strings ?? ''}</sst>` },
    { name: 'xl/styles.xml', content: `<styleSheet xmlns="${MAIN}">${parts.styles ?? ''}</styleSheet>` },
    ...parts.sheets.map((sheet, at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      content: `<?xml version="1.0"?><worksheet xmlns="${MAIN}">${sheet}</worksheet>`,
    })),
  ]
}

export async function saveWorkbook(name: string, parts: Parts): Promise<string> {
  return save(name, await zip(workbookParts(parts)))
}

interface ReadWorkbook {
  workbook: Workbook
  sheets: ReadSheet[]
}

export interface ReadSheet {
  rows: Row[]
  layout: SheetLayout
  /** The cell at a reference counted from 1, undefined when it is empty. */
  at(row: number, column: number): Cell | undefined
}

/** Reads the sheets of a file in this process. */
export async function readAll(path: string, options: { sheets?: readonly number[] } = {}): Promise<ReadWorkbook> {
  const opened = await openWorkbook(path)
  const sheets: ReadSheet[] = []
  try {
    for (const { index } of opened.workbook.sheets) {
      if (!options.sheets || options.sheets.includes(index)) sheets[index] = await readSheet(opened.read(index, Infinity))
    }
  } finally {
    opened.close()
  }
  return { workbook: opened.workbook, sheets }
}

async function readSheet(parts: AsyncIterable<SheetPart>): Promise<ReadSheet> {
  const rows: Row[] = []
  for await (const part of parts) {
    if (part.part === 'rows') rows.push(...part.rows)
    else {
      const at = (row: number, column: number) => rows.find(({ number }) => number === row)?.cells.find((cell) => cell.column === column)
      return { rows, layout: part.layout, at }
    }
  }
  throw new Error('The sheet has no layout')
}

/** The only sheet of a file. */
export async function readOne(path: string): Promise<ReadSheet> {
  const [sheet] = (await readAll(path)).sheets
  if (!sheet) throw new Error('No sheet was read')
  return sheet
}

export const texts = (sheet: ReadSheet) => sheet.rows.map(({ cells }) => cells.map(({ text }) => text))
