import { z } from 'zod'
import { RECONCILE_DEBOUNCE_MS } from '#contract/limits.ts'
import { Id } from '#contract/route.ts'
import { defineJob, enqueue } from '#server/engines/jobs/define-job.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { RUN_STARTERS, runReconciliation, type RunStarter } from './run-reconciliation.ts'
import { NIL_UUID } from '#server/kernel/uuid.ts'

export const reconcileJob = defineJob({
  name: 'reconcile',
  input: z.object({ accountId: Id, startedBy: z.enum(RUN_STARTERS) }),
  run: (ctx, { accountId, startedBy }) => runReconciliation(ctx, accountId, startedBy),
})

/** One waiting run an account: what happens meanwhile is seen by it. */
export const enqueueReconciliation = (tx: WriteContext, accountId: string, startedBy: RunStarter) =>
  enqueue(
    tx,
    reconcileJob,
    { accountId, startedBy },
    { singletonKey: accountId, delayMs: startedBy === 'button' ? 0 : RECONCILE_DEBOUNCE_MS },
  )

const EVERY_NIGHT = '30 7 * * *'
const ACCOUNTS_A_TURN = 200

/** Values grow old and waivers end without anybody touching a property. Accounts go one part after the other, so a killed run goes on where it was. */
export const reconcileNightlyJob = defineJob({
  name: 'reconcile-nightly',
  input: z.object({}),
  schedule: EVERY_NIGHT,
  async run(ctx, _input, { signal }) {
    let last = NIL_UUID
    for (;;) {
      if (signal.aborted) throw new Error('Stopped before all accounts were asked for; the next try goes on.')
      const accounts = await transact(ctx, async (tx) => {
        const rows = await tx.db
          .selectFrom('accounts as a')
          .innerJoin('account_totals as t', 't.account_id', 'a.id')
          .select('a.id')
          .where('a.deleted_at', 'is', null)
          .where('t.active_properties', '>', 0)
          .where('a.id', '>', last)
          .orderBy('a.id')
          .limit(ACCOUNTS_A_TURN)
          .execute()
        for (const { id } of rows) await enqueueReconciliation(tx, id, 'nightly')
        return rows
      })
      const end = accounts.at(-1)
      if (end === undefined) return
      last = end.id
    }
  },
})

export const reconciliationJobs = [reconcileJob, reconcileNightlyJob]
