import { sql } from 'kysely'
import { z } from 'zod'
import { HAND_OVER_MS } from '#contract/managed.ts'
import { Id } from '#contract/route.ts'
import { accountRules } from '#server/access/accounts.ts'
import { can } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { defineJob, enqueue, type Job } from '#server/engines/jobs/define-job.ts'
import { findRecord, lockRecords } from '#server/engines/record/save-record.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden } from '#server/kernel/errors.ts'
import type { AccountRecord } from './accounts.queries.ts'
import { accountRecord } from './accounts.record.ts'
import { isCollecting, requireDocuments, statusOfState } from './collection.ts'
import { changeStatus } from './notify-status.ts'

/** Hands the documents of a managed account over for setup, for people who upload but cannot change the account. */
export const handOver = (ctx: Context, accountId: string): Promise<void> =>
  transact(ctx, async (tx) => {
    await lockRecords(tx, 'accounts', [accountId])
    const account = await findRecord(tx, accountRecord, accountId)
    if (!accountRules(tx.viewer, account).upload) throw forbidden()
    if (!isCollecting(account)) throw conflict('This account is not collecting documents.')
    requireDocuments(account)
    await startProcessing(tx, account)
  })

async function startProcessing(tx: WriteContext, account: AccountRecord): Promise<void> {
  const status = statusOfState(account, 'processing')
  if (status === undefined) throw conflict('No status of this company has the state processing.')
  await changeStatus(tx, account, status, 'upload')
}

/** When each document of an account that collects its own documents was added; no rows for other accounts. */
const lastDocument = (accountId: string) => sql<{ last: Date | null }>`SELECT (SELECT max(f.created_at) FROM account_files f
    WHERE f.account_id = accounts.id AND f.deleted_at IS NULL) AS last
  FROM accounts JOIN statuses s ON s.id = accounts.status_id
  WHERE accounts.id = ${accountId} AND accounts.deleted_at IS NULL AND accounts.type = 'managed' AND s.state = 'uploading'
    AND accounts.file_retrieval_method IN ('upload', 'invite')`

/** Hands documents over whose uploader left without saying so. Every upload starts the wait again. */
export const handOverUploads: Job<z.ZodObject<{ account_id: typeof Id }>> = defineJob({
  name: 'hand-over-uploads',
  input: z.object({ account_id: Id }),
  run: (ctx, { account_id: accountId }) =>
    transact(ctx, async (tx) => {
      await lockRecords(tx, 'accounts', [accountId])
      const { rows } = await lastDocument(accountId).execute(tx.db)
      const last = rows[0]?.last
      if (!last) return
      const rest = last.getTime() + HAND_OVER_MS - tx.clock.now().getTime()
      if (rest > 0) return queueAfter(tx, accountId, rest)
      const account = await findRecord(tx, accountRecord, accountId)
      if (statusOfState(account, 'processing') !== undefined) await startProcessing(tx, account)
    }),
})

const queueAfter = (tx: WriteContext, accountId: string, delayMs: number): Promise<void> =>
  enqueue(tx, handOverUploads, { account_id: accountId }, { singletonKey: accountId, delayMs })

/** After a document was added. Staff who manage the account hand it over themselves. */
export async function queueHandOver(tx: WriteContext, accountId: string): Promise<void> {
  if (can(tx.viewer, 'manage_simple_accounts')) return
  const { rows } = await lastDocument(accountId).execute(tx.db)
  if (rows.length > 0) await queueAfter(tx, accountId, HAND_OVER_MS)
}
