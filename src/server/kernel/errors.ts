import { ERROR_STATUS, type FieldErrors, type ErrorKind } from '#contract/error-kinds.ts'

interface ErrorDetails {
  fields?: FieldErrors
  /** Shown to the client under `data`, for example both values of a stale write. */
  data?: unknown
  retryAfterSeconds?: number
}

/** The only error class: an error whose message is shown to the user. */
export class AppError extends Error {
  readonly kind: ErrorKind
  readonly details: ErrorDetails

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message)
    this.name = 'AppError'
    this.kind = kind
    this.details = details
  }

  get status(): number {
    return ERROR_STATUS[this.kind]
  }
}

export const notFound = (what: string) => new AppError('not_found', `${what} not found.`)
export const forbidden = (message = 'You do not have permission to do this.') => new AppError('forbidden', message)
export const unauthenticated = () => new AppError('unauthenticated', 'Please sign in to continue.')
export const conflict = (message: string, data?: unknown) => new AppError('conflict', message, { data })
export const tooLarge = (message: string) => new AppError('too_large', message)
export const unsupported = (message: string) => new AppError('unsupported_media', message)
export const unavailable = (message: string, retryAfterSeconds = 5) => new AppError('unavailable', message, { retryAfterSeconds })
export const throttled = (message: string, retryAfterSeconds: number) => new AppError('throttled', message, { retryAfterSeconds })

/** The `code` of an error of Node, PostgreSQL or Fastify. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

export const NOT_THIS_ACCOUNT = 'This is not the account in the address.'
export const NOT_THIS_ID = 'This is not the id in the address.'

/** Field errors: the form shows the first message of each field. */
export const invalid = (fields: FieldErrors, message = Object.values(fields)[0]?.[0] ?? 'Please check the form.') =>
  new AppError('invalid', message, { fields })
