import { REQUEST_TIMEOUT_MS } from '#contract/limits.ts'
import { IDLE_HEADER, sessionCalls } from '#contract/session.ts'
import type { BodyIn, Call, DataOf, ExtraOf, ParamsIn, QueryIn } from '#contract/route.ts'
import { reportActivity } from './activity.ts'
import { apiError, apiErrorFrom, isApiError, isRejection, maintenanceMessage, noAnswerError, type ApiError } from './errors.ts'
import { emitPageEvent } from './page-events.ts'
import { isLeaving, tokens } from './tokens.ts'

const BASE = '/api/v1'
const NOT_SIGNED_IN = 'Please sign in to continue.'

type Empty = Record<never, never>
type Given<K extends string, V> = [V] extends [undefined] ? unknown : Empty extends V ? { readonly [P in K]?: V } : { readonly [P in K]: V }
type ApiOptions<C extends Call> = { readonly signal?: AbortSignal | undefined } & Given<'params', ParamsIn<C>> &
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

/**
 * Makes a call of the contract and returns its data, message and the extra members of its envelope (`meta`, tokens).
 * Throws an ApiError; when `signal` is aborted, the signal's own reason.
 */
export async function api<C extends Call>(call: C, ...[options]: OptionsOf<C>): Promise<ApiAnswer<C>> {
  const request = (options ?? {}) as Request // the options were checked against the call by the signature
  return send(call, request, (answer) => answer.json() as Promise<ApiAnswer<C>>) // the server strips its answer to the same output schema
}

/** Makes a call whose answer is a file. Throws like `api`. */
export async function apiFile<C extends Call>(call: C, ...[options]: OptionsOf<C>): Promise<ApiFile> {
  const request = (options ?? {}) as Request // as in api
  return send(call, request, async (answer) => ({
    blob: await answer.blob(),
    fileName: fileNameOf(answer.headers.get('content-disposition')),
  }))
}

interface Service {
  state: 'up' | 'maintenance' | 'down'
  /** What an administrator says about the maintenance. */
  message?: string | undefined
}

/** Whether the service answers: 503 is maintenance, other 5xx and no answer are down. */
export async function probe(): Promise<Service> {
  try {
    await api(sessionCalls.status)
    return { state: 'up' }
  } catch (error) {
    if (!isApiError(error)) return { state: 'down' }
    if (error.status === 503) return { state: 'maintenance', message: maintenanceMessage(error) }
    return { state: error.status === 0 || error.status >= 500 ? 'down' : 'up' }
  }
}

async function send<T>(call: Call, request: Request, read: (answer: Response) => Promise<T>): Promise<T> {
  const token = tokenFor(call)
  // A page that is still on screen after a sign-out may send another request; its answer is known.
  if (token === undefined && call.can !== 'public') throw apiError({ kind: 'unauthenticated', status: 401, message: NOT_SIGNED_IN })
  const { ok, status, body } = await fetchAnswer(call, request, token, read)
  if (ok) {
    return body
  }
  const error = apiErrorFrom(status, body, !handlesOutage(call))
  const now = tokenFor(call)
  // Another tab exchanged the tokens while this call was under way.
  if (error.status === 401 && token !== undefined && now !== undefined && now !== token) return send(call, request, read)
  // A session that began while the answer was read has not ended.
  emitPageEvents(error, call, token !== undefined && !isLeaving(token) && [token, undefined].includes(tokenFor(call)))
  throw error
}

/** Public calls carry no token, which may be an expired one, unless they ask who is signed in. */
const tokenFor = (call: Call) => (call.can === 'public' && call.knowsViewer !== true ? undefined : tokens()?.token)

type Answer<T> = { ok: true; status: number; body: T } | { ok: false; status: number; body: unknown }

/** An answer that breaks off, as when the page is left while it arrives, is no answer. */
async function fetchAnswer<T>(
  call: Call,
  request: Request,
  token: string | undefined,
  read: (answer: Response) => Promise<T>,
): Promise<Answer<T>> {
  const url = addressOf(call, request)
  const aborts = [request.signal, supersededSignal(call, url), AbortSignal.timeout(REQUEST_TIMEOUT_MS)]
  const signal = AbortSignal.any(aborts.filter((one) => one !== undefined))
  const headers = new Headers({ accept: 'application/json', 'content-type': 'application/json' })
  const activity = token === undefined ? undefined : reportActivity()
  if (activity !== undefined) {
    headers.set('authorization', `Bearer ${token}`)
    headers.set(IDLE_HEADER, String(activity.idleSeconds))
  }
  try {
    const answer = await fetch(url, {
      method: call.method,
      headers,
      signal,
      body: request.body === undefined ? null : JSON.stringify(request.body),
    })
    const { ok, status } = answer
    if (ok) activity?.arrived()
    if (!ok) return { ok, status, body: await answer.json().catch(() => undefined) }
    const body = await read(answer)
    return isRejection(body) ? { ok: false, status, body } : { ok, status, body }
  } catch (error) {
    if (request.signal?.aborted === true || isApiError(error)) throw error
    if (call.path !== '/status') emitPageEvent('unreachable', null)
    throw noAnswerError(signal.aborted ? 'timeout' : 'network')
  }
}

/** A 401 means a lost session only for a call that carried one; a wrong password is no lost session. */
function emitPageEvents(error: ApiError, call: Call, carriedToken: boolean): void {
  if (error.status === 401 && carriedToken && call.can !== 'public' && call.path !== '/logout')
    emitPageEvent('session-ended', { reason: 'expired', message: undefined })
  if (error.status === 429) emitPageEvent('throttled', { message: error.message })
  if (error.isOutage) emitPageEvent('maintenance', { message: error.kind === 'unavailable' ? error.message : undefined })
}

/**
 * The maintenance page makes these calls itself, the upload queue shows and repeats its own, and a sign-in service that does not answer is no
 * outage of the product.
 */
const handlesOutage = ({ path, can }: Call) =>
  path === '/status' || path === '/logout' || path === '/sso/finish' || can === 'upload_account_files'

const pending = new Map<string, AbortController>()

/**
 * Aborts the pending call that this one replaces and returns the signal by which a newer one will abort it. Lists replace each
 * other regardless of their search text, searches by path, metrics by address; undefined for every other call.
 */
function supersededSignal(call: Call, url: string): AbortSignal | undefined {
  const key = replaceableKey(call, url)
  if (key === undefined) return undefined
  pending.get(key)?.abort(apiError({ kind: 'superseded', message: 'A newer search took the place of this one.' }))
  const controller = new AbortController()
  pending.set(key, controller)
  return controller.signal
}

function replaceableKey({ method, path, output }: Call, url: string): string | undefined {
  if (method !== 'GET') return undefined
  if (path.endsWith('/search')) return url.replace(/\?.*/, '')
  if (path.startsWith('/metrics/')) return url
  const isList = output.kind === 'json' && output.extra !== undefined
  return isList ? url.replace(/\bsearch=[^&]*/, '') : undefined
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
