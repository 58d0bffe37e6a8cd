import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '#server/kernel/log.ts'
import type { Config } from '#server/kernel/config.ts'
import { kyselyPool, type CommitOptions } from './kysely-pool.ts'
import type { DB } from './schema.gen.ts'
import { types } from './statement-batch.ts'

interface OpenOptions {
  log?: Log
  /** Maximum number of connections; each is a process on the database server. */
  max?: number
  applicationName?: string
  /** Plan each named statement once per connection, for all values. For frequent list queries. */
  genericPlans?: boolean
  limits?: TimeLimits
}

/** After these times PostgreSQL ends a statement, or one that waits for a lock; a request gets a connection or an error within the last. */
export interface TimeLimits {
  statementMs: number
  lockMs: number
  connectMs: number
}

export const REQUEST_LIMITS: TimeLimits = { statementMs: 15_000, lockMs: 5_000, connectMs: 5_000 }
/** A job writes whole imports, and can wait: it is repeated after an error. */
export const JOB_LIMITS: TimeLimits = { statementMs: 10 * 60_000, lockMs: 30_000, connectMs: 10_000 }
/** A migration waits for those of another process that starts at the same time. */
export const MIGRATION_LIMITS: TimeLimits = { statementMs: 60 * 60_000, lockMs: 60_000, connectMs: 10_000 }

/** For a connection of a pool with the limits of requests, which does the work of a job. */
export const setLimits = ({ statementMs, lockMs }: TimeLimits, scope: 'LOCAL' | 'SESSION'): string =>
  `SET ${scope} statement_timeout = ${statementMs}; SET ${scope} lock_timeout = ${lockMs}`

/** A pool of connections. A broken connection does not end the process, and `close` waits until all connections are closed. */
export function openPool(
  url: string,
  { log, max = 10, applicationName = 'plumbline', genericPlans = false, limits = REQUEST_LIMITS }: OpenOptions = {},
) {
  const options = genericPlans ? { options: '-c plan_cache_mode=force_generic_plan' } : {}
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    types,
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
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

/** A pool with Kysely; the pool itself is for what Kysely lacks: LISTEN, COPY, named statements. Connects at the first query. */
export function openDatabase(url: string, options: OpenOptions & CommitOptions = {}) {
  const { pool, close } = openPool(url, options)
  return { db: new Kysely<DB>({ dialect: new PostgresDialect({ pool: kyselyPool(pool, options) }) }), pool, close }
}

/** The database of DATABASE_URL, or the embedded one, which is started. Errors are for the user. */
export async function openDatabaseServer(config: Pick<Config, 'databaseUrl' | 'databaseOwnerUrl' | 'dataDir'>, log: Log) {
  if (config.databaseUrl !== undefined) {
    const { databaseUrl: url, databaseOwnerUrl: ownerUrl } = config
    await checkConnection(url, 'DATABASE_URL')
    if (ownerUrl !== undefined) await checkConnection(ownerUrl, 'DATABASE_OWNER_URL')
    return { url, ownerUrl, stop: async () => undefined }
  }
  const { startEmbedded } = await import('./embedded.ts')
  return startEmbedded({ dataDir: config.dataDir, log })
}

async function checkConnection(url: string, variable: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The database of ${variable} cannot be reached (${reason}). Check that it is running and that the URL is right.`, {
      cause: error,
    })
  } finally {
    // Fails if there was no connection, which is reported above.
    await client.end().catch(() => undefined)
  }
}
