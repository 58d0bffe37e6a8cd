import { z } from 'zod'
import { ERROR_STATUS, type ErrorKind, type FieldErrors } from '#contract/error-kinds.ts'
import { ErrorBody, OnlySso, StaleSave } from '#contract/errors.ts'

/** The kinds of the server and those of the browser. `superseded`: a newer call of the same kind replaced it. */
export type ApiErrorKind = ErrorKind | 'network' | 'timeout' | 'superseded'

/** What every failed call throws. `status` is 0 when no answer came; `fields` holds the messages per field. */
export interface ApiError extends Error {
  readonly name: 'ApiError'
  readonly kind: ApiErrorKind
  readonly status: number
  readonly fields: FieldErrors
  readonly data: unknown
  /** Whether the shell leads to the maintenance page because of it. */
  readonly isOutage: boolean
}

type Detail = Pick<ApiError, 'kind' | 'message'> & Partial<ApiError>

export function apiError({ kind, message, status = 0, fields = {}, data, isOutage = false }: Detail): ApiError {
  return Object.assign(new Error(message), { name: 'ApiError' as const, kind, status, fields, data, isOutage })
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError'
}

/** The first message of each field, for a form's `setErrors`. */
export function firstMessages(error: ApiError): Record<string, string> {
  return Object.fromEntries(
    Object.entries(error.fields).flatMap(([field, messages]) => (messages[0] === undefined ? [] : [[field, messages[0]]])),
  )
}

const NO_ANSWER = {
  network: 'The server could not be reached. Please check your connection and try again.',
  timeout: 'The server took too long to answer. Please try again.',
}
/** Some answers have the messages of the fields in their data, each one alone or in a list. */
const FieldMessages = z.record(
  z.string(),
  z.union([z.array(z.string()), z.string()]).transform((messages) => [messages].flat()),
)
const UNKNOWN = 'Something went wrong. Please try again.'

/** What an administrator says about the maintenance. A proxy that answers 503 says nothing. */
export const maintenanceMessage = ({ kind, message }: ApiError): string | undefined =>
  kind === 'maintenance' && message !== UNKNOWN ? message : undefined

/** The name of the user who saved the record meanwhile, for the start of a sentence. */
export const changedBy = ({ data }: ApiError): string => StaleSave.safeParse(data).data?.changed_by ?? 'Another user'

/** Whether the sign-in was right, of a user whose company allows only single sign-on. */
export const needsSso = (error: unknown): boolean => isApiError(error) && OnlySso.safeParse(error.data).success

/** The message of an error for the user. */
export const messageOf = (error: unknown): string => (isApiError(error) ? error.message : UNKNOWN)

export const noAnswerError = (kind: keyof typeof NO_ANSWER): ApiError => apiError({ kind, message: NO_ANSWER[kind] })

const Rejection = ErrorBody.extend({ message: z.string().default(UNKNOWN) })
const RejectionMark = ErrorBody.pick({ response: true })

/** Whether an answer says that it rejects the call, which its HTTP status may not say. */
export const isRejection = (body: unknown): boolean => RejectionMark.safeParse(body).success

const isSuccess = (status: number) => status >= 200 && status < 300

/**
 * The error of a rejected call; a body that is not the envelope (a proxy's page) gets a general message. A rejection that was sent with
 * the status of a success gets that of its kind.
 * @param leadsAway whether the shell leads to the maintenance page if the service is not available
 */
export function apiErrorFrom(status: number, body: unknown, leadsAway = false): ApiError {
  const { response, message, kind: named, errors, data }: Partial<ErrorBody> = Rejection.safeParse(body).data ?? {}
  const fields = errors ?? (response === 'validationError' ? FieldMessages.safeParse(data).data : undefined) ?? {}
  const kind = kindOf(status, named)
  const rejected = isSuccess(status) ? ERROR_STATUS[kind] : status
  return apiError({ kind, status: rejected, message: message || UNKNOWN, fields, data, isOutage: leadsAway && rejected === 503 })
}

function kindOf(status: number, named: string | undefined): ErrorKind {
  const kinds = Object.keys(ERROR_STATUS) as ErrorKind[] // the keys of the table are the kinds
  const byName = kinds.find((kind) => kind === named)
  return byName ?? kinds.find((kind) => ERROR_STATUS[kind] === status) ?? (isSuccess(status) ? 'invalid' : 'internal')
}
