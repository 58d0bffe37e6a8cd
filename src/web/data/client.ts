import { REQUEST_TIMEOUT_MS } from '#contract/limits.ts'
import type { BodyIn, Call, DataOf, ExtraOf, ParamsIn, QueryIn } from '#contract/route.ts'
import { apiError, apiErrorFrom, noAnswerError, type ApiError } from './errors.ts'
import { emitPageEvent } from './page-events.ts'
import { tokens } from './tokens.ts'

const BASE = '/api/v1'
const NOT_SIGNED_IN = 'Please sign in to continue.'

type Empty = Record<never, never>
type Given<K extends string, V> = [V] extends [undefined] ? unknown : Empty extends V ? { readonly [P in K]?: V } : { readonly [P in K]: V }
export type ApiOptions<C extends Call> = { readonly signal?: AbortSignal | undefined } & Given<'params', ParamsIn<C>> &
  Given<'query', QueryIn<C>> &
  Given<'body', BodyIn<C>>
export type OptionsOf<C extends Call> = Empty extends ApiOptions<C> ? [options?: ApiOptions<C>] : [options: ApiOptions<C>]

type Extra<E> = [E] extends [undefined] ? unknown : E
export type ApiAnswer<C extends Call> = { data: DataOf<C>; message: string } & Extra<ExtraOf<C>>
export interface ApiFile {
  blob: Blob
  /** From Content-Disposition; undefined when the server named none. */
  fileName: string | undefined
}

/** The options of a call without their types, which the generic signatures above have already checked. */
interface Request {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  signal?: AbortSignal
}

let lastAnswerAt = 0
/** When a signed-in call was last answered, in ms; such a call extends the session. */
export const lastCallAt = (): number => lastAnswerAt

/**
 * Makes a call of the contract and returns its data, message and the extra members of its envelope (`meta`, tokens).
 * Throws an ApiError; when `signal` is aborted, the signal's own reason.
 */
export async function api<C extends Call>(call: C, ...[options]: OptionsOf<C>): Promise<ApiAnswer<C>> {
  const answer = await send(call, (options ?? {}) as Request) // the options were checked against the call by the signature
  return (await answer.json()) as ApiAnswer<C> // the server strips its answer to the same output schema
}

/** Makes a call whose answer is a file. Throws like `api`. */
export async function apiFile<C extends Call>(call: C, ...[options]: OptionsOf<C>): Promise<ApiFile> {
  const answer = await send(call, (options ?? {}) as Request) // as in api
  return { blob: await answer.blob(), fileName: fileNameOf(answer.headers.get('content-disposition')) }
}

async function send(call: Call, request: Request): Promise<Response> {
  const sent = tokenFor(call)
  // A page that is still on screen after a sign-out may send another request; its answer is known.
  if (sent === undefined && call.can !== 'public') throw apiError({ kind: 'unauthenticated', status: 401, message: NOT_SIGNED_IN })
  const url = addressOf(call, request)
  const superseded = supersededSignal(call, url)
  const aborts = [request.signal, superseded, AbortSignal.timeout(REQUEST_TIMEOUT_MS)].filter((signal) => signal !== undefined)
  const signal = AbortSignal.any(aborts)
  const answer = await fetchOnce(call, url, request, signal, superseded)
  if (answer.ok) {
    if (sent !== undefined) lastAnswerAt = Date.now()
    return answer
  }
  const now = tokenFor(call)
  // Another tab exchanged the tokens while this call was under way.
  if (answer.status === 401 && sent !== undefined && now !== undefined && now !== sent) return send(call, request)
  const error = apiErrorFrom(answer.status, await answer.json().catch(() => undefined))
  emitPageEvents(error, call, sent !== undefined)
  throw error
}

async function fetchOnce(
  call: Call,
  url: string,
  request: Request,
  signal: AbortSignal,
  superseded: AbortSignal | undefined,
): Promise<Response> {
  try {
    return await fetch(url, {
      method: call.method,
      headers: headersOf(call),
      signal,
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    })
  } catch (error) {
    if (request.signal?.aborted === true) throw error
    if (superseded?.aborted === true) throw apiError({ kind: 'superseded', message: 'A newer search took the place of this one.' })
    if (call.path !== '/status') emitPageEvent('unreachable', null)
    throw noAnswerError(signal.aborted ? 'timeout' : 'network')
  }
}

/** Public calls carry no token: an expired one would only get them rejected. */
const tokenFor = (call: Call) => (call.can === 'public' ? undefined : tokens()?.token)

function headersOf(call: Call): Headers {
  const headers = new Headers({ accept: 'application/json', 'content-type': 'application/json' })
  const token = tokenFor(call)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  return headers
}

/** A 401 means a lost session only for a call that carried one; a wrong password is no lost session. */
function emitPageEvents(error: ApiError, call: Call, carriedToken: boolean): void {
  if (error.status === 401 && carriedToken && call.path !== '/logout')
    emitPageEvent('session-ended', { reason: 'expired', message: undefined })
  if (error.status === 429) emitPageEvent('throttled', { message: error.message })
  if (error.kind === 'maintenance' && call.path !== '/status' && call.path !== '/logout') emitPageEvent('maintenance', null)
}

const pending = new Map<string, AbortController>()

/**
 * Aborts the pending call that this one replaces and returns the signal by which a newer one will abort it. Lists replace each
 * other regardless of their search text, searches by path, metrics by address; undefined for every other call.
 */
function supersededSignal(call: Call, url: string): AbortSignal | undefined {
  const key = replaceableKey(call, url)
  if (key === undefined) return undefined
  pending.get(key)?.abort()
  const controller = new AbortController()
  pending.set(key, controller)
  return controller.signal
}

function replaceableKey(call: Call, url: string): string | undefined {
  if (call.method !== 'GET') return undefined
  const [path = '', query = ''] = url.split('?')
  if (call.path.endsWith('/search')) return path
  if (call.path.startsWith('/metrics/')) return url
  if (call.output.kind !== 'json' || call.output.extra === undefined) return undefined
  const rest = new URLSearchParams(query)
  rest.delete('search')
  return `${path}?${rest.toString()}`
}

function addressOf(call: Call, { params, query }: Request): string {
  const path = call.path.replace(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(String(params?.[name])))
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, onWire(value)]],
  )
  return BASE + path + (pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`)
}

const onWire = (value: unknown): string => (typeof value === 'boolean' ? (value ? '1' : '0') : String(value))

function fileNameOf(disposition: string | null): string | undefined {
  const encoded = disposition?.match(/filename\*=UTF-8''([^;]+)/i)?.[1]
  return encoded === undefined ? disposition?.match(/filename="([^"]+)"/i)?.[1] : decodeURIComponent(encoded)
}
