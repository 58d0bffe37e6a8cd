import { z } from 'zod'
import { formatNumber } from './format.ts'
import { DAY_MS } from './limits.ts'
import type { PermissionName } from './permissions.ts'

/** Who can make a call: users with a permission, signed-in users, or anyone. Required, so that no call is public by accident. */
export type Can = PermissionName | 'signed-in' | 'public'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** json: `data` in an envelope (docs/product.md, "API conventions"); blob: a file with its name in Content-Disposition. */
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
  /** Overrides BODY_MAX_BYTES. */
  bodyMaxBytes?: number
  /** Also allowed while the second factor is pending. */
  duringChallenge?: boolean
  /** Handled also if the token of the call is not valid; the viewer is anonymous then, and learns nothing but that. */
  afterSession?: true
  /** Also allowed during maintenance: what users need to sign in before it is known whether they can end it, and to sign out. */
  duringMaintenance?: true
  /** A call that needs no permission is closed to people who came in by an invitation or a link, unless this is set. */
  guests?: true
  /** A public call that also reads who is signed in, if anyone is. */
  knowsViewer?: true
  output: Output
  /** The call may also answer a file in place of its JSON. */
  mayAnswerFile?: true
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
export type DataOf<C extends Call> = C['output'] extends { data: infer D } ? (D extends z.ZodType ? z.output<D> : never) : never
/** What a handler returns; the output schema strips properties that it does not name. */
export type DataIn<C extends Call> = C['output'] extends { data: infer D } ? Sent<D> : never
export type ExtraOf<C extends Call> = C['output'] extends { extra: infer E } ? Parsed<E> : undefined

/** A JSON answer: `{response, message, data}`. `extra` adds properties at the top level, such as `meta` of lists or the tokens of a login. */
export const json = <D extends z.ZodType>(data: D) => ({ kind: 'json', data }) as const
export const jsonWith = <D extends z.ZodType, E extends z.ZodType>(data: D, extra: E) => ({ kind: 'json', data, extra }) as const
export const blob = (contentType: string) => ({ kind: 'blob', contentType }) as const

/** For calls that answer a message only. */
export const Nothing = z.null()

/**
 * Characters without a width or a meaning, and those that change the reading direction: two names with them look alike, and a file name
 * can lie about its extension. Two of them join or separate letters of scripts such as Arabic and Devanagari, and remain inside their words.
 * All of them remain inside emoji, which otherwise fall apart.
 */
const HIDDEN =
  /(\p{RGI_Emoji})|[[\p{Default_Ignorable_Code_Point}--[\u200C\u200D]]\u0080-\u0084\u0086-\u009F\u2800\uFDD0-\uFDEF\uFFF9-\uFFFB\uFFFE\uFFFF]/gv
const JOINER =
  /(\p{RGI_Emoji})|[\u200C\u200D](?:(?<!(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}][\u200C\u200D])|(?![\p{L}\p{M}]))/gv

/** The text without these, and with composed letters (NFC), so that equal texts are stored and found alike. */
export const withoutHiddenCharacters = (value: string): string =>
  value.replace(HIDDEN, onlyEmoji).replace(JOINER, onlyEmoji).normalize('NFC')

const onlyEmoji = (_found: string, emoji: string | undefined): string => emoji ?? ''

const LINE_BREAK = /\r\n?|[\u0085\u2028\u2029]/g

/** Trimmed text in one line without hidden characters; control characters and lone surrogates are errors. */
export const text = (max: number) => readable(max, (value) => value.replace(LINE_BREAK, '\n').replace(/[\n\t]+/g, ' '))

/** Like `text`, but with line breaks. */
export const paragraphs = (max: number) => readable(max, (value) => value.replace(LINE_BREAK, '\n'))

const readable = (max: number, withLines: (value: string) => string) =>
  z
    .string()
    .overwrite((value) => withLines(withoutHiddenCharacters(value)))
    .trim()
    .max(max, `Please use at most ${formatNumber(max)} characters.`)
    .refine((value) => !hasForbiddenCharacters(value), 'Please remove control characters.')

// oxlint-disable-next-line no-control-regex -- finds control characters
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/

export function hasForbiddenCharacters(value: string): boolean {
  return FORBIDDEN.test(value) || !value.isWellFormed()
}

