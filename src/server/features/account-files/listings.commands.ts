import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { z } from 'zod'
import { ARCHIVE_SOURCES } from '#contract/account-files.ts'
import { visibleLinked, visibleProperties } from '#server/access/account-properties.ts'
import { packageReader, PackageReader, presentReader, viewerOfPackage } from '#server/access/issued-files.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { TRUE, uuids } from '#server/access/scope.ts'
import type { Context } from '#server/engines/context.ts'
import type { PendingListing } from '#server/engines/packages/issued-file.ts'
import type { Listed } from '#server/engines/packages/packages.ts'
import { forbidden } from '#server/kernel/errors.ts'
import { listedFacts } from '../account-properties/property-list.commands.ts'
import { isDisclosed, listOf, type ArchiveRequest } from './archive-kinds.ts'
import { visibleInAccount } from './files.queries.ts'

const Request = z.object({
  account_id: z.string(),
  source: z.enum(ARCHIVE_SOURCES),
  selected_ids: z.array(z.string()).nullable(),
})
const Listing = z.object({ request: Request, reader: PackageReader })

/** What a download of the account lists now. Call before its documents and properties are read, so that a change in between is not missed. */
export async function listedNow(ctx: Context, request: ArchiveRequest): Promise<Listed> {
  const { listing, fingerprint } = await beginListing(ctx, request)
  return { listing, fingerprint: await fingerprint }
}

/** The same without waiting for the fingerprint, whose query has the state of now: what is read next need not wait for it. */
export async function beginListing(ctx: Context, { account_id, source, selected_ids }: ArchiveRequest): Promise<PendingListing> {
  if (ctx.viewer.kind !== 'user') throw forbidden()
  const account = await requireVisibleAccount(ctx.db, ctx.viewer, account_id)
  const listing = { request: { account_id, source, selected_ids }, reader: await packageReader(ctx.db, ctx.viewer, account) }
  const fingerprint = fingerprintOf(ctx, listing)
  // A download that is cut off does not wait for it.
  fingerprint.catch(() => undefined)
  return { listing, fingerprint }
}

/** Whether what a package listed is no longer what the same request would list. */
export async function isOutdated(ctx: Context, { listing, fingerprint }: { listing: unknown; fingerprint: string }): Promise<boolean> {
  const known = Listing.safeParse(listing)
  if (!known.success) return true
  const { request, reader } = known.data
  return (await fingerprintOf(ctx, { request, reader: await presentReader(ctx.db, reader) })) !== fingerprint
}

/** A hash of what the listing names: in SQL, because an account can have many thousands of documents and the page that checks files is public. */
async function fingerprintOf({ db, ...rest }: Context, { request, reader }: z.output<typeof Listing>): Promise<string> {
  const ctx = { ...rest, db, viewer: viewerOfPackage(reader) }
  const { source, account_id } = request
  const documents = source === 'property-list' ? sql`NULL` : listedDocuments(ctx, request)
  const properties = source === 'property-list' || source === 'with-documents' ? listedFacts(ctx, listOf(request)) : sql`NULL`
  const { rows } = await sql<{ fingerprint: string }>`SELECT encode(sha256(convert_to(
    jsonb_build_array((SELECT name FROM accounts WHERE id = ${account_id}), ${documents}, ${properties})::text, 'UTF8')), 'hex') AS fingerprint`.execute(
    db,
  )
  return rows[0]?.fingerprint ?? ''
}

/** What names a document and its place. Another version of a document has another storage key. A document that became private was withdrawn. */
const NAMES = sql`account_files.id, account_files.storage_key, account_files.private, account_files.original_file_name, account_files.vanity_name,
  account_files.report_author_date, account_files.covers_all_properties`
const PLACE = sql`p.location_number, p.building_number, p.address, p.city, p.state`

/** SQL: one text of what the list or archive shows of its documents and their properties. */
function listedDocuments(ctx: Context, { account_id, source, selected_ids }: ArchiveRequest): RawBuilder<unknown> {
  const isList = source === 'document-list'
  const withProperties = source === 'with-documents'
  const document = isList ? NAMES : sql`${NAMES}, account_files.category, account_files.sov`
  const property = isList
    ? sql`${PLACE}, p.address_2, p.postal_code, p.country`
    : sql`${PLACE}, p.property_name, p.status, ${NUMBER_OF_FOLDER}`
  const taken = isList ? isDisclosed : withProperties ? IN_FOLDERS : TRUE
  const chosen = withProperties
    ? sql<SqlBool>`p.status = 'active' AND ${selected_ids === null ? TRUE : sql<SqlBool>`p.id = ANY(${uuids(selected_ids)})`}`
    : TRUE
  return sql`(
    WITH register AS MATERIALIZED (SELECT p.id, p.status, md5(ROW(${property})::text) AS facts FROM account_properties AS p
      WHERE p.account_id = ${account_id} AND p.deleted_at IS NULL
        AND ${visibleProperties(ctx.viewer, { account: 'p.account_id', id: 'p.id' })}),
    files AS MATERIALIZED (SELECT account_files.id, md5(ROW(${document})::text) AS facts FROM account_files
      WHERE ${visibleInAccount(ctx, account_id, withProperties ? 'all' : (selected_ids ?? 'all'))} AND ${taken}),
    links AS MATERIALIZED (SELECT l.file_id, l.property_id FROM files
      CROSS JOIN LATERAL (SELECT file_id, property_id FROM account_file_properties WHERE file_id = files.id OFFSET 0) AS l
      WHERE ${visibleLinked(ctx.viewer, 'l.property_id')} AND ${isIn('l.property_id', sql`SELECT p.id FROM register AS p WHERE ${chosen}`)})
    SELECT concat_ws(' ',
      (SELECT string_agg(files.id::text || files.facts, '' ORDER BY files.id) FROM files
        WHERE ${withProperties ? isIn('files.id', sql`SELECT file_id FROM links`) : TRUE}),
      (SELECT string_agg(file_id::text || property_id::text, '' ORDER BY file_id, property_id) FROM links),
      (SELECT string_agg(p.id::text || p.facts, '' ORDER BY p.id) FROM register AS p WHERE ${isIn('p.id', sql`SELECT property_id FROM links`)})))`
}

/** `IS TRUE` has the database hash the ids. Without statistics it compares each of thousands of rows with each other otherwise. */
const isIn = (column: string, ids: RawBuilder<unknown>) => sql<SqlBool>`(${sql.ref(column)} IN (${ids})) IS TRUE`

/** Documents that properties with documents can have. */
const IN_FOLDERS = sql<SqlBool>`NOT (account_files.sov OR account_files.covers_all_properties)`

const letters = (column: string) => sql`regexp_replace(lower(normalize(coalesce(${sql.ref(column)}, ''), NFKC)), '[^a-z0-9]', '', 'g')`

/** The beginning that shortened names of folders keep. */
const NAME_CHARACTERS = 10

/**
 * Folders of the same name have numbers in the order of the properties. This changes when an earlier property with a similar name does,
 * which may be one without documents.
 */
const NUMBER_OF_FOLDER = sql`sum(CASE WHEN p.status = 'active' THEN hashtextextended(p.id::text, 0) END::numeric) OVER (
  PARTITION BY ${letters('p.location_number')}, p.building_number, ${letters('p.city')}, ${letters('p.state')},
    CASE WHEN p.property_name IS NULL THEN left(${letters('p.address')}, ${sql.lit(NAME_CHARACTERS)})
      ELSE left(${letters('p.property_name')}, ${sql.lit(NAME_CHARACTERS)}) END
  ORDER BY p.id)`
