import { sql } from 'kysely'
import { z } from 'zod'
import { plural } from '#contract/format.ts'
import { NEW_FILES_GROUP_MS } from '#contract/limits.ts'
import { Id } from '#contract/route.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { uuids } from '#server/access/scope.ts'
import type { SignedIn } from '#server/access/viewer.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { defineJob, enqueue } from '#server/engines/jobs/define-job.ts'
import { notify } from '#server/engines/notification/notify.ts'
import { usersOfAccount } from '#server/engines/notification/recipients.ts'
import { transact } from '#server/engines/transaction/transact.ts'

/** Notifies the users of an account of the documents that were added since the last run. */
export const notifyNewFiles = defineJob({
  name: 'notify-new-files',
  input: z.object({ account_id: Id }),
  run: (ctx, { account_id: accountId }) =>
    transact(ctx, async (tx) => {
      const { rows } = await sql<{ file_id: string }>`DELETE FROM new_files WHERE account_id = ${accountId} RETURNING file_id`.execute(
        tx.db,
      )
      const account = await tx.db.selectFrom('accounts').select('name').where('id', '=', accountId).executeTakeFirst()
      if (rows.length === 0 || account === undefined) return
      const ids = rows.map(({ file_id }) => file_id)
      await notify(tx, await usersOfAccount(tx.db, accountId), {
        kind: 'files_added',
        accountId,
        child: { model: 'account_files', model_id: null },
        message: async (viewer) => {
          const count = await countOfOthers(tx, viewer, ids)
          return count === 0 ? undefined : `${plural(count, 'document was', 'documents were')} added to ${account.name}.`
        },
      })
    }),
})

/** Those of the documents that the viewer sees and did not upload. */
async function countOfOthers({ db }: WriteContext, viewer: SignedIn, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM account_files
    WHERE id = ANY(${uuids(ids)}) AND deleted_at IS NULL AND created_by IS DISTINCT FROM ${viewer.userId} AND ${visibleFiles(viewer)}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Counts a new document for the next notification, on accounts that have these notifications on. */
export async function countNewFile(tx: WriteContext, accountId: string, fileId: string): Promise<void> {
  const { numAffectedRows } = await sql`INSERT INTO new_files (file_id, account_id)
    SELECT ${fileId}, id FROM accounts WHERE id = ${accountId} AND send_new_files_notification`.execute(tx.db)
  if (numAffectedRows === 1n)
    await enqueue(tx, notifyNewFiles, { account_id: accountId }, { singletonKey: accountId, delayMs: NEW_FILES_GROUP_MS })
}
