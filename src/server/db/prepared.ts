import type { Kysely, RawBuilder, Transaction } from 'kysely'
import type { Pool } from 'pg'
import { statementName, type StatementNames } from './kysely-pool.ts'
import type { DB } from './schema.gen.ts'
import { runBatch } from './statement-batch.ts'

interface Connections {
  db: Kysely<DB> | Transaction<DB>
  pool: Pool
  reader: Pool
  statementNames: StatementNames
}

/**
 * Runs a statement, in the transaction if `db` is one; outside, only a read-only one. A prepared one is planned once per connection,
 * because planning takes long.
 */
export async function runPrepared<T extends object>(
  { db, pool, reader, statementNames }: Connections,
  statement: RawBuilder<T>,
  prepared = true,
): Promise<T[]> {
  const compiled = statement.compile(db)
  const { sql: text, parameters } = compiled
  const name = prepared ? statementName(statementNames, text) : undefined
  if (db.isTransaction) return (await db.executeQuery(compiled)).rows
  const values = [...parameters]
  if (name === undefined) return (await pool.query<T>({ text, values })).rows
  const client = await reader.connect()
  try {
    const [answer] = await runBatch(client, [{ name, text, values }])
    return (answer?.rows ?? []) as T[] // by the statement
  } finally {
    client.release()
  }
}
