import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { PROPERTY_DEFAULTS, type PropertyFieldName } from '#contract/property-fields.ts'
import { visibleRegister } from '#server/access/account-properties.ts'
import { propertyInScope } from '#server/access/link-scope.ts'
import { TRUE, uuids } from '#server/access/scope.ts'
import type { Snapshot } from '#server/db/snapshot.ts'
import type { Context } from '#server/engines/context.ts'
import { SCHEDULE_ORDER } from './property-columns.ts'
import { countedFacts, orderedProperties } from './property-counts.ts'
import { OPTIONAL_FIELDS, type ListedValue } from './property-list.columns.ts'

export interface ListRequest {
  accountId: string
  /** Those of the account, or only these. */
  ids: readonly string[] | null
}

/** The account if the viewer sees its properties: looked up once, instead of for each property. */
const visibleAccount = ({ viewer }: Context, accountId: string) => sql`(SELECT accounts.id FROM accounts
  WHERE accounts.id = ${accountId} AND ${visibleRegister(viewer, 'accounts.id')} OFFSET 0)`

const requested = (ctx: Context, { accountId, ids }: ListRequest) => sql<SqlBool>`account_properties.account_id = ${accountId}
  AND account_properties.account_id = ${visibleAccount(ctx, accountId)} AND account_properties.deleted_at IS NULL
  AND ${propertyInScope(ctx.viewer, 'account_properties.id')}
  AND ${ids === null ? TRUE : sql<SqlBool>`account_properties.id = ANY(${uuids(ids)})`}`

export async function countListed(ctx: Context, request: ListRequest): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`SELECT count(*)::int AS count FROM account_properties WHERE ${requested(ctx, request)}`.execute(ctx.db)
  return rows[0]?.count ?? 0
}

const DEFAULTS: Partial<Record<PropertyFieldName, string | number>> = PROPERTY_DEFAULTS

interface Used {
  /** The optional fields in which a property has a value. */
  used: Set<PropertyFieldName>
  /** The names of the custom fields. */
  custom: string[]
  active: number
  divested: number
}

/** What decides about the sheets of a list and their columns. */
export async function readUsed(ctx: Context, snapshot: Snapshot, request: ListRequest): Promise<Used> {
  const where = requested(ctx, request)
  const isUsed = OPTIONAL_FIELDS.map(
    (name, at) => sql`CASE WHEN ${sql.ref(`account_properties.${name}`)} IS DISTINCT FROM ${sql.lit(DEFAULTS[name] ?? null)}
      THEN ${sql.lit(2 ** at)}::bigint ELSE 0 END`,
  )
  // As one sum of bits per row: an aggregate for each field takes three times as long.
  const [row] = await snapshot.rows(sql<{ used: string | null; custom: boolean | null; divested: number; listed: number }>`
    SELECT bit_or(${sql.join(isUsed, sql` | `)})::text AS used, bool_or(account_properties.custom <> '{}') AS custom,
      count(*) FILTER (WHERE account_properties.status = 'divested')::int AS divested, count(*)::int AS listed
    FROM account_properties WHERE ${where}`)
  const bits = BigInt(row?.used ?? 0)
  const { divested, listed } = row ?? { divested: 0, listed: 0 }
  return {
    used: new Set(OPTIONAL_FIELDS.filter((_, at) => (bits >> BigInt(at)) & 1n)),
    custom: row?.custom === true ? await customFields(snapshot, where) : [],
    active: listed - divested,
    divested,
  }
}

async function customFields(snapshot: Snapshot, where: RawBuilder<SqlBool>): Promise<string[]> {
  const rows = await snapshot.rows(sql<{ name: string }>`SELECT DISTINCT jsonb_object_keys(account_properties.custom) AS name
    FROM account_properties WHERE ${where} AND account_properties.custom <> '{}' ORDER BY 1`)
  return rows.map(({ name }) => name)
}

/** The values of the active or the divested properties in the order of a schedule. */
export const listedValues = (ctx: Context, request: ListRequest, status: 'active' | 'divested', columns: readonly ListedValue[]) =>
  orderedProperties(ctx, {
    columns,
    accountId: request.accountId,
    where: sql<SqlBool>`${requested(ctx, request)} AND account_properties.status = ${status}`,
    order: SCHEDULE_ORDER,
    orderedBy: ['location_number', 'building_number', 'address'],
  })

/** SQL: one text of what the list shows of its properties. Each change of a property raises its version. */
export const listedFacts = (ctx: Context, request: ListRequest): RawBuilder<unknown> => countedFacts(ctx, requested(ctx, request))
