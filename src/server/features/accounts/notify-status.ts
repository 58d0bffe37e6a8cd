import type { Status } from '#contract/statuses.ts'
import { viewerName } from '#server/access/viewer.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { notify } from '#server/engines/notification/notify.ts'
import { providerStaff, responsibleFor } from '#server/engines/notification/recipients.ts'
import type { AccountRecord } from './accounts.queries.ts'

/** Notifies of a new status: the provider's staff of a managed account that is handed over, its owner when it is ready, otherwise owner and broker. */
export async function notifyStatus(
  tx: WriteContext,
  account: AccountRecord,
  { name, state }: Pick<Status, 'name' | 'state'>,
): Promise<void> {
  const actor = viewerName(tx.viewer, tx.config.product.name)
  const accountId = account.id
  if (state === 'processing' && account.status_state === 'uploading')
    await notify(tx, await providerStaff(tx.db), {
      kind: 'managed_requested',
      accountId,
      message: `${actor} asks for the setup of ${account.name}.`,
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

/** A state is saved with the account; other statuses have a call of their own. */
export async function notifyState(tx: WriteContext, account: AccountRecord, state: string | undefined): Promise<void> {
  const status = account.statuses.find((offered) => offered.state === state)
  if (status !== undefined && state !== account.status_state) await notifyStatus(tx, account, status)
}
