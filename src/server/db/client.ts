import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '#server/kernel/log.ts'
import type { DB } from './schema.gen.ts'

export type Database = Kysely<DB>

interface OpenOptions {
  log?: Log
  /** Connections at most; each costs the server a process. */
  max?: number
  applicationName?: string
  /** One plan a named statement and connection, for whatever values: what lists ask again and again. */
  keepPlans?: boolean
}

interface OpenDatabase {
  db: Database
  /** For what Kysely does not speak: LISTEN, COPY, named prepared statements. */
  pool: pg.Pool
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>
}

const { INT8, NUMERIC, DATE, INT8_ARRAY, NUMERIC_ARRAY, DATE_ARRAY } = {
  INT8: 20,
  NUMERIC: 1700,
  DATE: 1082,
  INT8_ARRAY: 1016,
  NUMERIC_ARRAY: 1231,
  DATE_ARRAY: 1182,
}

/** An item of an array literal of numbers or dates is never quoted. */
const parseArray =
  <T>(parseItem: (text: string) => T) =>
  (literal: string): (T | null)[] =>
    literal === '{}'
      ? []
      : literal
          .slice(1, -1)
          .split(',')
          .map((item) => (item === 'NULL' ? null : parseItem(item)))

const asText = (text: string) => text

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [INT8, Number],
  [NUMERIC, Number],
  [DATE, asText],
  [INT8_ARRAY, parseArray(Number)],
  [NUMERIC_ARRAY, parseArray(Number)],
  [DATE_ARRAY, parseArray(asText)],
])

/** Numbers arrive as numbers, a date as 'YYYY-MM-DD', a timestamptz as Date; the rest as the driver has it. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (format === 'binary' ? undefined : PARSERS.get(oid)) ?? pg.types.getTypeParser(oid, format),
}

/** A pool whose broken connections never end the process, and whose close waits until the server has seen every goodbye. */
export function openPool(url: string, { log, max = 10, applicationName = 'plumbline', keepPlans = false }: OpenOptions = {}) {
  const options = keepPlans ? { options: '-c plan_cache_mode=force_generic_plan' } : {}
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    types,
    connectionTimeoutMillis: 10_000,
    ...options,
  })
  const connected = new Set<pg.PoolClient>()
  let closing = false
  const report = (error: Error) => {
    if (!closing) log?.warn({ err: error }, 'A database connection broke')
  }
  pool.on('error', report)
  pool.on('connect', (client) => {
    connected.add(client)
    client.once('end', () => connected.delete(client))
    // The pool listens only while a connection is idle; one that breaks between two queries of a transaction would end the process.
    client.on('error', () => {})
  })
  const close = async () => {
    closing = true
    const goodbyes = [...connected].map((client) => new Promise((resolve) => client.once('end', resolve)))
    await pool.end()
    await Promise.all(goodbyes)
  }
  return { pool, close }
}

/**
 * Opens a pool of connections (10 unless told) to any PostgreSQL. Nothing is connected before the first query.
 * bigint and numeric arrive as numbers: exact to 2^53, enough for cents and for ids.
 */
export function openDatabase(url: string, options: OpenOptions = {}): OpenDatabase {
  const { pool, close } = openPool(url, options)
  return { db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }), pool, close }
}
