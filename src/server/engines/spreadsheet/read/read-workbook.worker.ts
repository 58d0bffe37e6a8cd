import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '#server/kernel/errors.ts'
import { openWorkbook } from './open-workbook.ts'
import type { ReadRequest, WorkerMessage } from './read-workbook.ts'
import { rowText } from './row-text.ts'

const request: ReadRequest = workerData

let received: Promise<unknown> = Promise.resolve()

/** At most one message is unread while the next is prepared, so that a slow reader slows the worker down. */
async function send(message: WorkerMessage): Promise<void> {
  await received
  if (!parentPort) return
  received = once(parentPort, 'message')
  parentPort.postMessage(message)
}

async function run(): Promise<void> {
  const opened = await openWorkbook(request.path)
  try {
    await send({ part: 'workbook', workbook: opened.workbook })
    for (const { index } of opened.workbook.sheets) {
      if (request.sheets?.includes(index) === false) continue
      for await (const part of opened.read(index, request.maxRows)) {
        await send(part.part === 'rows' ? { ...part, rows: part.rows.map((row) => rowText(row) ?? row) } : part)
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
  const { kind, message, details } = error
  await send({ part: 'rejected', kind, message, details })
}
