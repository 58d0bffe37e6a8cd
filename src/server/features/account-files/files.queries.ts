import { sql, type Expression, type Selectable, type SqlBool } from 'kysely'
import { visibleFiles } from '#server/access/account-files.ts'
import { TRUE } from '#server/access/scope.ts'
import type { AccountFiles, AccountProperties } from '#server/db/schema.gen.ts'
import type { Context } from '#server/engines/context.ts'
import { idIn } from '#server/engines/record/define-record.ts'
import { notFound } from '#server/kernel/errors.ts'

const PROPERTY_COLUMNS = [
  'id',
  'status',
  'location_number',
  'building_number',
  'property_name',
  'address',
  'address_2',
  'city',
  'state',
  'postal_code',
  'country',
] as const satisfies (keyof AccountProperties)[]

export type LinkedProperty = Pick<Selectable<AccountProperties>, (typeof PROPERTY_COLUMNS)[number]>

export interface FileRecord extends Selectable<AccountFiles> {
  creator_name: string | null
  creator_email: string | null
  /** The linked properties that are not in the trash. */
  properties: LinkedProperty[]
}

const PROPERTY_JSON = sql`jsonb_build_object(${sql.join(PROPERTY_COLUMNS.flatMap((column) => [sql.lit(column), sql.ref(`p.${column}`)]))})`

export async function loadFiles({ db }: Context, where: Expression<SqlBool>): Promise<FileRecord[]> {
  const { rows } = await sql<FileRecord>`SELECT account_files.*, u.full_name AS creator_name, u.email::text AS creator_email,
      coalesce((SELECT jsonb_agg(${PROPERTY_JSON} ORDER BY p.location_number, p.address)
        FROM account_file_properties l JOIN account_properties p ON p.id = l.property_id AND p.deleted_at IS NULL
        WHERE l.file_id = account_files.id), '[]') AS properties
    FROM account_files LEFT JOIN users u ON u.id = account_files.created_by
    WHERE ${where}`.execute(db)
  return rows
}

/** Condition: documents of the account that the viewer sees, all or only these. */
export const visibleInAccount = ({ viewer }: Context, accountId: string, files: 'all' | readonly string[]): Expression<SqlBool> =>
  sql<SqlBool>`account_files.account_id = ${accountId} AND account_files.deleted_at IS NULL AND ${visibleFiles(viewer)}
    AND ${files === 'all' ? TRUE : idIn('account_files', files)}`

export const loadVisibleFiles = (ctx: Context, accountId: string, files: 'all' | readonly string[]): Promise<FileRecord[]> =>
  loadFiles(ctx, visibleInAccount(ctx, accountId, files))

/** One document of the account that the viewer sees, or `notFound`. */
export async function findFile(ctx: Context, accountId: string, id: string): Promise<FileRecord> {
  const [record] = await loadVisibleFiles(ctx, accountId, [id])
  if (record === undefined) throw notFound('Document')
  return record
}
