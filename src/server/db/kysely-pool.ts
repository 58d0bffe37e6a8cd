import { createHash } from 'node:crypto'
import { CompiledQuery, type PostgresPool, type PostgresPoolClient, type PostgresQueryResult, type Transaction } from 'kysely'
import type { LRUCache } from 'lru-cache'
import type pg from 'pg'

/** Names of prepared statements by their text. */
export type StatementNames = LRUCache<string, string>

export interface CommitOptions {
  /** Statements named here are prepared in transactions, too. */
  statementNames?: StatementNames
  /** After a commit that changed sessions or rights of these users and companies, or of all of them (undefined). */
  onRightsChanged?: (principals: readonly string[] | undefined) => void
}

const ALL = '*'
const AT_COMMIT = 'at commit'
/** Set by the trigger function announce_rights. */
const RIGHTS_CHANGED = `SELECT current_setting('plumbline.rights_changed', true) AS rights_changed`

/** For the statement of `runAtCommit`: its locks are not held while the disk writes. */
const COMMIT_WITHOUT_WAIT = 'SET LOCAL synchronous_commit = off'
/** Commits a message without meaning, which returns when all earlier commits are on the disk. Those of other connections share the write. */
const WAIT_FOR_DISK = `SELECT pg_logical_emit_message(true, 'plumbline', '')`

/**
 * Runs the statement in the round trip of COMMIT, so that the locks it takes are held neither while the process is busy nor while the disk
 * writes: the commit is visible to others at once, and the caller continues when it is on the disk. The statement must return a column
 * `rights_changed` with that setting.
 */
export async function runAtCommit<DB>(trx: Transaction<DB>, statement: string): Promise<void> {
  await trx.executeQuery(CompiledQuery.raw(AT_COMMIT, [statement]))
}

/** The name of the prepared statement with this text. PostgreSQL allows names of at most 63 bytes. */
export function statementName(names: StatementNames, text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = createHash('sha1').update(text).digest('base64url')
  names.set(text, name)
  return name
}

/** The pool as Kysely sees it, for prepared statements in transactions and `runAtCommit`. */
export function kyselyPool(pool: pg.Pool, options: CommitOptions): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect()
      const known = clients.get(client) ?? kyselyClient(client, options)
      clients.set(client, known)
      return known
    },
  }
}

function kyselyClient(client: pg.PoolClient, { statementNames, onRightsChanged }: CommitOptions): PostgresPoolClient {
  let last: string | undefined
  const commit = async () => {
    const text = last === undefined ? `${RIGHTS_CHANGED}; COMMIT` : `${last}; ${COMMIT_WITHOUT_WAIT}; COMMIT; ${WAIT_FOR_DISK}`
    last = undefined
    try {
      const [first] = (await client.query(text)) as unknown as CommitResult[] // an array for several statements
      const changed = first?.rows[0]?.rights_changed ?? ''
      if (changed !== '') onRightsChanged?.(changed === ALL ? undefined : changed.split(','))
      return first
    } catch (error) {
      // A lost connection can hide a commit that succeeded.
      onRightsChanged?.(undefined)
      throw error
    }
  }
  const query = (text: string, values: unknown[]) => {
    if (text === 'begin' || text === 'rollback') last = undefined
    if (text === 'commit') return commit()
    if (text === AT_COMMIT) {
      last = String(values[0])
      return Promise.resolve({ command: 'SELECT', rowCount: 0, rows: [] })
    }
    const name = statementNames?.get(text)
    return name === undefined ? client.query(text, values) : client.query({ name, text, values })
  }
  return {
    query: query as unknown as PostgresPoolClient['query'], // Kysely passes a cursor only to `stream`, which the product does not use
    release: (destroy) => client.release(destroy),
  }
}

type CommitResult = PostgresQueryResult<{ rights_changed?: string | null }>
