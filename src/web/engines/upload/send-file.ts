import { ERROR_STATUS } from '#contract/error-kinds.ts'
import { MAINTENANCE_PROBE_MS, MULTIPART_ABOVE_BYTES, UPLOAD_PARTS_AT_ONCE, UPLOAD_RETRY_DELAYS_MS } from '#contract/limits.ts'
import { isApiError } from '#web/data/errors.ts'
import type { UploadedPart, UploadItem } from './upload-item.ts'
import type { UploadTransport } from './upload-transport.ts'

export type Connection = typeof browserConnection

export const browserConnection = {
  isOnline: () => navigator.onLine,
  /** Resolves after `ms` (null: no limit) or as soon as the browser is online; rejects with the signal's reason. */
  wait: (ms: number | null, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      signal.throwIfAborted()
      const end = ms === null ? signal : AbortSignal.any([signal, AbortSignal.timeout(ms)])
      end.addEventListener('abort', () => (signal.aborted ? reject(signal.reason) : resolve()))
      window.addEventListener('online', () => resolve(), { signal: end })
    }),
}

export interface SendContext {
  transport: UploadTransport
  connection: Connection
  now: () => number
  signal: AbortSignal
  update: (change: Partial<UploadItem>) => void
}

/** Sends the bytes of one file and registers the document, reporting through `update`. Throws the error that stopped it. */
export async function sendFile(context: SendContext, item: UploadItem, file: Blob): Promise<void> {
  const { transport, update, signal } = context
  const key = item.key ?? (await sendBytes(context, item, file))
  update({ key, sent: item.size, status: item.purpose === 'import' ? 'done' : 'registering' })
  if (item.purpose === 'import') return
  const registered = await withRetries(context, () => transport.register(item, key, signal))
  update({ status: 'done', ...registered })
}

async function sendBytes(context: SendContext, item: UploadItem, file: Blob): Promise<string> {
  const { transport, update, signal } = context
  update({ status: 'sending', error: null })
  if (item.size > MULTIPART_ABOVE_BYTES) return sendParts(context, item, file)
  return withRetries(context, () => {
    update({ sent: 0 })
    return transport.sendWhole(item, file, (sent) => update({ sent }), signal)
  })
}

/** Sends the parts that the store doesn't have yet, UPLOAD_PARTS_AT_ONCE at a time. */
async function sendParts(context: SendContext, item: UploadItem, file: Blob): Promise<string> {
  const { transport, signal, update } = context
  const start = async () => ({ ...(await withRetries(context, () => transport.startMultipart(item, signal))), parts: [] })
  const { uploadId, partSize, parts: stored } = (await resumeMultipart(context, item)) ?? (await start())
  let parts = stored
  /** Bytes, by part. */
  const sent = new Map(stored.map(({ number, size }) => [number, size]))
  const report = () => {
    const bytes = [...sent.values()].reduce((sum, size) => sum + size, 0)
    update({ sent: Math.min(item.size, bytes), multipart: { uploadId, partSize, parts } })
  }
  report()

  const numbers = Array.from({ length: Math.ceil(item.size / partSize) }, (_, index) => index + 1)
  const missing = numbers.filter((number) => !sent.has(number)).values()
  const sendMissing = async () => {
    // Each sender takes the next number from the same iterator.
    for (const number of missing) {
      const bytes = file.slice((number - 1) * partSize, number * partSize)
      const onBytes = (count: number) => {
        sent.set(number, count)
        report()
      }
      const etag = await withRetries(context, () => transport.sendPart(item, uploadId, number, bytes, onBytes, signal))
      parts = [...parts, { number, etag, size: bytes.size }].toSorted((a, b) => a.number - b.number)
      onBytes(bytes.size)
    }
  }
  await Promise.all(Array.from({ length: UPLOAD_PARTS_AT_ONCE }, sendMissing))
  return withRetries(context, () => transport.completeMultipart(item, uploadId, parts, signal))
}

/** The parts that are already stored; null when there are none or the store has deleted the upload after a long time. */
async function resumeMultipart(context: SendContext, item: UploadItem): Promise<UploadItem['multipart']> {
  if (item.multipart === null) return null
  const { uploadId, partSize } = item.multipart
  const isComplete = ({ number, size }: UploadedPart) => size === Math.min(partSize, item.size - (number - 1) * partSize)
  try {
    const parts = await withRetries(context, () => context.transport.listParts(item, uploadId, context.signal))
    return { uploadId, partSize, parts: parts.filter(isComplete) }
  } catch (error) {
    if (isApiError(error) && error.status === ERROR_STATUS.not_found) return null
    throw error
  }
}

/**
 * Makes one request, and again after each of UPLOAD_RETRY_DELAYS_MS while the error may be temporary. Time offline
 * and maintenance use up no attempt.
 * `request` must fetch a new permission each time, because an expired permission may be the error.
 */
async function withRetries<T>({ connection, signal, now, update }: SendContext, request: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ;) {
    if (!connection.isOnline()) {
      update({ pause: { reason: 'offline' } })
      await connection.wait(null, signal)
      update({ pause: null })
    }
    signal.throwIfAborted()
    try {
      return await request()
    } catch (error) {
      signal.throwIfAborted()
      if (!isApiError(error) || !isTemporary(error.status)) throw error
      if (!connection.isOnline()) continue
      const isMaintenance = error.kind === 'maintenance'
      const delay = isMaintenance ? MAINTENANCE_PROBE_MS : UPLOAD_RETRY_DELAYS_MS[attempt]
      if (delay === undefined) throw error
      if (!isMaintenance) attempt += 1
      update({ pause: { reason: 'retry', at: now() + delay, because: error.message } })
      await connection.wait(delay, signal)
      update({ pause: null })
    }
  }
}

/** No response, request timeout, too early, too many requests. */
const TEMPORARY_STATUSES = [0, 408, 425, 429]
const isTemporary = (status: number) => status >= 500 || TEMPORARY_STATUSES.includes(status)
