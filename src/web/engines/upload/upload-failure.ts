/** Why a request of an upload failed; `retryable` tells whether the same request may succeed later. */
export interface UploadFailure extends Error {
  retryable: boolean
  /** HTTP status; 0 when no answer came. */
  status: number
}

export const uploadFailure = (message: string, status: number): UploadFailure =>
  Object.assign(new Error(message), { status, retryable: isRetryableStatus(status) })

export const isUploadFailure = (error: unknown): error is UploadFailure => error instanceof Error && 'retryable' in error

export const failureMessage = (error: unknown) =>
  error instanceof Error && error.message !== '' ? error.message : 'The upload failed. Try it again.'

/** Too early, too busy, or broken on the other side: the next try may find it mended. */
const RETRYABLE_STATUSES = new Set([0, 408, 425, 429])
export const isRetryableStatus = (status: number) => RETRYABLE_STATUSES.has(status) || status >= 500
