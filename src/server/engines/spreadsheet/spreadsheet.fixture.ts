import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll } from 'vitest'
import { openWorkbookHere } from './open-workbook.ts'
import { type ReadOptions, readWorkbook, type WorkbookPart } from './read-in-worker.ts'
import type { Cell, Row, SheetLayout, Workbook } from './sheet.ts'
import { type ZipPart, zipParts } from './zip-write.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const folder = await mkdtemp(join(tmpdir(), 'spreadsheet-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The folder of the real sample files; tests of it skip when it is not there. */
export const SAMPLES = process.env.PLUMBLINE_SAMPLES ?? resolve(import.meta.dirname, '../../../../../shared/data/real')
export const hasSamples = existsSync(SAMPLES)

export async function save(name: string, content: Uint8Array | string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

export const zip = (parts: Iterable<ZipPart>): Promise<Buffer> => buffer(zipParts(parts))

interface Parts {
  /** The inside of each `worksheet` element. */
  sheets: readonly string[]
  sheetAttributes?: readonly string[]
  strings?: string
  styles?: string
  workbookPr?: string
}

/** The parts of a small workbook, written by hand as other programs write them. */
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
      content: [
        `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr ${parts.workbookPr ?? ''}/><sheets>${tabs.join('')}</sheets></workbook>`,
      ],
    },
    { name: 'xl/_rels/workbook.xml.rels', content: [`<Relationships>${relations.join('')}</Relationships>`] },
    { name: 'xl/sharedStrings.xml', content: [`<sst xmlns="${MAIN}">${parts.strings ?? ''}</sst>`] },
    { name: 'xl/styles.xml', content: [`<styleSheet xmlns="${MAIN}">${parts.styles ?? ''}</styleSheet>`] },
    ...parts.sheets.map((sheet, at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      content: [`<?xml version="1.0"?><worksheet xmlns="${MAIN}">${sheet}</worksheet>`],
    })),
  ]
}

export async function saveWorkbook(name: string, parts: Parts): Promise<string> {
  return save(name, await zip(workbookParts(parts)))
}

export interface ReadWorkbook {
  workbook: Workbook
  sheets: ReadSheet[]
}

export interface ReadSheet {
  rows: Row[]
  layout: SheetLayout
  /** The cell at a reference counted from 1, undefined when it is empty. */
  at(row: number, column: number): Cell | undefined
}

/** Everything read from a file on this thread, which spares the start of a worker. */
export async function readAll(path: string, options: ReadOptions = {}): Promise<ReadWorkbook> {
  return collect(readHere(path, options))
}

/** The same by way of a worker. */
export async function readAllInWorker(path: string, options: ReadOptions = {}): Promise<ReadWorkbook> {
  return collect(readWorkbook(path, options))
}

async function* readHere(path: string, { sheets, maxRows = Infinity }: ReadOptions): AsyncGenerator<WorkbookPart> {
  const opened = await openWorkbookHere(path)
  try {
    yield { part: 'workbook', workbook: opened.workbook }
    for (const { index } of opened.workbook.sheets) if (!sheets || sheets.includes(index)) yield* opened.read(index, maxRows)
  } finally {
    opened.close()
  }
}

async function collect(parts: AsyncIterable<WorkbookPart>): Promise<ReadWorkbook> {
  let workbook: Workbook = { kind: 'csv', sheets: [] }
  const sheets: ReadSheet[] = []
  let rows: Row[] = []
  for await (const part of parts) {
    if (part.part === 'workbook') workbook = part.workbook
    else if (part.part === 'rows') rows.push(...part.rows)
    else {
      const taken = rows
      rows = []
      const at = (row: number, column: number) => taken.find(({ number }) => number === row)?.cells.find((cell) => cell.column === column)
      sheets[part.sheet] = { rows: taken, layout: part.layout, at }
    }
  }
  return { workbook, sheets }
}

/** The only sheet of a file. */
export async function readOne(path: string, options?: ReadOptions): Promise<ReadSheet> {
  const [sheet] = (await readAll(path, options)).sheets
  if (!sheet) throw new Error('No sheet was read')
  return sheet
}

export const texts = (sheet: ReadSheet) => sheet.rows.map(({ cells }) => cells.map(({ text }) => text))
