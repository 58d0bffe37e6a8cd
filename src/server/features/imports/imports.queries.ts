import { sql } from 'kysely'
import type { Reader } from '#server/access/viewer.ts'
import { visibleAccounts } from '#server/access/accounts.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import type { Context } from '#server/engines/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { parseImport, type ImportRecord } from './import-record.ts'

/** An import of a live account that the viewer sees. */
export async function findImport(ctx: Context, id: string): Promise<ImportRecord> {
  const row = await ctx.db
    .selectFrom('imports')
    .selectAll()
    .where('id', '=', id)
    .where(visibleAccounts(ctx.viewer, 'imports.account_id'))
    .where((where) =>
      where.exists(
        where.selectFrom('accounts').select('id').whereRef('accounts.id', '=', 'imports.account_id').where('deleted_at', 'is', null),
      ),
    )
    .executeTakeFirst()
  if (row === undefined) throw notFound('Import')
  return parseImport(row)
}

const HISTORY_MAX = 200

export async function importsOfAccount(ctx: Context, accountId: string): Promise<ImportRecord[]> {
  await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
  const rows = await ctx.db
    .selectFrom('imports')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(HISTORY_MAX)
    .execute()
  return rows.map(parseImport)
}

/** The newest committed import of the account: the only one that may be undone. */
export async function newestCommitted(db: Reader, accountId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('imports')
    .select('id')
    .where('account_id', '=', accountId)
    .where('state', '=', 'committed')
    .orderBy('committed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** An earlier committed import of the same bytes. */
export async function earlierImport(
  db: Reader,
  { id, account_id, sha256 }: ImportRecord,
): Promise<{ file_name: string; created_at: Date } | undefined> {
  if (sha256 === null) return undefined
  return db
    .selectFrom('imports')
    .select(['file_name', 'created_at'])
    .where('account_id', '=', account_id)
    .where('sha256', '=', sha256)
    .where('state', '=', 'committed')
    .where('id', '<>', id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export interface StoredError {
  row_number: number
  sheet_row: number
  sheet_index: number
  field: string | null
  message: string
}

const ERRORS_SHOWN = 100

export async function firstErrors(db: Reader, importId: string): Promise<StoredError[]> {
  const { rows } =
    await sql<StoredError>`SELECT r.row_number, r.sheet_row, r.sheet_index, i.issue->>'field' AS field, i.issue->>'message' AS message
    FROM import_rows r CROSS JOIN LATERAL jsonb_array_elements(r.issues) AS i (issue)
    WHERE r.import_id = ${importId} AND r.tab = 'errors' AND i.issue->>'severity' = 'error'
    ORDER BY r.row_number LIMIT ${ERRORS_SHOWN}`.execute(db)
  return rows
}
