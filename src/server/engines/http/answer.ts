import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { BodyOf, Call, Calls, DataIn, ParamsOf, QueryOf } from '#contract/route.ts'
import type { Context } from '../context.ts'

/** The client that makes a call. */
export interface Caller {
  /** IP address. */
  address: string
  ifNoneMatch: string | undefined
}

export interface CallRequest<C extends Call> {
  ctx: Context
  params: ParamsOf<C>
  query: QueryOf<C>
  body: BodyOf<C>
  caller: Caller
}

type ExtraIn<C extends Call> = C['output'] extends { extra: infer E extends z.ZodType } ? { extra: z.input<E> } : { extra?: undefined }

export interface BlobAnswer {
  status?: number
  headers: Record<string, string | number>
  body: Readable | Buffer
}

/** For bodies with ranges: the engine sends the response itself. */
export interface ServedAnswer {
  serve: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
}

/** JSON text with the envelope, for cached lists. */
export interface Ready {
  etag: string
  /** Undefined: not modified. */
  json: string | undefined
}

/** `status` is 200 by default; `message` is shown to the user. */
export type Answer<C extends Call> = C['output'] extends { kind: 'blob' }
  ? BlobAnswer | ServedAnswer
  : ({ data: DataIn<C>; message?: string; status?: 200 | 201 } & ExtraIn<C>) | { ready: Ready }

export type Handler<C extends Call> = (request: CallRequest<C>) => Promise<Answer<C>>
export type Handlers<G extends Calls> = { readonly [K in keyof G]: Handler<G[K]> }

export interface Route {
  name: string
  call: Call
  handle: (request: CallRequest<Call>) => Promise<unknown>
}

/** Binds a group of calls to handlers. A missing handler, or one with another answer, does not compile. */
export function implement<G extends Calls>(calls: G, handlers: Handlers<G>): Route[] {
  return Object.entries(calls).map(([name, call]) => ({
    name,
    call,
    handle: handlers[name] as Route['handle'], // Handlers<G> pairs this name with its call's types
  }))
}

/** The answer to a call that returns nothing but a message. */
export async function done(work: Promise<unknown>, message = ''): Promise<{ data: null; message: string }> {
  await work
  return { data: null, message }
}
