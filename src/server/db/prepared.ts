import { createHash } from 'node:crypto'
import type { Kysely, RawBuilder, Transaction } from 'kysely'
import type { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import type { DB } from './schema.gen.ts'

interface Connections {
  db: Kysely<DB> | Transaction<DB>
  pool: Pool
  reader: Pool
  /** Names of prepared statements by their text. */
  statementNames: LRUCache<string, string>
}

/** Runs a read-only statement outside any transaction. A prepared one is planned once per connection, because planning takes long. */
export async function runPrepared<T extends object>(
  { db, pool, reader, statementNames }: Connections,
  statement: RawBuilder<T>,
  prepared = true,
): Promise<T[]> {
  const { sql: text, parameters } = statement.compile(db)
  const values = [...parameters]
  if (!prepared) return (await pool.query<T>({ text, values })).rows
  // The same text has the same name, and PostgreSQL allows names of at most 63 bytes.
  const name = statementNames.get(text) ?? createHash('sha1').update(text).digest('base64url')
  if (!statementNames.has(text)) statementNames.set(text, name)
  return (await reader.query<T>({ name, text, values })).rows
}
