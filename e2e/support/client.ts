import type { BodyIn, Call, DataOf, ExtraOf, ParamsIn, QueryIn } from '#contract/route.ts'

interface Sent<C extends Call> {
  params?: ParamsIn<C>
  query?: QueryIn<C>
  body?: BodyIn<C>
}

type Extra<E> = [E] extends [undefined] ? unknown : E
type Answer<C extends Call> = { data: DataOf<C>; message: string } & Extra<ExtraOf<C>>

/** Makes calls of the contract over HTTP, like another program. */
export interface Client {
  <C extends Call>(call: C, sent?: Sent<C>): Promise<Answer<C>>
}

/** Without a token the calls are anonymous. An error response throws an error with `status`. */
export function clientOf(base: string, token?: string): Client {
  return async <C extends Call>(call: C, sent: Sent<C> = {}) => {
    const answer = await fetch(addressOf(base, call, sent), {
      method: call.method,
      headers: {
        ...(sent.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
    })
    const text = await answer.text()
    if (!answer.ok)
      throw Object.assign(new Error(`${call.method} ${call.path}: ${answer.status} ${text.slice(0, 500)}`), { status: answer.status })
    return JSON.parse(text) as Answer<C> // the server strips its answer to the output schema of the call
  }
}

function addressOf(base: string, call: Call, sent: { params?: unknown; query?: unknown }): string {
  const params = new Map(Object.entries(sent.params ?? {}))
  const path = call.path.replace(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(String(params.get(name))))
  const pairs = Object.entries(sent.query ?? {}).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return `${base}/api/v1${path}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`}`
}
