import { z } from 'zod'

/** Every kind of refusal the product knows; the one table from kind to HTTP status. */
export const ERROR_STATUS = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_media: 415,
  throttled: 429,
  /** The whole service is down on purpose: a 503 that names no kind, from whatever stands in front of it. */
  maintenance: 503,
  /** One thing it needs (database, store, mail) does not answer just now. */
  unavailable: 503,
  internal: 500,
} as const

export type ErrorKind = keyof typeof ERROR_STATUS
export type FieldErrors = Record<string, string[]>

/** The body of every refused call (decisions Q01 to Q03). */
export const ErrorBody = z.object({
  response: z.enum(['error', 'validationError']),
  message: z.string(),
  kind: z.string().optional(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  data: z.unknown().optional(),
  request_id: z.string().optional(),
})
export type ErrorBody = z.output<typeof ErrorBody>
