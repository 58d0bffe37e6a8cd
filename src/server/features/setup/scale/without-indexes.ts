import { sql } from 'kysely'
import type { WriteContext } from '#server/engines/context.ts'

interface Definition {
  name: string
  definition: string
}

/**
 * Drops the tables' indexes that no key needs, does the work and builds them again: one sort each instead of a descent a row.
 * The tables are locked until the transaction ends.
 */
export async function withoutIndexes(tx: WriteContext, tables: readonly string[], work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<Definition>`SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = ANY(${tables}::regclass[]) AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)`.execute(
    tx.db,
  )
  await sql`SET LOCAL maintenance_work_mem = '512MB'`.execute(tx.db)
  for (const { name } of rows) await sql`DROP INDEX ${sql.ref(name)}`.execute(tx.db)
  await work()
  for (const { definition } of rows) await sql.raw(definition).execute(tx.db)
}
