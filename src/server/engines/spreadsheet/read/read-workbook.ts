import { IMPORT_HEADER_SCAN_ROWS, IMPORT_MAX_ROWS } from '#contract/limits.ts'
import { IMPORT_READ_MEMORY_MB, IMPORT_READ_MS } from '#contract/reading-limits.ts'
import { IsolatedError, runIsolated } from '#server/engines/isolated/run-isolated.ts'
import { AppError, tooLarge } from '#server/kernel/errors.ts'
import type { Row, SheetPart, Workbook } from '../sheet.ts'
import { brokenFile } from './file-errors.ts'
import { IMPORT_LIMITS, type ReadLimits } from './read-limits.ts'
import type { RowText } from './row-text.ts'

export interface ReadRequest {
  path: string
  /** Indexes; all sheets if undefined. */
  sheets: readonly number[] | undefined
  maxRows: number
  limits: ReadLimits
}

/** Rows are JSON text; a row with a formula to evaluate comes cell by cell. */
export type WorkbookPart =
  | { part: 'workbook'; workbook: Workbook }
  | { part: 'rows'; sheet: number; rows: (RowText | Row)[] }
  | Extract<SheetPart, { part: 'layout' }>

export type ReaderMessage = WorkbookPart | ({ part: 'rejected' } & Pick<AppError, 'kind' | 'message' | 'details'>)

interface ReadOptions {
  /** Indexes of the sheets to read, all by default. */
  sheets?: readonly number[]
  /** The maximum of filled rows of one sheet; by default the limit of data rows plus an allowance for titles and headers. */
  maxRows?: number
  /** Those of an import by default. */
  limits?: ReadLimits
  /** Milliseconds the process may work, time spent by the caller not counted. */
  timeMs?: number
  memoryMb?: number
}

const tooHeavy = () =>
  tooLarge('This file takes too much time or memory to read. Copy the rows you need into a new workbook, or split it, and upload that.')

/**
 * Reads a file in a process of its own: first the list of sheets, then for each sheet its rows in batches and its
 * layout. The process waits until each part is consumed; leaving the loop early ends it.
 * @throws AppError when the file cannot be read, is too large, or takes too much time or memory.
 */
export async function* readWorkbook(path: string, options: ReadOptions = {}): AsyncGenerator<WorkbookPart> {
  const { sheets, maxRows = IMPORT_MAX_ROWS + IMPORT_HEADER_SCAN_ROWS, limits = IMPORT_LIMITS } = options
  const { timeMs = IMPORT_READ_MS, memoryMb: heapMb = IMPORT_READ_MEMORY_MB } = options
  const module = new URL('./read-workbook.process.ts', import.meta.url)
  const request: ReadRequest = { path, sheets, maxRows, limits }
  try {
    for await (const message of runIsolated<ReadRequest, ReaderMessage>(module, request, { timeMs, heapMb })) {
      if (message.part === 'rejected') throw new AppError(message.kind, message.message, message.details)
      yield message
    }
  } catch (error) {
    throw error instanceof IsolatedError ? causeOf(error) : error
  }
}

function causeOf({ reason, cause }: IsolatedError): unknown {
  if (reason === 'failed') return cause
  return reason === 'ended' ? brokenFile('reading it stopped without a reason') : tooHeavy()
}
