import { z } from 'zod'

/** All error kinds with their HTTP status. */
export const ERROR_STATUS = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_media: 415,
  throttled: 429,
  /** The whole service is down on purpose. The client derives this kind from a 503 without a kind, sent by a proxy. */
  maintenance: 503,
  /** The database, the store or the mail server does not respond, or the process stops. The page handles both kinds of 503 alike. */
  unavailable: 503,
  internal: 500,
} as const

export type ErrorKind = keyof typeof ERROR_STATUS
export type FieldErrors = Record<string, string[]>

/** The body of every error response. */
export const ErrorBody = z.object({
  response: z.enum(['error', 'validationError']),
  message: z.string(),
  kind: z.string().optional(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  data: z.unknown().optional(),
  request_id: z.string().optional(),
})
/** The data of a conflict: who saved the record meanwhile, if it is known. */
export const StaleSave = z.object({ changed_by: z.string().nullable() })
/** The data of a sign-in that was right, of a user whose company allows only single sign-on. */
export const OnlySso = z.object({ single_sign_on: z.literal(true) })
export type ErrorBody = z.output<typeof ErrorBody>