/** In lower case, as PostgreSQL writes ids, so that ids can be compared as texts. */
export const Id = z.uuid('This is not a valid id.').toLowerCase()
export const ById = z.strictObject({ id: Id })

export type NamesIn<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never
export type ParamsFrom<P extends string, Parts> = Parts extends { params: z.ZodObject }
  ? unknown
  : [NamesIn<P>] extends [never]
    ? unknown
    : { readonly params: z.ZodObject<Record<NamesIn<P>, typeof Id>, z.core.$strict> }

/** Declares a call. The parameters in its path are ids, unless the parts contain a schema for them. */
export function call<
  const M extends Method,
  const P extends string,
  const C extends Can,
  const Parts extends Omit<Call, 'method' | 'path' | 'can' | 'summary'>,
>(method: M, path: P, can: C, summary: string, parts: Parts) {
  const ids = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, Id]))
  const params = Object.keys(ids).length === 0 ? {} : { params: z.strictObject(ids) }
  const withParams = { ...params, ...parts } as Parts & ParamsFrom<P, Parts> // the names in the path are the keys of `ids`
  return { method, path, can, summary, ...withParams }
}

/** The model of the path, which clients can repeat. A wrong one is a field error. */
export const repeatedModel = (model: string) => z.literal(model, `Please send ${model}, or leave it out.`).optional()

/** The schema of a body in which clients can repeat the model of the path, which is removed. */
export const repeating = <S extends z.ZodType>(model: string, schema: S): z.ZodType<z.output<S>, z.input<S>> => {
  const object = schema as unknown as z.ZodObject // the bodies of models are objects
  const repeated = object.extend({ model: repeatedModel(model) })
  return repeated.transform(({ model: _model, ...body }) => body) as unknown as z.ZodType<z.output<S>, z.input<S>> // without the model, the parsed body is that of the schema
}

/** Of an update: clients can send the changed fields as an object `fields`, next to the id and the version, as well as on their own. */
export const repeatingUpdate = <S extends z.ZodType>(model: string, schema: S): z.ZodType<z.output<S>, z.input<S>> => {
  const object = schema as unknown as z.ZodObject // the bodies of models are objects
  return repeating(model, object.extend({ fields: object.optional() }))
    .refine(({ fields, ...own }) => Object.keys(fields ?? {}).every((name) => !(name in own)), {
      path: ['fields'],
      error: 'Please send each field once, in fields or on its own.',
    })
    .transform(({ fields, ...own }) => ({ ...own, ...(fields as object | undefined) })) as unknown as z.ZodType<z.output<S>, z.input<S>> // merged, the parsed body is that of the schema
}

const EARLIEST_DAY = '1800-01-01'

/** Not in a year that the database cannot store, or that is a typing error. */
export const plausibleDay = (malformed: string) =>
  z.iso.date(malformed).refine((date) => date >= EARLIEST_DAY, 'Please enter a date after 1799.')

/** One day of tolerance, since the date of a user may be ahead of UTC. */
export function latestDay(yearsAhead: number): string {
  const day = new Date(Date.now() + DAY_MS)
  day.setUTCFullYear(day.getUTCFullYear() + yearsAhead)
  return day.toISOString().slice(0, 10)
}

/** A date from 1800 to this many years from now; `malformed` is the error for a text that is not a date. */
export const day = (malformed: string, yearsAhead: number) =>
  plausibleDay(malformed).refine(
    (date) => date <= latestDay(yearsAhead),
    yearsAhead === 0 ? 'Please enter a date that is not in the future.' : `Please enter a date at most ${yearsAhead} years from now.`,
  )

/** For values that clients can send in several places: none of them contradicts another. */
export const isSame = (...sent: readonly unknown[]): boolean => new Set(sent.filter((value) => value !== undefined)).size <= 1

export const Flag01 = z.enum(['0', '1']).transform((value) => value === '1')

/** The schema, or null; an empty text counts as null. */
export const orNull = <S extends z.ZodType>(schema: S) => z.union([z.literal('').transform(() => null), z.null(), schema])

/** Trimmed text, or null if there is none. */
export const textOrNull = (max: number) =>
  text(max)
    .nullable()
    .transform((value) => (value === '' ? null : value))

/** A whole number in a query, where all values are text. */
export const Whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
