import { sql, type Expression, type SqlBool } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { DocumentText } from '#contract/document-texts.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { visibleLinked } from '#server/access/account-properties.ts'
import { TRUE } from '#server/access/scope.ts'
import type { Context } from '#server/engines/context.ts'
import { idIn } from '#server/engines/record/define-record.ts'
import { notFound } from '#server/kernel/errors.ts'
import { ageOf, currentUntil } from './file-age.ts'
import { byLocation } from './property-order.ts'
import { unreadAttachments } from './unread-attachments.ts'

/** Documents with their properties in the order of a schedule, and what the list and the panel show about them. */
export async function loadFiles(ctx: Context, where: Expression<SqlBool>) {
  const records = await selectFiles(ctx, where)
    .leftJoin('users', 'users.id', 'account_files.created_by')
    .select([
      sql<DocumentText>`(SELECT to_jsonb(t) || jsonb_build_object('unread_attachments', ${unreadAttachments(sql`t.file_id`)})
        FROM document_texts t WHERE t.file_id = account_files.id)`.as('text'),
      'users.full_name as creator_name',
      'users.email as creator_email',
      ageOf(ctx).as('age'),
      currentUntil.as('current_until'),
    ])
    .execute()
  return inOrder(records)
}

/** Documents with their properties in the order of a schedule: what files that are made of them need, which may have thousands. */
export const loadContents = async (ctx: Context, where: Expression<SqlBool>) => inOrder(await selectFiles(ctx, where).execute())

function inOrder<R extends { properties: LinkedProperty[] }>(records: R[]): R[] {
  for (const { properties } of records) properties.sort(byLocation)
  return records
}

const selectFiles = (ctx: Context, where: Expression<SqlBool>) =>
  ctx.db
    .selectFrom('account_files')
    .selectAll('account_files')
    .select((eb) =>
      // The linked properties that are not in the trash, those of them that the viewer sees. `OFFSET 0` has the database look up each of them; without statistics it reads all
      // properties for each document otherwise.
      jsonArrayFrom(
        eb
          .selectFrom('account_file_properties as l')
          .innerJoinLateral(
            (linked) =>
              linked
                .selectFrom('account_properties')
                .select(['account_properties.id', 'status', 'location_number', 'building_number', 'property_name'])
                .select(['address', 'address_2', 'city', 'state', 'postal_code', 'country', 'account_properties.deleted_at'])
                .whereRef('account_properties.id', '=', 'l.property_id')
                .offset(sql.lit(0))
                .as('p'),
            (join) => join.onTrue(),
          )
          .select(['p.id', 'p.status', 'p.location_number', 'p.building_number', 'p.property_name'])
          .select(['p.address', 'p.address_2', 'p.city', 'p.state', 'p.postal_code', 'p.country'])
          .where('p.deleted_at', 'is', null)
          .where(visibleLinked(ctx.viewer, 'l.property_id'))
          .whereRef('l.file_id', '=', 'account_files.id'),
      ).as('properties'),
    )
    .where(where)

export type FileRecord = Awaited<ReturnType<typeof loadFiles>>[number]
/** A document with its properties. */
export type FileContent = Awaited<ReturnType<ReturnType<typeof selectFiles>['execute']>>[number]
export type LinkedProperty = FileContent['properties'][number]

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
