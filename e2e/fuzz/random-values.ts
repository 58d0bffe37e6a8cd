import type { z } from 'zod'

/** Pseudorandom numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface Source {
  random: () => number
  /** Ids of records that exist. */
  ids: readonly string[]
  /** The id of a record that fits the call. */
  fitting?: string | undefined
  /** Values by field name without which most calls are rejected before they do anything. */
  likely: Readonly<Record<string, unknown>>
  /** Words that mean something to the product, such as names of columns, filters, actions and permissions. */
  words: readonly string[]
  /** How often a value is replaced by one of the wrong kind, from 0 to 1. */
  mistakes: number
}

export const pick = <T>(random: () => number, items: readonly [T, ...T[]] | readonly T[]): T =>
  items[Math.floor(random() * items.length)] as T // the lists are not empty

const TEXTS = [
  '',
  ' ',
  'a',
  'Main St',
  '100 Main St',
  'Los Angeles',
  '0',
  '1',
  '-1',
  '1.5',
  '1e309',
  'NaN',
  'true',
  'null',
  'with',
  'only',
  'all',

  '%',
  '_',
  "'",
  '"',
  '\\',
  ';--',
  '{}',
  '[]',
  '../../etc/passwd',
  '<b>x</b>',
  '=1+1',
  '\n',
  '\t',
  '\u0000',
  '\u202E',
  'İ',
  'ß',
  '🏭',
  '\uD800',
  '2026-01-01',
  '2026-02-30',
  '9999-12-31',
  '0000-00-00',
  '2026-01-01T00:00:00Z',
  'US',
  'CA',
  'USD',
  '90012',
  'a@example.test',
  'https://a.test/',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'x'.repeat(300),
  'x'.repeat(5_000),
  'ö'.repeat(256),
]
const NUMBERS = [0, 1, -1, 2, 15, 100, 0.5, 1.005, 9_999, 10_000, 2 ** 31, 2 ** 31 - 1, 2 ** 53, -(2 ** 53), 1e15, 1e21, 1e308, -0]
const OTHERS: readonly unknown[] = [null, true, false, [], {}, [null], [[]], { a: 1 }, [''], { __proto__: 1 }]

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000'

export function randomId({ random, ids, fitting, mistakes }: Source): string {
  if (fitting !== undefined && random() < 0.6) return fitting
  if (random() < mistakes) return pick(random, [UNKNOWN_ID, 'not-an-id', `${UNKNOWN_ID}0`, UNKNOWN_ID.slice(1), ...TEXTS])
  const id = random() < 0.05 || ids.length === 0 ? UNKNOWN_ID : pick(random, ids)
  return random() < 0.05 ? id.toUpperCase() : id
}

function randomText({ random, words }: Source): string {
  const chance = random()
  if (chance < 0.35) return pick(random, words)
  if (chance < 0.95) return pick(random, TEXTS)
  return String.fromCodePoint(...Array.from({ length: Math.floor(random() * 12) }, () => Math.floor(random() * 0xd7_ff)))
}

export const randomAnything = (source: Source): unknown =>
  pick(source.random, [randomText(source), randomId(source), pick(source.random, NUMBERS), pick(source.random, OTHERS)])

interface Definition {
  type: string
  format?: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  options?: readonly z.ZodType[]
  innerType?: z.ZodType
  in?: z.ZodType
  valueType?: z.ZodType
  keyType?: z.ZodType
  catchall?: z.ZodType
  entries?: Record<string, string>
  values?: readonly unknown[]
  coerce?: boolean
}
const definitionOf = (schema: z.ZodType): Definition => schema.def

