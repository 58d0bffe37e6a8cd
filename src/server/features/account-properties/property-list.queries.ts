import { sql, type SqlBool } from 'kysely'
import { PROPERTY_DEFAULTS, PROPERTY_FIELD_NAMES, type PropertyFieldName } from '#contract/property-fields.ts'
import { visibleProperties } from '#server/access/account-properties.ts'
import { PAIR_CHECK, notWidespread, ofCheck, otherOfPair, seesDiscrepancies } from '#server/access/discrepancies.ts'
import { TRUE, uuids } from '#server/access/scope.ts'
import type { Context } from '#server/engines/context.ts'
import { BY_LOCATION } from './property-columns.ts'
import { OPTIONAL_FIELDS, type ListedProperty } from './property-list.columns.ts'
import { HAS_TIV } from './properties.presenter.ts'
import { documentCount } from './properties.queries.ts'

export interface ListRequest {
  accountId: string
  /** Those of the account, or only these. */
  ids: readonly string[] | null
}

const requested = ({ viewer }: Context, { accountId, ids }: ListRequest) => sql<SqlBool>`account_properties.account_id = ${accountId}
  AND account_properties.deleted_at IS NULL AND ${visibleProperties(viewer)} AND ${ids === null ? TRUE : sql`account_properties.id = ANY(${uuids(ids)})`}`

const DEFAULTS: Partial<Record<PropertyFieldName, string | number>> = PROPERTY_DEFAULTS

/** How many properties there are, and the optional fields in which one of them has a value. */
export async function summarizeList(ctx: Context, request: ListRequest) {
  const used = sql.join(
    OPTIONAL_FIELDS.map(
      (name) => sql`bool_or(${sql.ref(`account_properties.${name}`)} IS DISTINCT FROM ${sql.lit(DEFAULTS[name] ?? null)})
      AS ${sql.ref(name)}`,
    ),
  )
  const { rows } = await sql<{ active: number; divested: number } & Partial<Record<PropertyFieldName, boolean | null>>>`
    SELECT count(*) FILTER (WHERE status = 'active')::int AS active, count(*) FILTER (WHERE status = 'divested')::int AS divested, ${used}
    FROM account_properties WHERE ${requested(ctx, request)}`.execute(ctx.db)
  const found = rows[0]
  return {
    active: found?.active ?? 0,
    divested: found?.divested ?? 0,
    used: new Set(OPTIONAL_FIELDS.filter((name) => found?.[name] === true)),
  }
}

const BATCH_ROWS = 1_000
const ID_LENGTH = '00000000-0000-0000-0000-000000000000,'.length

/**
 * The properties in the order of a schedule, in batches as they are requested. Their ids are read first, as one text, which takes little
 * memory. A property that the viewer no longer sees when its batch is read is left out.
 */
export async function* readList(ctx: Context, request: ListRequest, status: 'active' | 'divested'): AsyncGenerator<ListedProperty> {
  const { rows } = await sql<{ ids: string }>`SELECT array_to_string(ARRAY(SELECT account_properties.id FROM account_properties
    WHERE ${requested(ctx, request)} AND account_properties.status = ${status}
    ORDER BY ${BY_LOCATION.first} NULLS LAST, ${BY_LOCATION.by} NULLS LAST, account_properties.building_number, account_properties.address,
      account_properties.id), ',') AS ids`.execute(ctx.db)
  const ids = rows[0]?.ids ?? ''
  for (let start = 0; start < ids.length; start += BATCH_ROWS * ID_LENGTH)
    yield* await readBatch(ctx, request, ids.slice(start, start + BATCH_ROWS * ID_LENGTH - 1).split(','))
}

const FIELDS = sql.join(PROPERTY_FIELD_NAMES.map((name) => sql.ref(`account_properties.${name}`)))

async function readBatch(ctx: Context, request: ListRequest, ids: readonly string[]): Promise<ListedProperty[]> {
  const { rows } = await sql<ListedProperty>`WITH twins AS MATERIALIZED (${twins(ctx, request)})
    SELECT account_properties.id, ${FIELDS}, CASE WHEN ${HAS_TIV} THEN account_properties.tiv END AS tiv, account_properties.status,
      account_properties.divested_on, account_properties.divested_reason, ${documentCount(ctx)} AS documents,
      account_properties.quality_score AS score, ${discrepancyCount(ctx)} AS discrepancies
    FROM unnest(${uuids(ids)}) WITH ORDINALITY AS listed(id, place) JOIN account_properties ON account_properties.id = listed.id
    WHERE ${requested(ctx, request)} ORDER BY listed.place`.execute(ctx.db)
  return rows
}

/** For each property, how many possible duplicates of it are stored at the other property. */
const twins = ({ viewer }: Context, { accountId }: ListRequest) =>
  seesDiscrepancies(viewer)
    ? sql`SELECT ${otherOfPair()} AS id, count(*)::int AS pairs FROM discrepancies d
      WHERE d.account_id = ${accountId} AND d.status = 'open' AND ${ofCheck(PAIR_CHECK)} AND ${notWidespread()} GROUP BY 1`
    : sql`SELECT NULL::uuid AS id, 0 AS pairs`

/** What the column of the list on the page counts. */
const discrepancyCount = ({ viewer }: Context) =>
  seesDiscrepancies(viewer)
    ? sql<number>`((SELECT count(*)::int FROM discrepancies d WHERE d.property_id = account_properties.id AND d.status = 'open' AND ${notWidespread()})
      + coalesce((SELECT twins.pairs FROM twins WHERE twins.id = account_properties.id), 0))`
    : sql<number>`0`
