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
  'code',
  'secret',
  'signature',
]

/** Any of the secret keys is blanked at the top of an entry and up to three levels below it. */
const SECRET_PATHS = ['', '*.', '*.*.', '*.*.*.'].flatMap((depth) => [
  ...SECRET_KEYS.map((key) => `${depth}${key}`),
  `${depth}["set-cookie"]`,
  `${depth}["x-api-key"]`,
])

interface LogOptions {
  level: string
  /** Where entries go; the standard output unless a test reads them. */
  destination?: DestinationStream
}

/** Chosen fields only: a database error also carries the offending values and the connection with its keys. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  return {
    type: name,
    message,
    stack,
    ...('code' in error && { error_code: error.code }),
    ...('constraint' in error && { constraint: error.constraint }),
    ...(cause !== undefined && { cause: describeError(cause) }),
  }
}

/**
 * Structured log, one JSON entry a line. Credentials are replaced by "[hidden]" wherever one of the known keys
 * appears within three levels; message texts are not searched, so nothing secret may be put into them.
 */
export function createLog({ level, destination }: LogOptions): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    redact: { paths: SECRET_PATHS, censor: '[hidden]' },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
