import type { WriteContext } from '#server/engines/context.ts'
import type { NotificationKind } from '#contract/notifications.ts'
import { notify } from '#server/engines/notification/notify.ts'
import { responsibleFor } from '#server/engines/notification/recipients.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { requestReconciliation } from '#server/features/reconciliation/reconciliation.commands.ts'
import type { ImportRecord } from './imports.queries.ts'

type NotificationType = Extract<NotificationKind, 'properties_imported' | 'import_undone' | 'import_failed'>

/** Notifies the user who started the import, unless they undo it themselves, and the user who created the account. */
export async function notifyImporter(tx: WriteContext, record: ImportRecord, type: NotificationType, message: string): Promise<void> {
  const { owner } = await responsibleFor(tx.db, record.account_id)
  await notify(tx, [record.created_by, owner], {
    kind: type,
    accountId: record.account_id,
    subject: { model: 'imports', id: record.id },
    child: { model: 'imports', model_id: record.id },
    message,
    withActor: type !== 'import_undone',
  })
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
