import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

const SECRET_KEYS = [
  'authorization',
  'cookie',
  'password',
  'current_password',
  'new_password',
  'password_confirmation',
  'token',
  'access_token',
  'refresh_token',
  'reset_token',
  'invite_token',
  'invite_id',
  'share_token',
  'share_link',
  'login_link',
  'code',
  'client_secret',
  'ticket',
  'secret',
  'signature',
]

/** Secret keys at the top of an entry and up to three levels below it. */
const SECRET_PATHS = ['', '*.', '*.*.', '*.*.*.'].flatMap((depth) => [
  ...SECRET_KEYS.map((key) => `${depth}${key}`),
  `${depth}["set-cookie"]`,
  `${depth}["x-api-key"]`,
])

/**
 * Selected fields only: a database error also carries the offending values and the connection with its keys. pg-boss reports copies
 * of errors as plain objects, so anything with a message counts as an error.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (error === null || typeof error !== 'object') return { message: String(error) }
  const { name, message, stack, cause }: Partial<Error> = error
  return {
    type: name ?? 'Error',
    message: typeof message === 'string' && message !== '[object Object]' ? message : describeThrown(error),
    stack,
    ...('code' in error && { error_code: error.code }),
    ...('constraint' in error && { constraint: error.constraint }),
    ...(cause !== undefined && { cause: describeError(cause) }),
  }
}

/** An object that is no error, or an error made of one: `new Error({})` has the message "[object Object]". */
function describeThrown(thrown: object): string {
  const message: unknown = 'message' in thrown ? thrown.message : undefined
  const keys = Object.keys(message !== null && typeof message === 'object' ? message : thrown)
  return `An object without a message was thrown${keys.length > 0 ? ` (${keys.join(', ')})` : ''}`
}

/** A log with one JSON entry per line. Values of secret keys become "[hidden]"; message texts are not searched, so never put a secret there. */
export const createLog = ({ level, destination = pino.destination(1) }: { level: string; destination?: DestinationStream }): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
      serializers: { err: describeError },
      redact: { paths: SECRET_PATHS, censor: '[hidden]' },
    },
    destination,
  )
