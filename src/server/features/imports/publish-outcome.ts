import { sql } from 'kysely'
import type { WriteContext } from '#server/engines/context.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { requestReconciliation } from '#server/features/reconciliation/reconciliation.commands.ts'
import type { ImportRecord } from './imports.queries.ts'

type NotificationType = 'properties_imported' | 'import_undone' | 'import_failed'

/** Notifies the user who started the import and the user who created the account. */
export async function notifyImporter(tx: WriteContext, record: ImportRecord, type: NotificationType, message: string): Promise<void> {
  const link = JSON.stringify({ model: 'accounts', model_id: record.account_id, child: { model: 'imports', model_id: record.id } })
  await sql`INSERT INTO notifications (user_id, type, icon, message, link)
    SELECT DISTINCT u.id, ${type}, 'upload', ${message}, ${link}::jsonb FROM users u
      WHERE u.deleted_at IS NULL AND (u.id = ${record.created_by} OR u.id = (SELECT created_by FROM accounts WHERE id = ${record.account_id}))`.execute(
    tx.db,
  )
}

/** `activity` is for the log, in which `{user}` is replaced. */
type RegisterChange = { type: NotificationType; activity: string; notification: string }

/** Everything that follows a change of the register by an import: activity, notification, refreshed lists, and a run of the checks. */
export async function publishRegisterChange(
  tx: WriteContext,
  record: ImportRecord,
  { type, activity, notification }: RegisterChange,
): Promise<void> {
  const { account_id: accountId, file_id } = record
  await recordActivity(tx, {
    model: 'accounts',
    modelId: accountId,
    accountId,
    class: 'imported',
    message: activity,
    ...(file_id === null ? {} : { fileIds: [file_id] }),
  })
  await notifyImporter(tx, record, type, notification)
  emit(tx, { model: 'account_properties', id: null, inAccount: accountId })
  await requestReconciliation(tx, accountId, 'import')
}
