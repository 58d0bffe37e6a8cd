import { sql, type Expression, type SqlBool } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { visibleFiles } from '#server/access/account-files.ts'
import { TRUE } from '#server/access/scope.ts'
import type { Context } from '#server/engines/context.ts'
import { idIn } from '#server/engines/record/define-record.ts'
import { notFound } from '#server/kernel/errors.ts'

export const loadFiles = ({ db }: Context, where: Expression<SqlBool>) =>
  db
    .selectFrom('account_files')
    .leftJoin('users', 'users.id', 'account_files.created_by')
    .selectAll('account_files')
    .select((eb) => [
      'users.full_name as creator_name',
      'users.email as creator_email',
      // The linked properties that are not in the trash.
      jsonArrayFrom(
        eb
          .selectFrom('account_file_properties as l')
          .innerJoin('account_properties as p', 'p.id', 'l.property_id')
          .select(['p.id', 'p.status', 'p.location_number', 'p.building_number', 'p.property_name'])
          .select(['p.address', 'p.address_2', 'p.city', 'p.state', 'p.postal_code', 'p.country'])
          .whereRef('l.file_id', '=', 'account_files.id')
          .where('p.deleted_at', 'is', null)
          .orderBy('p.location_number')
          .orderBy('p.address'),
      ).as('properties'),
    ])
    .where(where)
    .execute()

export type FileRecord = Awaited<ReturnType<typeof loadFiles>>[number]
export type LinkedProperty = FileRecord['properties'][number]

/** Condition: documents of the account that the viewer sees, all or only these. */
export const visibleInAccount = (
  { viewer }: Context,
  accountId: string,
  files: 'all' | readonly string[],
  state: 'live' | 'any' = 'live',
): Expression<SqlBool> =>
  sql<SqlBool>`account_files.account_id = ${accountId} AND ${state === 'any' ? TRUE : sql`account_files.deleted_at IS NULL`} AND ${visibleFiles(viewer)}
    AND ${files === 'all' ? TRUE : idIn('account_files', files)}`

export const loadVisibleFiles = (ctx: Context, accountId: string, files: 'all' | readonly string[]): Promise<FileRecord[]> =>
  loadFiles(ctx, visibleInAccount(ctx, accountId, files))

/** One document of the account that the viewer sees, or `notFound`. */
export async function findFile(ctx: Context, accountId: string, id: string): Promise<FileRecord> {
  const [record] = await loadVisibleFiles(ctx, accountId, [id])
  if (record === undefined) throw notFound('Document')
  return record
}
