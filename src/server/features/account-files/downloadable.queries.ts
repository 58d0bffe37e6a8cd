import { sql } from 'kysely'
import type { Downloadable } from '#contract/account-files.ts'
import { seesProperties, visibleLinked } from '#server/access/account-properties.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import type { Viewer } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { hasListedProperties } from '../account-properties/property-list.commands.ts'
import { isDisclosed } from './archive-kinds.ts'
import { visibleInAccount } from './files.queries.ts'

const isLinked = (viewer: Viewer) => sql`NOT account_files.sov AND NOT account_files.covers_all_properties AND EXISTS (
  SELECT 1 FROM account_file_properties AS l JOIN account_properties AS p ON p.id = l.property_id
  WHERE l.file_id = account_files.id AND p.deleted_at IS NULL AND p.status = 'active' AND ${visibleLinked(viewer, 'p.id')})`

/** Which downloads of the account would have a content for the viewer. */
export async function downloadable(ctx: Context, accountId: string): Promise<Downloadable> {
  await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
  const files = sql`SELECT 1 FROM account_files WHERE ${visibleInAccount(ctx, accountId, 'all')}`
  const { rows } = await sql<Omit<Downloadable, 'properties'>>`SELECT EXISTS (${files}) AS documents,
    EXISTS (${files} AND ${isDisclosed}) AS disclosed_documents, EXISTS (${files} AND ${isLinked(ctx.viewer)}) AS linked_documents`.execute(
    ctx.db,
  )
  const [found = { documents: false, disclosed_documents: false, linked_documents: false }] = rows
  return { ...found, properties: seesProperties(ctx.viewer) && (await hasListedProperties(ctx, accountId)) }
}
