import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '#server/kernel/errors.ts'
import { openWorkbookHere } from './open-workbook.ts'
import type { ReadRequest, WorkerMessage } from './read-in-worker.ts'
import { packRows } from './row-pack.ts'
import { textOf } from './row-text.ts'

const request: ReadRequest = workerData

let taken: Promise<unknown> = Promise.resolve()

/** At most one message lies unread while the next is made, so a slow reader holds the worker back. */
async function send(message: WorkerMessage): Promise<void> {
  await taken
  if (!parentPort) return
  taken = once(parentPort, 'message')
  parentPort.postMessage(message)
}

async function run(): Promise<void> {
  const opened = await openWorkbookHere(request.path)
  try {
    await send({ part: 'workbook', workbook: opened.workbook })
    for (const { index } of opened.workbook.sheets) {
      if (request.sheets !== 'all' && !request.sheets.includes(index)) continue
      for await (const part of opened.read(index, request.maxRows)) {
        if (part.part !== 'rows') await send(part)
        else if (request.form === 'cells') await send({ part: 'packed', sheet: part.sheet, packed: packRows(part.rows) })
        else await send({ part: 'texts', sheet: part.sheet, rows: part.rows.map((row) => textOf(row) ?? row) })
      }
    }
    await send({ part: 'end' })
  } finally {
    opened.close()
  }
}

try {
  await run()
} catch (error) {
  if (!(error instanceof AppError)) throw error
  await send({ part: 'refused', kind: error.kind, message: error.message, fields: error.details.fields })
}
