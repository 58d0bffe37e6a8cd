import { accountRules } from '#server/access/accounts.ts'
import type { Status } from '#contract/accounts.ts'
import type { Context } from '#server/engines/context.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { forbidden, invalid } from '#server/kernel/errors.ts'
import { accountStatuses, findAccount } from './accounts.queries.ts'

/** Sets one of the account's own statuses; no order between them is enforced (S1 §4). */
export async function setAccountStatus(ctx: Context, accountId: string, statusId: string): Promise<Status> {
  return transact(ctx, async (tx) => {
    const account = await findAccount(tx, accountId)
    if (!accountRules(tx.viewer, account).update_status) throw forbidden()
    const status = (await accountStatuses(tx, account)).find(({ id }) => id === statusId)
    if (status === undefined) throw invalid({ status_id: ['This status does not belong to the account.'] })
    if (status.id !== account.status_id) {
      await tx.db.updateTable('accounts').set({ status_id: status.id }).where('id', '=', accountId).execute()
      const from = account.status_name ?? 'no status'
      await recordActivity(tx, {
        model: 'accounts',
        modelId: accountId,
        accountId,
        class: 'status',
        message: `{user} changed the status from ${from} to ${status.name}`,
      })
      emit(tx, { model: 'accounts', id: accountId, inAccount: accountId })
    }
    return status as Status // `state` is checked by the table
  })
}
