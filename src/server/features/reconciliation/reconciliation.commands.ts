import { visibleAccounts } from '#server/access/accounts.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { notFound } from '#server/kernel/errors.ts'
import { enqueueReconciliation } from './reconcile.job.ts'
import type { RunStarter } from './run-reconciliation.ts'

/** Asks for a run after a change of the register, inside the change's own transaction; requests within 5 seconds become one run. */
export const requestReconciliation = (tx: WriteContext, accountId: string, startedBy: RunStarter): Promise<void> =>
  enqueueReconciliation(tx, accountId, startedBy)

/** The button: at once, for an account that the viewer sees. */
export async function reconcileNow(ctx: Context, accountId: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const account = await tx.db
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', accountId)
      .where('deleted_at', 'is', null)
      .where(visibleAccounts(tx.viewer))
      .executeTakeFirst()
    if (account === undefined) throw notFound('Account')
    await enqueueReconciliation(tx, account.id, 'button')
  })
}
