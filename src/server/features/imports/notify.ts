import { sql } from 'kysely'
import type { WriteContext } from '#server/engines/context.ts'
import type { ImportRecord } from './import-record.ts'

/** Tells the importer and the person who made the account. */
export async function raiseNotifications(
  tx: WriteContext,
  record: ImportRecord,
  type: 'properties_imported' | 'import_undone' | 'import_failed',
  message: string,
): Promise<void> {
  const link = JSON.stringify({ model: 'accounts', model_id: record.account_id, child: 'import' })
  await sql`INSERT INTO notifications (user_id, type, icon, message, link)
    SELECT DISTINCT u.id, ${type}, 'upload', ${message}, ${link}::jsonb FROM users u
      WHERE u.deleted_at IS NULL AND (u.id = ${record.created_by} OR u.id = (SELECT created_by FROM accounts WHERE id = ${record.account_id}))`.execute(
    tx.db,
  )
}
