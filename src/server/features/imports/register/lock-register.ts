import { sql } from 'kysely'
import type { WriteContext } from '#server/engines/context.ts'
import type { ImportRecord } from '#server/features/imports/import-record.ts'

/**
 * Keeps everybody else from the register of an account until the transaction ends, and answers its version. The order is that of a
 * single edit (property, totals, account), so that an edit and an import wait for each other and never crosswise.
 */
export async function lockRegister(tx: WriteContext, { account_id }: ImportRecord): Promise<number> {
  await sql`SELECT id FROM account_properties WHERE account_id = ${account_id} ORDER BY id FOR NO KEY UPDATE`.execute(tx.db)
  await sql`SELECT account_id FROM account_totals WHERE account_id = ${account_id} FOR NO KEY UPDATE`.execute(tx.db)
  const { rows } = await sql<{
    register_version: number
  }>`SELECT register_version FROM accounts WHERE id = ${account_id} FOR NO KEY UPDATE`.execute(tx.db)
  return rows[0]?.register_version ?? 0
}
