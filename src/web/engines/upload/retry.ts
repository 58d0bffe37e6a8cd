import { UPLOAD_RETRY_DELAYS_MS } from '#contract/limits.ts'
import type { Connection } from './connection.ts'
import { isUploadFailure } from './upload-failure.ts'

export interface RetryContext {
  connection: Connection
  signal: AbortSignal
  now: () => number
  onPause: (pause: { reason: 'offline' } | { reason: 'retry'; at: number; because: string } | null) => void
}

/**
 * Makes one request, and again after each of UPLOAD_RETRY_DELAYS_MS while the failure may pass (S1 §9).
 * Time without a connection costs no try. Throws the last failure, or the signal's reason when cancelled.
 * `request` is given the number of the try, from 0; it must fetch a new permission each time, since the old one may be what failed.
 */
export async function withRetries<T>(context: RetryContext, request: (attempt: number) => Promise<T>): Promise<T> {
  const { connection, signal, onPause } = context
  for (let attempt = 0; ; attempt += 1) {
    if (!connection.isOnline()) {
      onPause({ reason: 'offline' })
      await connection.whenOnline(signal)
      onPause(null)
    }
    signal.throwIfAborted()
    try {
      return await request(attempt)
    } catch (error) {
      signal.throwIfAborted()
      if (!isUploadFailure(error) || !error.retryable) throw error
      if (!connection.isOnline()) {
        attempt -= 1
        continue
      }
      const delay = UPLOAD_RETRY_DELAYS_MS[attempt]
      if (delay === undefined) throw error
      onPause({ reason: 'retry', at: context.now() + delay, because: error.message })
      await connection.pause(delay, signal)
      onPause(null)
    }
  }
}
