import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import { z } from 'zod'
import { ERROR_STATUS, type FieldErrors } from '#contract/error-kinds.ts'
import type { ErrorBody } from '#contract/errors.ts'
import { AppError, conflict, errorCode, invalid, throttled, tooLarge, unavailable, unsupported } from '#server/kernel/errors.ts'
import { unionText } from './issue-text.ts'

const UNEXPECTED = 'Something went wrong on our side. Please try again. If it happens again, send the request id to support.'

/** All messages of all fields. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  // A map, because a request may contain a field called constructor.
  const fields = new Map<string, string[]>()
  const add = (path: readonly PropertyKey[], message: string) => {
    const name = path.join('.') || 'body'
    fields.set(name, [...(fields.get(name) ?? []), message])
  }
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) add([...issue.path, key], 'Unknown field.')
    else add(issue.path, readable(issue))
  }
  return Object.fromEntries(fields)
}

const readable = (issue: z.core.$ZodIssue): string => (issue.code === 'invalid_union' ? unionText(issue) : issue.message)

const databaseUnavailable = () => unavailable('The service cannot reach its database. Please try again shortly.')

/** Codes of Fastify, SQLSTATE and Node: bad input or an overloaded database must not surface as 500. The first match counts. */
const BY_CODE: readonly (readonly [code: RegExp, error: () => AppError])[] = [
  [/^FST_ERR_CTP_BODY_TOO_LARGE$/, () => tooLarge('The request is too large.')],
  [/^FST_ERR_CTP_INVALID_MEDIA_TYPE$/, () => unsupported('Please send JSON (content type application/json).')],
  [/^FST_ERR_CTP_INVALID_CONTENT_LENGTH$/, () => invalid({ body: ['This is not valid JSON.'] })],
  [/^FST_ERR_(BAD_URL|MAX_PARAM_LENGTH)$/, () => new AppError('not_found', 'There is nothing at this address.')],
  [/^23505$/, () => conflict('Another record already has this value.')],
  [/^23503$/, () => conflict('Something this refers to no longer exists. Please reload and try again.')],
  [/^2[23]/, () => invalid({ body: ['One of the values cannot be stored. Please check your input.'] })],
  [/^(40001|40P01)$/, () => conflict('Another user changed this at the same time. Please try again.')],
  [/^55P03$/, () => unavailable('Another change takes longer than expected. Please try again.', 5)],
  [/^57014$/, () => unavailable('The database took too long to answer. Please try again.', 2)],
  [
    /^(53100|ENOSPC|EDQUOT)$/,
    () => unavailable('The disk is full, so this could not be done. Ask your administrator to free some space, then try again.', 60),
  ],
  [/^(EROFS|EIO|ESTALE|EMFILE|ENFILE)$/, () => unavailable('The server cannot write to its disk. Please try again later.', 60)],
  [/^(53|57|58|08|25006)|^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|EHOST|ENET)/, databaseUnavailable],
]

/** Errors of pg that have no code. */
const CONNECTION_LOST =
  /Connection (terminated|ended|closed)|not queryable|timeout expired|timeout exceeded when trying to connect|Query read timeout|after calling end/

/** Undefined for an unexpected error, which is answered as 500. */
function toAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  if (error instanceof z.ZodError) return invalid(fieldErrors(error))
  if (!(error instanceof Error)) return undefined
  const code = errorCode(error)
  const known = code && BY_CODE.find(([pattern]) => pattern.test(code))
  if (known) return known[1]()
  if (CONNECTION_LOST.test(error.message)) return databaseUnavailable()
  const cause = error.cause === undefined ? undefined : toAppError(error.cause)
  if (cause?.kind === 'unavailable') return cause
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
  if (status === 429) return throttled('Too many requests. Please wait a moment.', 5)
  return status >= 400 && status < 500 ? invalid({ body: [error.message] }) : undefined
}

/** Whether the client disconnected, or was disconnected, while it sent the body. Connections to the database fail with the same code. */
const wasCut = (error: unknown, { raw }: FastifyRequest): boolean =>
  error instanceof Error && raw.destroyed && !raw.complete && /^(ECONNRESET|ERR_STREAM_PREMATURE_CLOSE)$/.test(errorCode(error) ?? '')

/** The only place where an error becomes a response. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isCut = wasCut(error, request)
  const appError = isCut ? invalid({ body: ['The request did not arrive completely.'] }) : toAppError(error)
  if (isCut) request.log.info('The connection closed before the request had arrived completely')
  else if (appError === undefined) request.log.error({ err: error }, 'Unexpected error')
  else if (appError.status >= 500) request.log.warn({ err: error }, appError.message)
  const body: ErrorBody =
    appError === undefined
      ? { response: 'error', message: UNEXPECTED, kind: 'internal', request_id: request.id }
      : {
          response: appError.kind === 'invalid' ? 'validationError' : 'error',
          message: appError.message,
          kind: appError.kind,
          ...(appError.details.fields === undefined ? {} : { errors: appError.details.fields, data: appError.details.fields }),
          ...(appError.details.data === undefined ? {} : { data: appError.details.data }),
        }
  if (appError?.details.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(appError.details.retryAfterSeconds))
  return reply
    .status(appError?.status ?? ERROR_STATUS.internal)
    .header('cache-control', 'no-store')
    .type('application/json')
    .send(JSON.stringify(body))
}

const STATUS_OF_UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Answers a request that is not HTTP, which reaches no route, and closes its connection. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const body: ErrorBody = { response: 'error', message: 'This request cannot be read as HTTP.', kind: 'invalid' }
  const text = JSON.stringify(body)
  const head = `HTTP/1.1 ${STATUS_OF_UNREADABLE[error.code ?? ''] ?? '400 Bad Request'}\r\nContent-Type: application/json; charset=utf-8`
  socket.end(`${head}\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
}
