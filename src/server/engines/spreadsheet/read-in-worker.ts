import { Worker } from 'node:worker_threads'
import type { FieldErrors, ErrorKind } from '#contract/errors.ts'
import { IMPORT_HEADER_SCAN_ROWS, IMPORT_MAX_ROWS, IMPORT_WORKER_MEMORY_MB, IMPORT_WORKER_MS } from '#contract/limits.ts'
import { AppError, tooLarge } from '#server/kernel/errors.ts'
import { brokenFile } from './file-refusal.ts'
import { type PackedRows, unpackRows } from './row-pack.ts'
import type { RowText } from './row-text.ts'
import type { Row, SheetPart, Workbook } from './sheet.ts'

export interface ReadRequest {
  path: string
  /** Rows cell by cell, or each as one text. */
  form: 'cells' | 'text'
  sheets: 'all' | readonly number[]
  maxRows: number
}

export type WorkbookPart = { part: 'workbook'; workbook: Workbook } | SheetPart
export type WorkerMessage =
  | Exclude<WorkbookPart, { part: 'rows' }>
  | { part: 'packed'; sheet: number; packed: PackedRows }
  | { part: 'texts'; sheet: number; rows: (RowText | Row)[] }
  | { part: 'end' }
  | { part: 'refused'; kind: ErrorKind; message: string; fields: FieldErrors | undefined }

export interface ReadOptions {
  /** Indexes of the sheets to read, all by default. */
  sheets?: readonly number[]
  /** Filled rows of one sheet beyond which it is refused; by default the limit of data rows plus an allowance for titles and headers. */
  maxRows?: number
  /** Milliseconds the worker may work, time spent by the caller not counted. */
  timeMs?: number
  memoryMb?: number
}

/** Rows pass through the worker: what is young dies young, and a small nursery keeps the thread small. */
const YOUNG_MEMORY_MB = 6

const tooHeavy = () =>
  tooLarge('This file takes too much time or memory to read. Copy the rows you need into a new workbook, or split it, and upload that.')

/**
 * Reads a file in a worker thread of its own: first the list of sheets, then per sheet its rows in batches and its
 * layout. The worker waits until each part is taken; leaving the loop early ends it.
 * @throws AppError when the file cannot be read, is too large, or takes too much time or memory.
 */
export async function* readWorkbook(path: string, options: ReadOptions = {}): AsyncGenerator<WorkbookPart> {
  for await (const message of messagesOf(path, options, 'cells')) {
    if (message.part === 'packed') yield { part: 'rows', sheet: message.sheet, rows: unpackRows(message.packed) }
    else if (message.part !== 'texts') yield message
  }
}

export type WorkbookTextPart = Exclude<WorkbookPart, { part: 'rows' }> | { part: 'rows'; sheet: number; rows: (RowText | Row)[] }

/** The same with each row as JSON, which costs this thread a tenth of the memory; rows with formulas to work out come cell by cell. */
export async function* readWorkbookText(path: string, options: ReadOptions = {}): AsyncGenerator<WorkbookTextPart> {
  for await (const message of messagesOf(path, options, 'text')) {
    if (message.part === 'texts') yield { part: 'rows', sheet: message.sheet, rows: message.rows }
    else if (message.part !== 'packed') yield message
  }
}

type Message = Exclude<WorkerMessage, { part: 'end' | 'refused' }>

async function* messagesOf(path: string, options: ReadOptions, form: ReadRequest['form']): AsyncGenerator<Message> {
  const { sheets = 'all', maxRows = IMPORT_MAX_ROWS + IMPORT_HEADER_SCAN_ROWS, memoryMb = IMPORT_WORKER_MEMORY_MB } = options
  const request: ReadRequest = { path, form, sheets, maxRows }
  const worker = new Worker(new URL('./spreadsheet.worker.ts', import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MEMORY_MB },
  })
  const ended = failureOf(worker)
  let remainingMs = options.timeMs ?? IMPORT_WORKER_MS
  try {
    for (;;) {
      const startedMs = performance.now()
      const message = await nextMessage(worker, ended, remainingMs)
      remainingMs -= performance.now() - startedMs
      if (message.part === 'end') return
      if (message.part === 'refused') throw new AppError(message.kind, message.message, message.fields ? { fields: message.fields } : {})
      worker.postMessage('taken')
      yield message
    }
  } finally {
    await worker.terminate()
  }
}

/** The list of sheets of a file, read in a worker thread. */
export async function listSheets(path: string): Promise<Workbook> {
  for await (const part of readWorkbook(path, { sheets: [] })) {
    if (part.part === 'workbook') return part.workbook
  }
  throw brokenFile('it ended before its sheets were listed')
}

/** Rejects once the worker fails or ends; listening from the start keeps a late failure from ending the process. */
function failureOf(worker: Worker): Promise<never> {
  const ended = new Promise<never>((_, reject) => {
    worker.once('error', (error) => reject(isOutOfMemory(error) ? tooHeavy() : error))
    worker.once('exit', () => reject(brokenFile('reading it stopped without a reason')))
  })
  ended.catch(() => undefined)
  return ended
}

async function nextMessage(worker: Worker, ended: Promise<never>, timeMs: number): Promise<WorkerMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerMessage>()
  const timer = setTimeout(() => reject(tooHeavy()), Math.max(timeMs, 0))
  worker.once('message', resolve)
  try {
    return await Promise.race([promise, ended])
  } finally {
    clearTimeout(timer)
    worker.off('message', resolve)
  }
}

const isOutOfMemory = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
