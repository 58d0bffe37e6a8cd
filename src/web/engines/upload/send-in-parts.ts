import { UPLOAD_PARTS_AT_ONCE } from '#contract/limits.ts'
import { withRetries, type RetryContext } from './retry.ts'
import type { UploadTransport } from './transport.ts'
import { isUploadFailure } from './upload-failure.ts'
import type { ArrivedPart, UploadItem } from './upload-item.ts'

export interface PartsContext extends RetryContext {
  transport: UploadTransport
  /** Called with what changed, whenever a part arrives or bytes leave. */
  update: (change: Partial<UploadItem>) => void
}

/** Sends a file in parts, a few at once, going on from the parts that have already arrived. Answers the key. */
export async function sendInParts(context: PartsContext, item: UploadItem, file: Blob): Promise<string> {
  const { transport, signal } = context
  const { uploadId, partSize, arrived } = await beginOrResume(context, item)
  const parts = new Map(arrived.map((part) => [part.number, part]))
  const underWay = new Map<number, number>()
  const report = () => {
    const done = [...parts.values()].reduce((sum, part) => sum + part.size, 0)
    const moving = [...underWay.values()].reduce((sum, sent) => sum + sent, 0)
    context.update({ sent: Math.min(item.size, done + moving), multipart: { uploadId, partSize, parts: sorted(parts) } })
  }
  report()

  const missing = partNumbers(item.size, partSize).filter((number) => !parts.has(number))
  const sendNext = async (): Promise<void> => {
    for (let number = missing.shift(); number !== undefined; number = missing.shift()) {
      const bytes = file.slice((number - 1) * partSize, number * partSize)
      const current = number
      const etag = await withRetries(context, () => {
        underWay.set(current, 0)
        const onBytes = (sent: number) => {
          underWay.set(current, sent)
          report()
        }
        return transport.sendPart(item, uploadId, current, bytes, onBytes, signal).finally(() => underWay.delete(current))
      })
      parts.set(number, { number, etag, size: bytes.size })
      report()
    }
  }
  await Promise.all(Array.from({ length: UPLOAD_PARTS_AT_ONCE }, sendNext))
  return withRetries(context, () => transport.completeMultipart(item, uploadId, sorted(parts), signal))
}

async function beginOrResume(
  context: PartsContext,
  item: UploadItem,
): Promise<{ uploadId: string; partSize: number; arrived: ArrivedPart[] }> {
  const { transport, signal } = context
  if (item.multipart) {
    const { uploadId, partSize } = item.multipart
    const arrived = await withRetries(context, () => transport.listParts(item, uploadId, signal)).catch((error: unknown) => {
      signal.throwIfAborted()
      if (isGone(error)) return null
      throw error
    })
    if (arrived)
      return { uploadId, partSize, arrived: arrived.filter((part) => part.size === expectedSize(item.size, partSize, part.number)) }
  }
  const { uploadId, partSize } = await withRetries(context, () => transport.startMultipart(item, signal))
  return { uploadId, partSize, arrived: [] }
}

/** The store has forgotten an upload that lay too long; its bytes are sent anew. */
const isGone = (error: unknown) => isUploadFailure(error) && error.status === 404

const sorted = (parts: Map<number, ArrivedPart>) => [...parts.values()].sort((a, b) => a.number - b.number)

export const partNumbers = (size: number, partSize: number) =>
  Array.from({ length: Math.max(1, Math.ceil(size / partSize)) }, (_, index) => index + 1)

const expectedSize = (size: number, partSize: number, number: number) => Math.min(partSize, size - (number - 1) * partSize)
