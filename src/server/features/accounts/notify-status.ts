import type { Status } from '#contract/statuses.ts'
import { viewerName } from '#server/access/viewer.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { notify } from '#server/engines/notification/notify.ts'
import { providerStaff, responsibleFor } from '#server/engines/notification/recipients.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import type { AccountRecord } from './accounts.queries.ts'
import { statusOfState } from './collection.ts'

/** Notifies of a new status: the provider's staff of a managed account that is handed over, its owner when it is ready, otherwise owner and broker. */
async function notifyStatus(
  tx: WriteContext,
  account: AccountRecord,
  { name, state }: Pick<Status, 'name' | 'state'>,
  by: 'request' | 'upload' = 'request',
): Promise<void> {
  const actor = viewerName(tx.viewer, tx.config.product.name)
  const accountId = account.id
  if (state === 'processing' && account.status_state === 'uploading')
    await notify(tx, await providerStaff(tx.db), {
      accountId,
      ...(by === 'upload'
        ? { kind: 'managed_uploaded', message: `The documents of ${account.name} have arrived and wait to be organized.` }
        : { kind: 'managed_requested', message: `${actor} asks for the setup of ${account.name}.` }),
    })
  const { owner, brokers } = await responsibleFor(tx.db, accountId)
  const isReady = account.type === 'managed' && state === 'active'
  if (isReady) return notify(tx, [owner], { kind: 'managed_ready', accountId, message: `${account.name} is ready.` })
  await notify(tx, [owner, ...brokers], {
    kind: 'account_status',
    accountId,
    message: `${actor} changed the status of ${account.name} from ${account.status_name ?? 'no status'} to ${name}.`,
  })
}

/** Stores a status of the account, with its activity and notifications. */
export async function changeStatus(tx: WriteContext, account: AccountRecord, status: Status, by?: 'request' | 'upload'): Promise<void> {
  const { id: accountId } = account
  await tx.db.updateTable('accounts').set({ status_id: status.id }).where('id', '=', accountId).execute()
  const message = `{user} changed the status from ${account.status_name ?? 'no status'} to ${status.name}`
  await recordActivity(tx, { model: 'accounts', modelId: accountId, accountId, class: 'status', message })
  emit(tx, { model: 'accounts', id: accountId, inAccount: accountId })
  await notifyStatus(tx, account, status, by)
}

/** A state is saved with the account; other statuses have a call of their own. */
export async function notifyState(tx: WriteContext, account: AccountRecord, state: string | undefined): Promise<void> {
  const status = state === undefined ? undefined : statusOfState(account, state)
  if (status !== undefined && state !== account.status_state) await notifyStatus(tx, account, status)
}
