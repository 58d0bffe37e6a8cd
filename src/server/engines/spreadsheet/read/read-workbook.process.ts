import { AppError } from '#server/kernel/errors.ts'
import { answerParent } from '#server/engines/isolated/isolated-process.ts'
import { openWorkbook } from './open-workbook.ts'
import type { ReaderMessage, ReadRequest } from './read-workbook.ts'
import { rowText } from './row-text.ts'

type Send = (message: ReaderMessage) => Promise<void>

async function readParts(request: ReadRequest, send: Send): Promise<void> {
  const opened = await openWorkbook(request.path, request.limits)
  try {
    await send({ part: 'workbook', workbook: opened.workbook })
    for (const { index } of opened.workbook.sheets) {
      if (request.sheets?.includes(index) === false) continue
      for await (const part of opened.read(index, request.maxRows)) {
        await send(part.part === 'rows' ? { ...part, rows: part.rows.map((row) => rowText(row) ?? row) } : part)
      }
    }
  } finally {
    opened.close()
  }
}

await answerParent<ReadRequest, ReaderMessage>(async (request, { send }) => {
  try {
    await readParts(request, send)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { kind, message, details } = error
    await send({ part: 'rejected', kind, message, details })
  }
})
