import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { PROPERTY_DEFAULTS, type PropertyFieldName } from '#contract/property-fields.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { visibleProperties } from '#server/access/account-properties.ts'
import { PAIR_CHECK, notWidespread, ofCheck, otherOfPair, seesDiscrepancies } from '#server/access/discrepancies.ts'
import { TRUE, uuids } from '#server/access/scope.ts'
import type { Context } from '#server/engines/context.ts'
import { SCHEDULE_ORDER } from './property-columns.ts'
import { OPTIONAL_FIELDS, type ListedProperty } from './property-list.columns.ts'
import { HAS_TIV } from './properties.presenter.ts'

export interface ListRequest {
  accountId: string
  /** Those of the account, or only these. */
  ids: readonly string[] | null
}

/** The account if the viewer sees its properties: looked up once, instead of for each property. */
const visibleAccount = ({ viewer }: Context, accountId: string) => sql`(SELECT accounts.id FROM accounts
  WHERE accounts.id = ${accountId} AND ${visibleProperties(viewer, 'accounts.id')} OFFSET 0)`

const requested = (ctx: Context, { accountId, ids }: ListRequest) => sql`account_properties.account_id = ${accountId}
  AND account_properties.account_id = ${visibleAccount(ctx, accountId)} AND account_properties.deleted_at IS NULL
  AND ${ids === null ? TRUE : sql<SqlBool>`account_properties.id = ANY(${uuids(ids)})`}`

export async function countListed(ctx: Context, request: ListRequest): Promise<{ active: number; divested: number }> {
  const { rows } = await sql<{ active: number; divested: number }>`SELECT count(*) FILTER (WHERE status = 'active')::int AS active,
    count(*) FILTER (WHERE status = 'divested')::int AS divested FROM account_properties WHERE ${requested(ctx, request)}`.execute(ctx.db)
  return rows[0] ?? { active: 0, divested: 0 }
}

const DEFAULTS: Partial<Record<PropertyFieldName, string | number>> = PROPERTY_DEFAULTS

/** The optional fields in which a property has a value. */
export async function usedFields(ctx: Context, request: ListRequest): Promise<Set<PropertyFieldName>> {
  const used = sql.join(
    OPTIONAL_FIELDS.map(
      (name) => sql`bool_or(${sql.ref(`account_properties.${name}`)} IS DISTINCT FROM ${sql.lit(DEFAULTS[name] ?? null)})
      AS ${sql.ref(name)}`,
    ),
  )
  const { rows } = await sql<Partial<Record<PropertyFieldName, boolean | null>>>`
    SELECT ${used} FROM account_properties WHERE ${requested(ctx, request)}`.execute(ctx.db)
  return new Set(OPTIONAL_FIELDS.filter((name) => rows[0]?.[name] === true))
}

const BATCH_ROWS = 2_500
const ID_LENGTH = '00000000-0000-0000-0000-000000000000,'.length

interface Read extends ListRequest {
  status: 'active' | 'divested'
  fields: readonly PropertyFieldName[]
}

/**
 * The properties in the order of a schedule, in batches as they are requested, the next of them while the previous one is written. Their ids
 * are read first, as one text, which takes little memory. A property that the viewer no longer sees when its batch is read is left out.
 */
export async function* readList(ctx: Context, request: Read): AsyncGenerator<ListedProperty> {
  const { rows } = await sql<{ ids: string }>`SELECT array_to_string(ARRAY(SELECT account_properties.id FROM account_properties
    WHERE ${requested(ctx, request)} AND account_properties.status = ${request.status}
    ORDER BY ${SCHEDULE_ORDER}), ',') AS ids`.execute(ctx.db)
  const ids = rows[0]?.ids ?? ''
  const read = (start: number) => {
    const batch = start < ids.length ? readBatch(ctx, request, ids.slice(start, start + BATCH_ROWS * ID_LENGTH - 1)) : undefined
    // A failed read surfaces when it is awaited, which may be never if the reader stops.
    batch?.catch(() => undefined)
    return batch
  }
  let next = read(0)
  for (let start = BATCH_ROWS * ID_LENGTH; next !== undefined; start += BATCH_ROWS * ID_LENGTH) {
    const batch = await next
    next = read(start)
    yield* batch
  }
}

/** Counts are joined as one table for the batch, which is faster than a lookup for each property. */
async function readBatch(ctx: Context, { fields, ...request }: Read, ids: string): Promise<ListedProperty[]> {
  const batch = sql`${`{${ids}}`}::uuid[]`
  const columns = sql.join(fields.map((name) => sql.ref(`account_properties.${name}`)))
  const { rows } = await sql<ListedProperty>`SELECT ${columns}, CASE WHEN ${HAS_TIV} THEN account_properties.tiv END AS tiv,
      account_properties.status, account_properties.divested_on, account_properties.divested_reason, account_properties.quality_score AS score,
      coalesce(linked.documents, 0) AS documents, coalesce(found.discrepancies, 0) AS discrepancies
    FROM unnest(${batch}) WITH ORDINALITY AS listed(id, place) JOIN account_properties ON account_properties.id = listed.id
    LEFT JOIN (${documentCounts(ctx, batch)}) linked ON linked.property_id = account_properties.id
    LEFT JOIN (${discrepancyCounts(ctx, request.accountId, batch)}) found ON found.property_id = account_properties.id
    WHERE ${requested(ctx, { ...request, ids: null })} ORDER BY listed.place`.execute(ctx.db)
  return rows
}

const documentCounts = ({ viewer }: Context, batch: RawBuilder<unknown>) => sql`SELECT l.property_id, count(*)::int AS documents
  FROM account_file_properties l JOIN account_files ON account_files.id = l.file_id
  WHERE l.property_id = ANY(${batch}) AND account_files.deleted_at IS NULL AND ${visibleFiles(viewer)} GROUP BY 1`

/** What the column of the list on the page counts: those of the property, and possible duplicates that are stored at the other property. */
const discrepancyCounts = ({ viewer }: Context, accountId: string, batch: RawBuilder<unknown>) =>
  seesDiscrepancies(viewer)
    ? sql`SELECT property_id, count(*)::int AS discrepancies FROM (
        SELECT d.property_id FROM discrepancies d
          WHERE d.account_id = ${accountId} AND d.property_id = ANY(${batch}) AND d.status = 'open' AND ${notWidespread()}
        UNION ALL SELECT ${otherOfPair()} FROM discrepancies d
          WHERE d.account_id = ${accountId} AND d.status = 'open' AND ${ofCheck(PAIR_CHECK)} AND ${notWidespread()}
      ) d WHERE property_id = ANY(${batch}) GROUP BY 1`
    : sql`SELECT NULL::uuid AS property_id, 0 AS discrepancies WHERE false`
