import type { FastifyReply, FastifyRequest, FastifyInstance } from 'fastify'
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { z } from 'zod'
import type { BodyOf, Call, Calls, DataIn, ParamsOf, QueryOf } from '#contract/route.ts'
import { BODY_MAX_BYTES, SECOND_MS } from '#contract/limits.ts'
import { IDLE_HEADER, sessionCalls } from '#contract/session.ts'
import { ANONYMOUS, can, type Via, type Viewer } from '#server/access/viewer.ts'
import { AppError, forbidden, unauthenticated } from '#server/kernel/errors.ts'
import type { Context, Services } from '../context.ts'
import { authenticate } from '../session/authenticate.ts'
import { requireNoMaintenance } from './maintenance.ts'
import { encodedJson, encodingOf, etagFor, matchingEtag, type StoredJson } from './compress.ts'
import { parseInput, parseParams } from './parse-input.ts'

/** The client that makes a call. */
export interface Caller {
  /** IP address. */
  address: string
  /** The User-Agent header, cut to a length that is worth storing. */
  client: string
  /** For how long the user of the page has not been active. */
  idleMs: number
  /** Whether the client has an earlier answer to this call. */
  isConditional: boolean
  /** Whether the client has the answer with this ETag. */
  has(etag: string): boolean
  /** Aborted when the client disconnects; created when it is first read. */
  readonly signal: AbortSignal
}

interface CallRequest<C extends Call> {
  ctx: Context
  params: ParamsOf<C>
  query: QueryOf<C>
  body: BodyOf<C>
  caller: Caller
}

type ExtraIn<C extends Call> = C['output'] extends { extra: infer E extends z.ZodType } ? { extra: z.input<E> } : { extra?: undefined }

type BlobAnswer = { status?: number; headers: Record<string, string | number>; body: Readable | Buffer }
/** For bodies with ranges: the engine sends the response itself. */
type ServedAnswer = { serve: (request: FastifyRequest, reply: FastifyReply) => FastifyReply }
/** JSON text with the envelope, for cached lists; undefined if not modified. */
type ReadyAnswer = { ready: { etag: string; json: StoredJson | undefined } }
/** `status` is 200 by default; `message` is shown to the user. */
type DataAnswer<Data> = { data: Data; message?: string; status?: 200 | 201 }

type Answer<C extends Call> = C['output'] extends { kind: 'blob' }
  ? BlobAnswer | ServedAnswer
  : (DataAnswer<DataIn<C>> & ExtraIn<C>) | ReadyAnswer | (C extends { mayAnswerFile: true } ? BlobAnswer | ServedAnswer : never)

export type Handlers<G extends Calls> = { readonly [K in keyof G]: (request: CallRequest<G[K]>) => Promise<Answer<G[K]>> }

/** Throws `notFound` unless the viewer sees the record that the parameters of a path name. */
export type RequireRecord = (ctx: Context, params: Readonly<Record<string, string>>, call: Call) => Promise<unknown>

export type Route = {
  name: string
  call: Call
  handle: (request: CallRequest<Call>) => Promise<unknown>
  requireRecord: RequireRecord | undefined
}

/**
 * Binds a group of calls to handlers. A missing handler, or one with another answer, does not compile. `requireRecord` is called for an
 * invalid query or body, so that a record that is not visible is not found in any case; handlers check it themselves.
 */
export function implement<G extends Calls>(calls: G, handlers: Handlers<G>, requireRecord?: RequireRecord): Route[] {
  return Object.entries(calls).map(([name, call]) => ({
    name,
    call,
    handle: handlers[name] as Route['handle'], // Handlers<G> pairs this name with its call's types
    requireRecord,
  }))
}

/** Like `implement`, for a feature whose modules are loaded when one of its calls is made for the first time. */
export function implementLater<G extends Calls>(
  calls: G,
  load: () => Promise<{ handlers: Handlers<G>; requireRecord?: RequireRecord }>,
): Route[] {
  return Object.entries(calls).map(([name, call]) => ({
    name,
    call,
    handle: async (request) => {
      const { handlers } = await load()
      return (handlers[name] as Route['handle'])(request) // as in `implement`
    },
    requireRecord: async (...args) => (await load()).requireRecord?.(...args),
  }))
}

/** The answer to a call that returns nothing but a message. */
export async function done(work: Promise<unknown>, message = ''): Promise<{ data: null; message: string }> {
  await work
  return { data: null, message }
}

export const API_ROOT = '/api/v1'

/** Registers all calls of the contract. */
export function mountRoutes(app: FastifyInstance, services: Services, routes: readonly Route[]): void {
  for (const route of routes) {
    app.route({
      method: route.call.method,
      url: `${API_ROOT}${route.call.path}`,
      bodyLimit: route.call.bodyMaxBytes ?? BODY_MAX_BYTES,
      handler: async (request, reply) => serve(services, route, request, reply),
    })
  }
}

type AnyAnswer = ServedAnswer | BlobAnswer | ReadyAnswer | (DataAnswer<unknown> & { extra?: unknown })

async function serve(services: Services, route: Route, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { call } = route
  const viewer = await viewerFor(call, services, request)
  requireNoMaintenance(services, call, viewer)
  const hadToken = request.headers.authorization !== undefined
  if (viewer.kind !== 'anonymous' || call.afterSession !== true || !hadToken) admit(call, viewer)
  const ctx = { ...services, log: request.log as Services['log'], viewer } // Fastify's logger is our pino logger
  const params = parseParams(call.params, request.params)
  const input = await inputOf(ctx, route, request, params)
  const callRequest = { ctx, params, ...input, caller: callerOf(request, reply) }
  const handled = await route.handle(callRequest as Parameters<Route['handle']>[0]) // parsed by the call's own schemas just above
  const answer = handled as AnyAnswer // implement() pairs the call with a handler of its answer type
  return 'serve' in answer ? answer.serve(request, reply) : send(call, answer, request, reply)
}

