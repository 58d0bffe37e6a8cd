import { ERROR_STATUS, type FieldErrors, type ErrorKind } from '#contract/error-kinds.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import type { BodyIn, Call, DataOf, ExtraOf, ParamsIn } from '#contract/route.ts'

type Extra<E> = [E] extends [undefined] ? unknown : E
type FakeAnswer<C extends Call> = { data: DataOf<C>; message?: string } & Extra<ExtraOf<C>>
interface FakeRequest<C extends Call> {
  params: ParamsIn<C>
  query: Record<string, string>
  body: BodyIn<C>
  token: string | undefined
}
type Handler<C extends Call> = (request: FakeRequest<C>) => FakeAnswer<C> | ErrorAnswer | Promise<FakeAnswer<C> | ErrorAnswer>

/** 'broken-off': the connection breaks after half of a successful answer. */
type NoAnswer = 'no-answer' | 'broken-off'

interface ErrorAnswer {
  errorKind: ErrorKind | NoAnswer
  message: string
  fields: FieldErrors
  data: unknown
}

/** What a handler returns to reject a call as the real server does; 'no-answer' is a broken connection. */
export const errorAnswer = (
  errorKind: ErrorKind | NoAnswer,
  message = '',
  fields: FieldErrors = {},
  data: unknown = fields,
): ErrorAnswer => ({ errorKind, message, fields, data })

interface Route {
  call: Call
  pattern: RegExp
  handler: (request: FakeRequest<Call>) => unknown
}

export interface FakeServer {
  /** Sets the answer of a call; replaces an earlier answer. */
  on: <C extends Call>(call: C, handler: Handler<C>) => FakeServer
  /** All requests in order, such as `GET /accounts?page=2`. */
  readonly requests: string[]
  /** The bodies of all requests to a call. */
  bodies: <C extends Call>(call: C) => BodyIn<C>[]
  close: () => void
}

const realFetch = globalThis.fetch

/** Ends the fake server that a test has opened, if any. */
export const closeFakeServer = (): void => {
  globalThis.fetch = realFetch
}

/** Replaces `fetch`. A handler whose answer does not match the contract does not compile. */
export function fakeServer(): FakeServer {
  const routes: Route[] = []
  const requests: string[] = []
  const bodies: { call: Call; body: unknown }[] = []

  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, 'http://localhost')
    const path = url.pathname.replace(/^\/api\/v1/, '')
    const method = init?.method ?? 'GET'
    requests.push(`${method} ${path}${url.search}`)
    const route = routes.findLast(({ call, pattern }) => call.method === method && pattern.test(path))
    if (route === undefined) return envelope(404, { response: 'error', kind: 'not_found', message: `No answer for ${method} ${path}` })
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    bodies.push({ call: route.call, body })
    const params = route.pattern.exec(path)?.groups ?? {}
    const token = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '')
    const request = { params, query: Object.fromEntries(url.searchParams), body, token } as unknown as FakeRequest<Call> // the caller's own call typed it
    return reply(await route.handler(request), init?.signal ?? undefined)
  }

  const server: FakeServer = {
    requests,
    on: (call, handler) => {
      routes.push({ call, pattern: patternOf(call.path), handler })
      return server
    },
    bodies: <C extends Call>(call: C) => bodies.filter((sent) => sent.call === call).map((sent) => sent.body as BodyIn<C>), // sent to this very call
    close: closeFakeServer,
  }
  return server
}

/** The answer of a list whose rows fit on one page. */
export const onePage = <T>(data: T[]) => {
  const [from, to] = data.length === 0 ? [null, null] : [1, data.length]
  return { data, meta: { current_page: 1, from, to, per_page: PAGE_SIZE, last_page: 1, total: data.length } }
}

/** An id contains a digit, so that `/accounts/:id` does not match `/accounts/columns`. */
function patternOf(path: string): RegExp {
  return new RegExp(
    `^${path.replace(/:([a-z_]+)/g, (_param, name: string) => `(?<${name}>${/^(\w+_)?id$/.test(name) ? '[^/]*\\d[^/]*' : '[^/]+'})`)}$`,
  )
}

function reply(answer: unknown, signal: AbortSignal | undefined): Response {
  signal?.throwIfAborted()
  if (!isErrorAnswer(answer)) return envelope(200, { response: 'success', message: '', ...(answer as object) }) // a handler's answer is an object of its call
  if (answer.errorKind === 'no-answer') throw new TypeError('Failed to fetch')
  if (answer.errorKind === 'broken-off') return brokenOff()
  const { errorKind: kind, message, fields, data } = answer
  const response = Object.keys(fields).length === 0 ? 'error' : 'validationError'
  return envelope(ERROR_STATUS[kind], { response, kind, message, errors: fields, data })
}

const isErrorAnswer = (answer: unknown): answer is ErrorAnswer => typeof answer === 'object' && answer !== null && 'errorKind' in answer

const brokenOff = () => {
  const half = new TextEncoder().encode('{"response":"success","da')
  let isSent = false
  const pull = (body: ReadableStreamDefaultController<Uint8Array>) => {
    if (isSent) body.error(new TypeError('network error'))
    else body.enqueue(half)
    isSent = true
  }
  return new Response(new ReadableStream({ pull }), { headers: { 'content-type': 'application/json' } })
}

const envelope = (status: number, body: object) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
