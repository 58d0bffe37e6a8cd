import { openCsv } from './csv-read.ts'
import { recognise } from './recognise.ts'
import type { OpenWorkbook } from './sheet.ts'
import { openXlsx } from './xlsx-read.ts'

/**
 * Opens a workbook or delimited text on this thread, which parsing keeps busy: the server reads in a worker
 * (read-in-worker.ts).
 * @throws AppError for everything that cannot be read.
 */
export async function openWorkbookHere(path: string): Promise<OpenWorkbook> {
  return (await recognise(path)) === 'xlsx' ? openXlsx(path) : openCsv(path)
}
