import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { PROPERTY_DEFAULTS, type PropertyFieldName } from '#contract/property-fields.ts'
import { visibleRegister } from '#server/access/account-properties.ts'
import { propertyInScope } from '#server/access/link-scope.ts'
import { TRUE, uuids } from '#server/access/scope.ts'
import { copyBatches, idsAsText } from '#server/db/read-batches.ts'
import type { Context } from '#server/engines/context.ts'
import { SCHEDULE_ORDER } from './property-columns.ts'
import { countedFacts, countedProperties } from './property-counts.ts'
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
}

export async function readUsed(ctx: Context, request: ListRequest): Promise<Used> {
  const where = requested(ctx, request)
  const isUsed = OPTIONAL_FIELDS.map(
    (name, at) => sql`CASE WHEN ${sql.ref(`account_properties.${name}`)} IS DISTINCT FROM ${sql.lit(DEFAULTS[name] ?? null)}
      THEN ${sql.lit(2 ** at)}::bigint ELSE 0 END`,
  )
  // As one sum of bits per row: an aggregate for each field takes three times as long.
  const { rows } = await sql<{ used: string | null; custom: boolean | null }>`
    SELECT bit_or(${sql.join(isUsed, sql` | `)})::text AS used, bool_or(account_properties.custom <> '{}') AS custom
    FROM account_properties WHERE ${where}`.execute(ctx.db)
  const bits = BigInt(rows[0]?.used ?? 0)
  return {
    used: new Set(OPTIONAL_FIELDS.filter((_, at) => (bits >> BigInt(at)) & 1n)),
    custom: rows[0]?.custom === true ? await customFields(ctx, where) : [],
  }
}

async function customFields(ctx: Context, where: RawBuilder<SqlBool>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT DISTINCT jsonb_object_keys(account_properties.custom) AS name
    FROM account_properties WHERE ${where} AND account_properties.custom <> '{}' ORDER BY 1`.execute(ctx.db)
  return rows.map(({ name }) => name)
}

/** Two ahead, because batches wait as bytes. */
const BATCH = { size: 4_000, ahead: 2 }

/**
 * The ids of the active and of the divested properties in the order of a schedule (`idsAsText`). By one statement, so that a property that is
 * divested meanwhile is in one of them.
 */
export async function listedIds(ctx: Context, request: ListRequest): Promise<{ active: string; divested: string }> {
  const listed = (status: 'active' | 'divested') =>
    idsAsText(sql`SELECT account_properties.id FROM account_properties
      WHERE ${requested(ctx, request)} AND account_properties.status = ${status} ORDER BY ${SCHEDULE_ORDER}`)
  const { rows } = await sql<{ active: string; divested: string }>`
    SELECT ${listed('active')} AS active, ${listed('divested')} AS divested`.execute(ctx.db)
  return rows[0] ?? { active: '', divested: '' }
}

/** The values of these properties (`listedIds`) as texts. A property that the viewer no longer sees when its batch is read is left out. */
export const readList = (ctx: Context, accountId: string, ids: string, columns: readonly ListedValue[]): AsyncGenerator<string[][]> =>
  copyBatches(ctx.reader, ids, BATCH, (batch) => countedProperties(ctx, batch, { columns, where: requested(ctx, { accountId, ids: null }) }))

/** SQL: one text of what the list shows of its properties. Each change of a property raises its version. */
export const listedFacts = (ctx: Context, request: ListRequest): RawBuilder<unknown> => countedFacts(ctx, requested(ctx, request))