/** Public calls ignore the token: a browser whose token has expired must still be able to sign in. */
async function viewerFor(
  { can: needed, knowsViewer, afterSession }: Call,
  services: Services,
  { headers }: FastifyRequest,
): Promise<Viewer> {
  if (needed === 'public' && knowsViewer !== true) return ANONYMOUS
  const now = services.clock.now()
  try {
    return await authenticate(services, headers.authorization, now, new Date(now.getTime() - idleMsOf(headers)))
  } catch (error) {
    if ((needed === 'public' || afterSession === true) && error instanceof AppError && error.kind === 'unauthenticated') return ANONYMOUS
    throw error
  }
}

/** For how long the user of the page has not been active; 0 for other clients, whose calls all count as activity. */
const idleMsOf = (headers: IncomingHttpHeaders): number => {
  const seconds = headers[IDLE_HEADER]
  return typeof seconds === 'string' && /^\d{1,9}$/.test(seconds) ? Number(seconds) * SECOND_MS : 0
}

/** A request for a record that is not visible is answered with that, also if its input is invalid. */
async function inputOf(ctx: Context, { call, requireRecord }: Route, request: FastifyRequest, params: unknown) {
  try {
    return parseInput(call, request)
  } catch (error) {
    if (call.afterSession === true && ctx.viewer.kind === 'anonymous') throw unauthenticated()
    if (call.params !== undefined) await requireRecord?.(ctx, params as Record<string, string>, call) // the names in a path are texts
    throw error
  }
}

/** The only permission check of a call, from its `can`. */
function admit(call: Call, viewer: Viewer): void {
  if (call.can === 'public') return
  if (viewer.kind !== 'user' || (viewer.challenged && !call.duringChallenge)) throw unauthenticated()
  if (viewer.challenged) return
  if (call.can !== 'signed-in' && !can(viewer, call.can)) throw forbidden()
  if (viewer.via !== undefined) admitGuest(call, viewer.via)
}

const ONLY_LOOKING = 'You are looking at this account as a guest. Nothing can be changed here.'

/** People from outside make the calls of their permissions, and few of those that every user makes. */
function admitGuest({ can: needed, guests, method, path }: Call, { preview }: Via): void {
  if (needed === 'signed-in' && guests !== true) throw forbidden()
  if (preview && method !== 'GET' && path !== sessionCalls.logoutPost.path) throw forbidden(ONLY_LOOKING)
}

const CLIENT_MAX = 300

function callerOf(request: FastifyRequest, reply: FastifyReply): Caller {
  const ifNoneMatch = request.headers['if-none-match']
  let signal: AbortSignal | undefined
  return {
    address: request.ip,
    client: (request.headers['user-agent'] ?? '').slice(0, CLIENT_MAX),
    idleMs: idleMsOf(request.headers),
    isConditional: ifNoneMatch !== undefined,
    has: (etag) => matchingEtag(ifNoneMatch, etag) !== undefined,
    get signal() {
      signal ??= signalOf(reply)
      return signal
    },
  }
}

/** The response closes with its connection. (`request.signal` does not work here: the request has closed once its body was read.) */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const closing = new AbortController()
  if (raw.destroyed) closing.abort()
  else raw.once('close', () => closing.abort())
  return closing.signal
}

function send(
  call: Call,
  answer: Exclude<AnyAnswer, ServedAnswer>,
  { headers, method }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if ('ready' in answer) {
    const { etag, json } = answer.ready
    void reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'accept-encoding' })
    if (json === undefined) return reply.status(304).header('etag', matchingEtag(headers['if-none-match'], etag)).send()
    const encoding = encodingOf(headers['accept-encoding'])
    const encoded = encoding && encodedJson(json, encoding)
    if (encoding === undefined || encoded === undefined) return reply.type(JSON_TYPE).send(json.text)
    return reply
      .headers({ etag: etagFor(etag, encoding), 'content-encoding': encoding })
      .type(JSON_TYPE)
      .send(encoded)
  }
  void reply.status(answer.status ?? 200)
  if ('body' in answer) return reply.headers(answer.headers).send(method === 'HEAD' ? unread(answer.body) : answer.body)
  return reply.header('cache-control', 'no-store').type(JSON_TYPE).send(envelope(call, answer))
}

/** The body of an answer to HEAD, which is not sent: a file that is read to its end would be recorded as a download. */
const unread = (body: Buffer | Readable) => (Buffer.isBuffer(body) ? body : (body.destroy(), Readable.from([])))

const JSON_TYPE = 'application/json; charset=utf-8'

/** Throws an Error, not a ZodError: the client did not send what is wrong. */
function presented(call: Call, schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new Error(`The answer of ${call.method} ${call.path} does not match its schema`, { cause: parsed.error })
  return parsed.data
}

/** `{response, message, data}` and the extras. Properties that the output schema does not name are stripped. */
export function envelope(call: Call, answer: { data: unknown; message?: string; extra?: unknown }): string {
  if (call.output.kind !== 'json') throw new Error(`${call.path} answers a file, not JSON`)
  const { data, extra } = call.output
  const extras = extra === undefined ? {} : (presented(call, extra, answer.extra) as object) // extras are objects by jsonWith
  return JSON.stringify({ response: 'success', message: answer.message ?? '', data: presented(call, data, answer.data), ...extras })
}
