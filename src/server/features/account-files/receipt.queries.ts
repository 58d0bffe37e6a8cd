import { sql } from 'kysely'
import { RECEIPT_MS, type Receipt } from '#contract/managed.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'

type Row = Omit<Receipt['documents'][number], 'received_at'> & { received_at: Date }

/**
 * What the viewer uploaded to an account lately, also documents that became private and are hidden from them since. Of a document with
 * versions it is the first one: later ones may be of other users.
 */
export async function receiptOf(ctx: Context, accountId: string): Promise<Receipt> {
  await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
  const since = new Date(ctx.clock.now().getTime() - RECEIPT_MS)
  const account = await ctx.db.selectFrom('accounts').select('name').where('id', '=', accountId).executeTakeFirstOrThrow()
  const { rows } = await sql<Row>`
    WITH received AS (
      SELECT f.id, f.created_at, CASE WHEN v.file_id IS NULL THEN f.original_file_name ELSE v.file_name END AS name,
        CASE WHEN v.file_id IS NULL THEN f.size ELSE v.size END AS size, CASE WHEN v.file_id IS NULL THEN f.sha256 ELSE v.sha256 END AS sha256
      FROM account_files f LEFT JOIN file_versions v ON v.file_id = f.id AND v.number = 1
      WHERE f.account_id = ${accountId} AND f.created_by = ${viewerId(ctx.viewer)} AND f.created_at >= ${since} AND f.deleted_at IS NULL)
    SELECT received.id, received.name, received.size, received.created_at AS received_at, received.sha256, (
      SELECT coalesce(account_files.vanity_name, account_files.original_file_name) FROM account_files
        WHERE account_files.account_id = ${accountId} AND account_files.sha256 = received.sha256 AND account_files.deleted_at IS NULL
          AND (account_files.created_at, account_files.id) < (received.created_at, received.id) AND ${visibleFiles(ctx.viewer)}
        ORDER BY account_files.created_at, account_files.id LIMIT 1) AS duplicate_of
    FROM received ORDER BY received.created_at, received.id`.execute(ctx.db)
  const documents = rows.map(({ received_at: at, ...row }) => ({ ...row, received_at: at.toISOString() }))
  return { account: account.name, since: since.toISOString(), documents }
}
