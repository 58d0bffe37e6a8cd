import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { FALSE, TRUE, uuids } from './scope.ts'
import { isLiveGrant, scopeColumn, viaOf, type LinkScope, type Reader, type Via, type Viewer } from './viewer.ts'

/** What the link shows by which the viewer came in; undefined for all who see everything that is not private. */
export const scopeOf = (viewer: Viewer): LinkScope | undefined => viaOf(viewer)?.scope

/** The scope of the viewer with the properties that are chosen now, so that a later change of the link does not change it. */
export async function scopeNow(db: Reader, viewer: Viewer): Promise<LinkScope | undefined> {
  const via = viaOf(viewer)
  if (via?.scope?.choosesProperties !== true) return via?.scope
  const rows = await db
    .selectFrom('grant_properties')
    .select('property_id')
    .where('grant_id', '=', via.grantId)
    .orderBy('property_id')
    .execute()
  return { ...via.scope, properties: rows.map((row) => row.property_id) }
}

/** What a grant shows while people can download by it, null for everything; undefined after. */
export async function liveScope(db: Reader, grantId: string): Promise<LinkScope | null | undefined> {
  const { rows } = await sql<{ scope: LinkScope | null }>`SELECT ${scopeColumn} AS scope FROM account_grants g
    WHERE g.id = ${grantId}::uuid AND ${isLiveGrant} AND g.may_download`.execute(db)
  return rows[0]?.scope
}

const isChosen = (grant: Expression<unknown>, property: string) =>
  sql<SqlBool>`EXISTS (SELECT 1 FROM grant_properties chosen WHERE chosen.grant_id = ${grant} AND chosen.property_id = ${sql.ref(property)})`

const isChosenBy = ({ grantId, scope }: Via, property: string) =>
  scope?.properties === undefined
    ? isChosen(sql`${grantId}::uuid`, property)
    : sql<SqlBool>`(${sql.ref(property)} IN (SELECT unnest(${uuids(scope.properties)})))`

/** Whether a link shows the property with the id in this column. */
export function propertyInScope(viewer: Viewer, property: string): Expression<SqlBool> {
  const via = viaOf(viewer)
  return via?.scope?.choosesProperties === true ? isChosenBy(via, property) : TRUE
}

/**
 * The document is linked to a chosen property that is not in the trash. A link to a property in the trash still makes it a document of that
 * property, so that deleting a hidden property shows none of its documents.
 */
function isOfChosen(files: string, chosen: (property: string) => Expression<SqlBool>, unlinked: Expression<SqlBool>): RawBuilder<SqlBool> {
  const id = sql.ref(`${files}.id`)
  return sql<SqlBool>`(EXISTS (SELECT 1 FROM account_file_properties scope_link
      JOIN account_properties scope_property ON scope_property.id = scope_link.property_id
      WHERE scope_link.file_id = ${id} AND scope_property.deleted_at IS NULL AND ${chosen('scope_link.property_id')})
    OR (${unlinked} AND NOT EXISTS (SELECT 1 FROM account_file_properties scope_link WHERE scope_link.file_id = ${id})))`
}

/** Whether a link shows the document: one of its categories, and of its properties. */
export function fileInScope(viewer: Viewer, files: string): Expression<SqlBool> {
  const via = viaOf(viewer)
  if (via?.scope === undefined) return TRUE
  const { choosesProperties, categories, unlinkedFiles } = via.scope
  const ofCategory = categories === null ? TRUE : sql<SqlBool>`${sql.ref(`${files}.category`)} = ANY(${[...categories]}::text[])`
  const ofProperty = choosesProperties ? isOfChosen(files, (property) => isChosenBy(via, property), unlinkedFiles ? TRUE : FALSE) : TRUE
  return sql<SqlBool>`(${ofCategory} AND ${ofProperty})`
}

/** The same for a row of `account_grants`, which is everything for an invitation. */
export const propertyInGrant = (grants: string, property: string): Expression<SqlBool> =>
  sql<SqlBool>`(${sql.ref(`${grants}.all_properties`)} OR ${isChosen(sql.ref(`${grants}.id`), property)})`

export const fileInGrant = (grants: string, files: string): Expression<SqlBool> =>
  sql<SqlBool>`((${sql.ref(`${grants}.categories`)} IS NULL OR ${sql.ref(`${files}.category`)} = ANY(${sql.ref(`${grants}.categories`)}))
    AND (${sql.ref(`${grants}.all_properties`)} OR ${isOfChosen(
      files,
      (property) => isChosen(sql.ref(`${grants}.id`), property),
      sql.ref<SqlBool>(`${grants}.unlinked_files`),
    )}))`
