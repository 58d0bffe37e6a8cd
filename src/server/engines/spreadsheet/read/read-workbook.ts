import { Worker } from 'node:worker_threads'
import { IMPORT_HEADER_SCAN_ROWS, IMPORT_MAX_ROWS } from '#contract/limits.ts'
import { IMPORT_WORKER_MEMORY_MB, IMPORT_WORKER_MS } from '#contract/reading-limits.ts'
import { AppError, errorCode, tooLarge } from '#server/kernel/errors.ts'
import type { Row, SheetPart, Workbook } from '../sheet.ts'
import { brokenFile } from './file-errors.ts'
import type { RowText } from './row-text.ts'

export interface ReadRequest {
  path: string
  /** Indexes; all sheets if undefined. */
  sheets: readonly number[] | undefined
  maxRows: number
}

/** Rows are JSON text; a row with a formula to evaluate comes cell by cell. */
export type WorkbookPart =
  | { part: 'workbook'; workbook: Workbook }
  | { part: 'rows'; sheet: number; rows: (RowText | Row)[] }
  | Extract<SheetPart, { part: 'layout' }>

export type WorkerMessage = WorkbookPart | { part: 'end' } | ({ part: 'rejected' } & Pick<AppError, 'kind' | 'message' | 'details'>)

interface ReadOptions {
  /** Indexes of the sheets to read, all by default. */
  sheets?: readonly number[]
  /** The maximum of filled rows of one sheet; by default the limit of data rows plus an allowance for titles and headers. */
  maxRows?: number
  /** Milliseconds the worker may work, time spent by the caller not counted. */
  timeMs?: number
  memoryMb?: number
}

/** Rows are short-lived, so a small young generation is enough and limits the memory of the thread. */
const YOUNG_MEMORY_MB = 6

const tooHeavy = () =>
  tooLarge('This file takes too much time or memory to read. Copy the rows you need into a new workbook, or split it, and upload that.')

/**
 * Reads a file in a worker thread of its own: first the list of sheets, then for each sheet its rows in batches and its
 * layout. The worker waits until each part is consumed; leaving the loop early ends it.
 * @throws AppError when the file cannot be read, is too large, or takes too much time or memory.
 */
export async function* readWorkbook(path: string, options: ReadOptions = {}): AsyncGenerator<WorkbookPart> {
  const { sheets, maxRows = IMPORT_MAX_ROWS + IMPORT_HEADER_SCAN_ROWS, memoryMb = IMPORT_WORKER_MEMORY_MB } = options
  const request: ReadRequest = { path, sheets, maxRows }
  const worker = new Worker(new URL('./read-workbook.worker.ts', import.meta.url), {
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
      if (message.part === 'rejected') throw new AppError(message.kind, message.message, message.details)
      worker.postMessage('received')
      yield message
    }
  } finally {
    await worker.terminate()
  }
}

/** Rejects once the worker fails or ends. Listening from the start prevents that a late failure ends the process. */
function failureOf(worker: Worker): Promise<never> {
  const ended = new Promise<never>((_, reject) => {
    worker.once('error', (error) => reject(errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? tooHeavy() : error))
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
