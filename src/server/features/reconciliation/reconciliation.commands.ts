import { z } from 'zod'
import { RECONCILE_DEBOUNCE_MS } from '#contract/limits.ts'
import { Id } from '#contract/route.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { defineJob, enqueue } from '#server/engines/jobs/define-job.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { NIL_UUID } from '#server/kernel/uuid.ts'
import { RUN_STARTERS, runReconciliation, type RunStarter } from './run-reconciliation.ts'

export const reconcileJob = defineJob({
  name: 'reconcile',
  input: z.object({ accountId: Id, startedBy: z.enum(RUN_STARTERS) }),
  run: (ctx, { accountId, startedBy }) => runReconciliation(ctx, accountId, startedBy),
})

/** Queues a run in the transaction of a change. Requests within 5 seconds become one run per account. */
export const requestReconciliation = (tx: WriteContext, accountId: string, startedBy: RunStarter): Promise<void> =>
  enqueue(
    tx,
    reconcileJob,
    { accountId, startedBy },
    { singletonKey: accountId, delayMs: startedBy === 'button' ? 0 : RECONCILE_DEBOUNCE_MS },
  )

/** Queues a run without delay, for the button. */
export async function reconcileNow(ctx: Context, accountId: string): Promise<void> {
  await transact(ctx, async (tx) => {
    await requireVisibleAccount(tx.db, tx.viewer, accountId)
    await requestReconciliation(tx, accountId, 'button')
  })
}

const EVERY_NIGHT = '30 7 * * *'
const BATCH = 200

/** Values become outdated and waivers expire without a change to a property. Each batch is committed, so a killed run loses nothing. */
export const reconcileNightlyJob = defineJob({
  name: 'reconcile-nightly',
  input: z.object({}),
  schedule: EVERY_NIGHT,
  async run(ctx, _input, { signal }) {
    let last: string | undefined = NIL_UUID
    while (last !== undefined) {
      if (signal.aborted) throw new Error('Stopped before all accounts were queued; the next try queues the rest.')
      last = await requestBatch(ctx, last)
    }
  },
})

/** Queues runs of the accounts after this id and returns the last id; undefined if there are no more. */
const requestBatch = (ctx: Context, after: string): Promise<string | undefined> =>
  transact(ctx, async (tx) => {
    const accounts = await tx.db
      .selectFrom('accounts as a')
      .innerJoin('account_totals as t', 't.account_id', 'a.id')
      .select('a.id')
      .where('a.deleted_at', 'is', null)
      .where('t.active_properties', '>', 0)
      .where('a.id', '>', after)
      .orderBy('a.id')
      .limit(BATCH)
      .execute()
    for (const { id } of accounts) await requestReconciliation(tx, id, 'nightly')
    return accounts.at(-1)?.id
  })

export const reconciliationJobs = [reconcileJob, reconcileNightlyJob]
