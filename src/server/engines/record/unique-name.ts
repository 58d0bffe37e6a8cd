import { sql, type Expression, type SqlBool } from 'kysely'
import { TRUE } from '#server/access/scope.ts'
import type { WriteContext } from '../context.ts'

interface NamedRecords {
  table: string
  column: string
  /** The records among which a name is unique; all of the table unless given. */
  within?: Expression<SqlBool>
  /** The record that is saved. */
  id?: string | undefined
  /** Trashed records that are restored together and count as live. */
  restoring?: readonly string[]
}

/**
 * Whether another live record has this name, ignoring case and surrounding spaces. Names stored earlier may repeat, so no unique index
 * can enforce this; a lock until the end of the transaction makes concurrent saves wait for each other instead.
 */
export async function isNameTaken(
  tx: WriteContext,
  name: string,
  { table, column, within = TRUE, id, restoring = [] }: NamedRecords,
): Promise<boolean> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`names of ${table}`}, 0))`.execute(tx.db)
  const { rows } = await sql`SELECT 1 FROM ${sql.table(table)}
    WHERE lower(btrim(${sql.ref(`${table}.${column}`)})) = lower(btrim(${name})) AND (deleted_at IS NULL OR id = ANY(${[...restoring]}::uuid[]))
      AND id IS DISTINCT FROM ${id ?? null}::uuid AND ${within} LIMIT 1`.execute(tx.db)
  return rows.length > 0
}
