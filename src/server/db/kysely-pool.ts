import { createHash } from 'node:crypto'
import { CompiledQuery, type PostgresPool, type PostgresPoolClient, type Transaction } from 'kysely'
import type { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { runBatch, type Answer, type NamedStatement } from './statement-batch.ts'

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
const WITH_NEXT = 'with next'
const statement = (text: string): NamedStatement => ({ name: text, text, values: [] })
const BEGIN = statement('BEGIN')
const COMMIT = statement('COMMIT')
/** Set by the trigger function announce_rights. */
const RIGHTS_CHANGED = {
  name: 'rights changed',
  text: `SELECT current_setting('plumbline.rights_changed', true) AS rights_changed`,
  values: [],
}

/** For the statement of `runAtCommit`: its locks are not held while the disk writes. */
const COMMIT_WITHOUT_WAIT = statement('SET LOCAL synchronous_commit = off')
/** Commits a message without meaning, which returns when all earlier commits are on the disk. Those of other connections share the write. */
const WAIT_FOR_DISK = { name: 'wait for disk', text: `SELECT pg_logical_emit_message(true, 'plumbline', '')`, values: [] }

/**
 * Runs the statement in the round trip of COMMIT, so that the locks it takes are held neither while the process is busy nor while the disk
 * writes: the commit is visible to others at once, and the caller continues when it is on the disk. The statement must return a column
 * `rights_changed` with that setting.
 */
export async function runAtCommit<DB>(trx: Transaction<DB>, { sql: text, parameters }: CompiledQuery): Promise<void> {
  await trx.executeQuery(CompiledQuery.raw(AT_COMMIT, [text, parameters]))
}

/** Runs the statement in the round trip of the next one, which fails if this one does. */
export async function runWithNext<DB>(trx: Transaction<DB>, { sql: text, parameters }: CompiledQuery): Promise<void> {
  await trx.executeQuery(CompiledQuery.raw(WITH_NEXT, [text, parameters]))
}

const hashedName = (text: string) => createHash('sha1').update(text).digest('base64url')

/** The name of the prepared statement with this text. PostgreSQL allows names of at most 63 bytes. */
export function statementName(names: StatementNames, text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = hashedName(text)
  names.set(text, name)
  return name
}

/**
 * The pool as Kysely sees it, for prepared statements in transactions, and for statements that share a round trip: BEGIN with the first
 * one, COMMIT with those of `runAtCommit` and `runWithNext`.
 */
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
  let waiting: NamedStatement[] = []
  let last: NamedStatement | undefined
  const send = (...statements: NamedStatement[]) => {
    const all = [...waiting, ...statements]
    waiting = []
    return runBatch(client, all)
  }
  const named = (values: readonly unknown[]): NamedStatement => {
    const [text, parameters] = values as [string, readonly unknown[]] // of runAtCommit and runWithNext
    return { name: hashedName(text), text, values: parameters }
  }
  const commit = async (): Promise<Answer> => {
    const publishing = last ?? RIGHTS_CHANGED
    const rest = last === undefined ? [COMMIT] : [COMMIT_WITHOUT_WAIT, COMMIT, WAIT_FOR_DISK]
    last = undefined
    try {
      const answers = await send(publishing, ...rest)
      const answer: CommitAnswer | undefined = answers[answers.length - rest.length - 1] // of `publishing`
      const changed = answer?.rows[0]?.rights_changed ?? ''
      if (changed !== '') onRightsChanged?.(changed === ALL ? undefined : changed.split(','))
      return NOTHING
    } catch (error) {
      // A lost connection can hide a commit that succeeded.
      onRightsChanged?.(undefined)
      throw error
    }
  }
  const rollback = async () => {
    const isBegun = !waiting.includes(BEGIN)
    waiting = []
    last = undefined
    return isBegun ? client.query('rollback') : NOTHING
  }
  const query = async (text: string, values: unknown[]) => {
    if (text === 'commit') return commit()
    if (text === 'rollback') return rollback()
    const name = statementNames?.get(text)
    if (name !== undefined) return (await send({ name, text, values })).at(-1)
    if (text === 'begin') waiting = [BEGIN]
    else if (text === WITH_NEXT) waiting.push(named(values))
    else if (text === AT_COMMIT) last = named(values)
    else {
      if (waiting.length > 0) await send()
      return client.query(text, values)
    }
    return NOTHING
  }
  return {
    query: query as unknown as PostgresPoolClient['query'], // Kysely passes a cursor only to `stream`, which the product does not use
    release: (destroy) => client.release(destroy),
  }
}

const NOTHING: Answer = { command: 'SELECT', rowCount: 0, rows: [] }
type CommitAnswer = Answer<{ rights_changed?: string | null }>
