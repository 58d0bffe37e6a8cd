import { sql, type SqlBool } from 'kysely'
import { PROPERTY_DEFAULTS, type PropertyFieldName } from '#contract/property-fields.ts'
import { visibleRegister } from '#server/access/account-properties.ts'
import { propertyInScope } from '#server/access/link-scope.ts'
import { TRUE, uuids } from '#server/access/scope.ts'
import { idsAsText, readArrays, readBatches } from '#server/db/read-batches.ts'
import type { Context } from '#server/engines/context.ts'
import { SCHEDULE_ORDER } from './property-columns.ts'
import { countedProperties } from './property-counts.ts'
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

const BATCH_ROWS = 2_000

interface Read extends ListRequest {
  status: 'active' | 'divested'
  values: readonly ListedValue[]
}

/** The values of the properties in the order of a schedule, in batches. A property that the viewer no longer sees when its batch is read is left out. */
export async function* readList(ctx: Context, { status, values, ...request }: Read): AsyncGenerator<unknown[][]> {
  const listed = sql`SELECT account_properties.id FROM account_properties
    WHERE ${requested(ctx, request)} AND account_properties.status = ${status}
    ORDER BY ${SCHEDULE_ORDER}`
  const { rows } = await sql<{ ids: string }>`SELECT ${idsAsText(listed)} AS ids`.execute(ctx.db)
  yield* readBatches(rows[0]?.ids ?? '', BATCH_ROWS, (batch) =>
    readArrays(ctx, countedProperties(ctx, batch, { columns: values, where: requested(ctx, { ...request, ids: null }) })),
  )
}
