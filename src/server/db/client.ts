import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '#server/kernel/log.ts'
import type { DB } from './schema.gen.ts'

export type Database = Kysely<DB>

interface OpenOptions {
  log?: Log
  /** Maximum number of connections; each is a process on the database server. */
  max?: number
  applicationName?: string
  /** Plan each named statement once per connection, for all values. For frequent list queries. */
  genericPlans?: boolean
}

interface OpenDatabase {
  db: Database
  /** For what Kysely lacks: LISTEN, COPY, named prepared statements. */
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

/** For numbers and dates, which are never quoted in an array literal. */
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

/** A date is 'YYYY-MM-DD', a timestamptz is a Date. bigint and numeric are numbers: exact to 2^53, enough for cents and ids. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (format === 'binary' ? undefined : PARSERS.get(oid)) ?? pg.types.getTypeParser(oid, format),
}

/** A pool of connections. A broken connection does not end the process, and `close` waits until all connections are closed. */
export function openPool(url: string, { log, max = 10, applicationName = 'plumbline', genericPlans = false }: OpenOptions = {}) {
  const options = genericPlans ? { options: '-c plan_cache_mode=force_generic_plan' } : {}
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
    // The pool handles errors of idle connections only; an error between two queries of a transaction would end the process.
    client.on('error', () => {})
  })
  const close = async () => {
    closing = true
    const ended = [...connected].map((client) => new Promise((resolve) => client.once('end', resolve)))
    await pool.end()
    await Promise.all(ended)
  }
  return { pool, close }
}

/** A pool with Kysely. Connects at the first query. */
export function openDatabase(url: string, options: OpenOptions = {}): OpenDatabase {
  const { pool, close } = openPool(url, options)
  return { db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }), pool, close }
}
