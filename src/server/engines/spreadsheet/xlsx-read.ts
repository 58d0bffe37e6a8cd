import type { CellContext } from './cell-value.ts'
import { brokenFile } from './file-refusal.ts'
import { createRowBatch } from './row-batch.ts'
import { readSharedStrings } from './shared-strings.ts'
import { areaOf, type OpenWorkbook, type Sheet, type SheetPart } from './sheet.ts'
import { createSheetScanner } from './sheet-scan.ts'
import { readStyles } from './styles.ts'
import { readWorkbookParts, type WorkbookParts } from './workbook-parts.ts'
import { decodeMember, openZip, readMemberStart, type ZipArchive } from './zip-directory.ts'

/** Opens an .xlsx or .xlsm; strings and styles are read when the first sheet is. */
export async function openXlsx(path: string): Promise<OpenWorkbook> {
  const zip = await openZip(path)
  try {
    const parts = await readWorkbookParts(zip)
    let context: Promise<CellContext> | undefined
    return {
      workbook: { kind: 'xlsx', sheets: await listSheets(zip, parts) },
      async *read(index, maxRows) {
        context ??= readContext(zip, parts)
        yield* readSheet(zip, parts, await context, index, maxRows)
      },
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function listSheets(zip: ZipArchive, parts: WorkbookParts): Promise<Sheet[]> {
  const sheets: Sheet[] = []
  for (const [index, { name, hidden, member }] of parts.sheets.entries()) {
    const declaredRows = await readDeclaredRows(zip, member)
    sheets.push(declaredRows === undefined ? { index, name, hidden } : { index, name, hidden, declaredRows })
  }
  return sheets
}

/** The `dimension` element stands at the start of a sheet, so one chunk is enough. */
async function readDeclaredRows(zip: ZipArchive, member: string): Promise<number | undefined> {
  const start = await readMemberStart(zip, member)
  return areaOf(/<(?:\w+:)?dimension[^>]*?ref="([^"]+)"/.exec(start)?.[1] ?? '')?.bottom
}

async function readContext(zip: ZipArchive, parts: WorkbookParts): Promise<CellContext> {
  return {
    strings: await readSharedStrings(zip, parts.sharedStrings),
    formats: await readStyles(zip, parts.styles),
    date1904: parts.date1904,
  }
}

async function* readSheet(
  zip: ZipArchive,
  parts: WorkbookParts,
  context: CellContext,
  sheet: number,
  maxRows: number,
): AsyncGenerator<SheetPart> {
  const member = parts.sheets[sheet]?.member
  if (member === undefined) throw brokenFile(`sheet ${sheet + 1} is missing`)
  const batch = createRowBatch()
  const scanner = createSheetScanner(context, maxRows, batch.add)
  for await (const chunk of decodeMember(zip, member)) {
    scanner.push(chunk)
    for (let rows = batch.takeFull(); rows; rows = batch.takeFull()) yield { part: 'rows', sheet, rows }
  }
  scanner.end()
  const rest = batch.takeRest()
  if (rest.length > 0) yield { part: 'rows', sheet, rows: rest }
  yield { part: 'layout', sheet, layout: scanner.layout }
}
