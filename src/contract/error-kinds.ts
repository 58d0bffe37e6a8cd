// Apart from the schemas, because processes that only read a file use them.

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
