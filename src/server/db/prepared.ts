import { createHash } from 'node:crypto'
import type { Kysely, RawBuilder, Transaction } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import type { DB } from './schema.gen.ts'

/** Enough for every list with every order and filter in use. */
const STATEMENTS_MAX = 2_000

/** Names of prepared statements by their text. */
export type StatementNames = LRUCache<string, string>
export const createStatementNames = (): StatementNames => new LRUCache({ max: STATEMENTS_MAX })

interface Connections {
  db: Kysely<DB> | Transaction<DB>
  pool: Pool
  reader: Pool
  statementNames: StatementNames
}

/** A SHA-1 of the text: the same text has the same name, and PostgreSQL allows names of at most 63 bytes. */
function nameOf(names: StatementNames, text: string): string {
  const cached = names.get(text)
  if (cached !== undefined) return cached
  const name = createHash('sha1').update(text).digest('base64url')
  names.set(text, name)
  return name
}

/**
 * Runs a read-only statement outside any transaction. With `prepared` it is planned once per connection of the reader, for all values:
 * planning a search takes longer than running it.
 */
export async function runPrepared<T extends object>(
  { db, pool, reader, statementNames }: Connections,
  statement: RawBuilder<T>,
  prepared = true,
): Promise<T[]> {
  const { sql: text, parameters } = statement.compile(db)
  const values = [...parameters]
  const { rows } = await (prepared
    ? reader.query<T>({ name: nameOf(statementNames, text), text, values })
    : pool.query<T>({ text, values }))
  return rows
}
