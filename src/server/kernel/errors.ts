import { REFUSAL_STATUS, type FieldErrors, type RefusalKind } from '#contract/errors.ts'

interface RefusalDetails {
  fields?: FieldErrors
  /** Shown to the client under `data`, for example both values of a stale write. */
  data?: unknown
  retryAfterSeconds?: number
}

/** The only error class: a refusal that the person at the other end is meant to read. */
export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly details: RefusalDetails

  constructor(kind: RefusalKind, message: string, details: RefusalDetails = {}) {
    super(message)
    this.name = 'Refusal'
    this.kind = kind
    this.details = details
  }

  get status(): number {
    return REFUSAL_STATUS[this.kind]
  }
}

export const notFound = (what: string) => new Refusal('not_found', `${what} not found.`)
export const forbidden = (message = 'You do not have permission to do this.') => new Refusal('forbidden', message)
export const unauthenticated = () => new Refusal('unauthenticated', 'Please sign in to continue.')
export const conflict = (message: string, data?: unknown) => new Refusal('conflict', message, { data })
export const tooLarge = (message: string) => new Refusal('too_large', message)
export const unsupported = (message: string) => new Refusal('unsupported_media', message)
export const unavailable = (message: string, retryAfterSeconds = 5) => new Refusal('unavailable', message, { retryAfterSeconds })
export const throttled = (message: string, retryAfterSeconds: number) => new Refusal('throttled', message, { retryAfterSeconds })

/** Field errors: the first message of each field is what the form shows. */
export const invalid = (fields: FieldErrors, message = Object.values(fields)[0]?.[0] ?? 'Please check the form.') =>
  new Refusal('invalid', message, { fields })