/** A value for the schema, valid more often than not; undefined where the schema allows to leave it out. */
export function randomValue(schema: z.ZodType, source: Source, depth = 0): unknown {
  const { random, mistakes } = source
  if (random() < mistakes * 0.3) return randomAnything(source)
  const definition = definitionOf(schema)
  const inner = (next: z.ZodType | undefined) => (next === undefined ? randomAnything(source) : randomValue(next, source, depth + 1))
  switch (definition.type) {
    case 'object':
      return randomObject(definition, source, depth)
    case 'array':
      return Array.from({ length: pick(random, [0, 1, 1, 1, 2, 2, 3, 12]) }, () => inner(definition.element))
    case 'record':
      return Object.fromEntries(
        Array.from({ length: pick(random, [0, 1, 2]) }, () => [recordKey(inner(definition.keyType)), inner(definition.valueType)]),
      )
    case 'union':
      return inner(pick(random, definition.options ?? []))
    case 'optional':
    case 'default':
      return random() < 0.45 ? undefined : inner(definition.innerType)
    case 'nullable':
      return random() < 0.3 ? null : inner(definition.innerType)
    case 'pipe':
      return inner(definition.in)
    case 'string':
      return randomString(definition, source)
    case 'number':
      return definition.coerce === true && random() < 0.5
        ? String(pick(random, NUMBERS))
        : pick(random, [0, 1, 2, 3, pick(random, NUMBERS)])
    case 'boolean':
      return random() < 0.5
    case 'enum':
      return pick(random, Object.values(definition.entries ?? {}))
    case 'literal':
      return pick(random, definition.values ?? [])
    case 'null':
      return null
    default:
      return randomAnything(source)
  }
}

/** Values without which an address is rejected; random texts would hide everything behind that check. */
const LIKELY: Readonly<Record<string, unknown>> = {
  address: '12 Elm St',
  city: 'Dallas',
  state: 'TX',
  country: 'US',
  currency: 'USD',
  postal_code: '75201',
}

function fieldValue(name: string, field: z.ZodType, source: Source, depth: number): unknown {
  const values = { ...LIKELY, ...source.likely }
  const likely = Object.hasOwn(values, name) ? values[name] : undefined
  return likely !== undefined && source.random() < 0.8 ? likely : randomValue(field, source, depth + 1)
}

/** The fields of a body, also if its schema is refined or transformed; none if it is not an object. */
export function fieldsOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  const { in: inner, innerType, shape } = definitionOf(schema)
  const wrapped = inner ?? innerType
  return wrapped === undefined ? (shape ?? {}) : fieldsOf(wrapped)
}

const recordKey = (key: unknown): string => (typeof key === 'string' ? key : JSON.stringify(key))

function randomObject({ shape = {}, catchall }: Definition, source: Source, depth: number): Record<string, unknown> {
  const { random, mistakes, words } = source
  const fields = Object.entries(shape).map(([name, field]) => [name, fieldValue(name, field, source, depth)])
  const isOpen = catchall !== undefined && definitionOf(catchall).type !== 'never'
  const filters = isOpen ? words.filter((word) => word.startsWith('filter__')) : []
  const extra = Array.from({ length: filters.length > 0 && random() < 0.6 ? pick(random, [1, 2, 3]) : 0 }, () => [
    pick(random, filters),
    random() < 0.4 ? randomId(source) : randomText(source),
  ])
  const unknown = random() < mistakes * 0.2 ? [[randomText(source), randomAnything(source)]] : []
  return Object.fromEntries([...fields, ...extra, ...unknown].filter(([, value]) => value !== undefined))
}

function randomString({ format }: Definition, source: Source): string {
  const { random } = source
  switch (format) {
    case 'uuid':
      return randomId(source)
    case 'date':
      return pick(random, ['2026-01-01', '2024-02-29', '1900-01-01', '2999-12-31', '0001-01-01', '9999-12-31'])
    case 'email':
      return `fuzz${Math.floor(random() * 1e6)}@example.test`
    case 'url':
      return pick(random, ['https://example.com/', 'http://[::1]/', 'https://ünï.example/%00'])
    default:
      return random() < 0.3 ? pick(random, ['Alpha', 'Beta 2', 'Gamma']) : randomText(source)
  }
}
