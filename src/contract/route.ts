import { z } from 'zod'
import type { PermissionName } from './permissions.ts'

/** Who may make a call: a permission by name, anyone who is signed in, or anyone at all. Required, so that no call is open by accident. */
export type Can = PermissionName | 'signed-in' | 'public'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** json: the envelope of decisions Q01 around `data`; blob: a file with its name in Content-Disposition. */
export type Output<D extends z.ZodType = z.ZodType, E extends z.ZodType = z.ZodType> =
  { kind: 'json'; data: D; extra?: E } | { kind: 'blob'; contentType: string }

export interface Call {
  method: Method
  /** Below /api/v1, parameters as `:name`. */
  path: string
  can: Can
  summary: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** Overrides the usual body limit, in bytes. */
  bodyMaxBytes?: number
  /** True where a signed-in person with a pending second factor may call, too. */
  duringChallenge?: boolean
  output: Output
}

export type Calls = Readonly<Record<string, Call>>

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Sent<S> = S extends z.ZodType ? z.input<S> : undefined
type FieldOf<C, K extends string> = C extends Record<K, infer V> ? V : undefined

export type ParamsOf<C extends Call> = Parsed<FieldOf<C, 'params'>>
export type QueryOf<C extends Call> = Parsed<FieldOf<C, 'query'>>
export type BodyOf<C extends Call> = Parsed<FieldOf<C, 'body'>>
export type ParamsIn<C extends Call> = Sent<FieldOf<C, 'params'>>
export type QueryIn<C extends Call> = Sent<FieldOf<C, 'query'>>
export type BodyIn<C extends Call> = Sent<FieldOf<C, 'body'>>
export type DataOf<C extends Call> = C['output'] extends { kind: 'json'; data: infer D }
  ? D extends z.ZodType
    ? z.output<D>
    : never
  : never
/** What a handler hands over; the output schema strips whatever it does not name. */
export type DataIn<C extends Call> = C['output'] extends { kind: 'json'; data: infer D }
  ? D extends z.ZodType
    ? z.input<D>
    : never
  : never
export type ExtraOf<C extends Call> = C['output'] extends { extra: infer E } ? (E extends z.ZodType ? z.output<E> : undefined) : undefined

/** A JSON answer: `{response, message, data, meta?}`; `extra` stands beside them at the top level (lists: meta; login: the tokens). */
export const json = <D extends z.ZodType>(data: D) => ({ kind: 'json', data }) as const
export const jsonWith = <D extends z.ZodType, E extends z.ZodType>(data: D, extra: E) => ({ kind: 'json', data, extra }) as const
export const blob = (contentType: string) => ({ kind: 'blob', contentType }) as const

/** For calls whose answer is a message only. */
export const Nothing = z.null()

/** A text people type: no control characters, no lone surrogates, trimmed. */
export const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `Please use at most ${max} characters.`)
    .refine((value) => !hasForbiddenCharacters(value), 'Please remove control characters.')

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/

export function hasForbiddenCharacters(value: string): boolean {
  return FORBIDDEN.test(value) || !value.isWellFormed()
}

export const Id = z.uuid('This is not a valid id.')
export const ById = z.strictObject({ id: Id })
export const Flag01 = z.enum(['0', '1']).transform((value) => value === '1')

/** Query values arrive as texts. */
export const Whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
