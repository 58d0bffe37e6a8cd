import { sql } from 'kysely'
import { TIV_PARTS } from '#contract/property-fields.ts'
import type { ImportRow } from '#contract/import-rows.ts'
import type { RemovalChoice } from '#contract/import-inputs.ts'
import { PROPERTY_FIELD_NAMES, type PropertyValues } from '#contract/property-fields.ts'
import { uuids } from '#server/access/scope.ts'
import type { Reader } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { naturalOrder } from '#server/engines/datatable/natural-order.ts'
import { NIL_UUID } from '#server/kernel/uuid.ts'
import type { RegisterRow } from '#server/features/imports/pipeline/match/register-index.ts'
import { propertyKeys, type KeyedProperty } from '#server/features/imports/pipeline/match/row-links.ts'
import { DATA_ROWS } from '#server/features/imports/staging/staged-rows.ts'
import type { ImportRecord } from './imports.queries.ts'

export type PropertySummary = NonNullable<ImportRow['property']> & { currency: string }

/** `address, address_2, city, state postal_code`, as the register shows it. */
export const fullAddressSql = sql`concat_ws(', ', nullif(p.address, ''), nullif(p.address_2, ''), nullif(p.city, ''), nullif(concat_ws(' ', p.state, p.postal_code), ''), nullif(p.country, 'US'))`
const nameSql = sql`concat_ws(' ', p.location_number, p.property_name)`

export async function propertySummaries(ctx: Context, accountId: string, ids: readonly string[]): Promise<Map<string, PropertySummary>> {
  if (ids.length === 0) return new Map()
  const { rows } =
    await sql<PropertySummary>`SELECT p.id, ${nameSql} AS name, ${fullAddressSql} AS full_address, p.currency FROM account_properties p
    WHERE p.account_id = ${accountId} AND p.id = ANY(${[...new Set(ids)]}::uuid[])`.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, row]))
}

const activeSql = (record: ImportRecord) => sql`p.account_id = ${record.account_id} AND p.status = 'active' AND p.deleted_at IS NULL`

/** The active properties of the account as they are now. */
export async function registerSum(tx: WriteContext, record: ImportRecord): Promise<{ rows: number; tiv: number }> {
  const { rows } = await sql<{ rows: number; tiv: number }>`SELECT count(*)::int AS rows, coalesce(sum(p.tiv), 0)::float8 AS tiv
    FROM account_properties p WHERE ${activeSql(record)}`.execute(tx.db)
  return rows[0] ?? { rows: 0, tiv: 0 }
}

/**
 * SQL table of the properties that the preview proposes to mark divested: `id`, and `row_number` of the row that lists it as divested, or
 * NULL for a property that is missing in a full replacement. EXCEPT hashes or sorts, so it is linear even without statistics of the rows.
 */
function removableSql(record: ImportRecord) {
  const proposed = sql`SELECT property_id, row_number FROM import_rows WHERE import_id = ${record.id} AND tab = 'remove'`
  if (record.mode !== 'full_replacement') return sql`(${proposed}) AS m (id, row_number)`
  return sql`(${proposed} UNION ALL SELECT missing.id, NULL FROM (
      SELECT p.id FROM account_properties p WHERE ${activeSql(record)}
      EXCEPT (SELECT property_id FROM import_rows
          WHERE import_id = ${record.id} AND (tab = 'remove' OR ${sql.raw(DATA_ROWS)}) AND property_id IS NOT NULL
        UNION ALL SELECT unnest(candidates) FROM import_rows
          WHERE import_id = ${record.id} AND ${sql.raw(DATA_ROWS)} AND candidates IS NOT NULL)
    ) AS missing) AS m (id, row_number)`
}

/**
 * SQL: the proposed removals `m` with their property `p` and the row `s` of the divested sheet, if there is one. OFFSET 0 makes the
 * planner look each property up by its id; without statistics it would read the whole account for each.
 */
export const removalsSql = (record: ImportRecord) => sql`${removableSql(record)} 
  JOIN LATERAL (SELECT * FROM account_properties WHERE id = m.id OFFSET 0) AS p ON ${activeSql(record)}
  LEFT JOIN import_rows s ON s.import_id = ${record.id} AND s.row_number = m.row_number`

export interface Removable extends PropertySummary {
  tiv: number | null
  /** The row of the divested sheet; null for a missing property. */
  row_number: number | null
  sheet_index: number | null
  sheet_row: number | null
  sold_on: string | null
  exact: boolean | null
}

export async function listRemovable(ctx: Context, record: ImportRecord, limit: number, offset: number): Promise<Removable[]> {
  const { rows } = await sql<Removable>`SELECT p.id, ${nameSql} AS name, ${fullAddressSql} AS full_address, p.currency,
      CASE WHEN num_nonnulls(${sql.raw(TIV_PARTS.map((part) => `p.${part}`).join(', '))}) > 0 THEN p.tiv END AS tiv,
      s.row_number, s.sheet_index, s.sheet_row, s.fields->>'sold_on' AS sold_on, (s.fields->>'exact')::boolean AS exact
    FROM ${removalsSql(record)} ORDER BY s.row_number NULLS LAST, ${naturalOrder('p.location_number')}, p.id LIMIT ${limit} OFFSET ${offset}`.execute(
    ctx.db,
  )
  return rows
}

/** The ids of the proposed removals that a commit marks divested, unless the client sent them one by one. */
export async function chosenRemovals(ctx: Context, record: ImportRecord, { all_except, also }: RemovalChoice): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT p.id FROM ${removalsSql(record)}
    WHERE (coalesce((s.fields->>'exact')::boolean, true) AND p.id <> ALL(${uuids(all_except)})) OR p.id = ANY(${uuids(also)})`.execute(
    ctx.db,
  )
  return rows.map(({ id }) => id)
}

/** The ids that are of no property of the account; divested and deleted ones are. */
export async function otherIds(ctx: Context, accountId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM unnest(${uuids([...ids])}) AS id
    WHERE NOT EXISTS (SELECT FROM account_properties p WHERE p.account_id = ${accountId} AND p.id = id.id)`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

const PAGE_ROWS = 1_000

/** What connects the properties of an account with rows, including divested and deleted properties. */
export async function loadPropertyKeys(db: Reader, accountId: string): Promise<Map<string, string[]>> {
  const { rows } = await sql<
    KeyedProperty & KeyedProperty['values']
  >`SELECT id, address_key AS strong, weak_address_key AS weak, location_number,
      external_id, property_name, city, latitude, longitude FROM account_properties WHERE account_id = ${accountId}`.execute(db)
  return new Map(rows.map((row) => [row.id, propertyKeys({ ...row, values: row })]))
}

/** The register of an account, including divested and deleted properties; with `ids`, only these. Reads in pages. */
export async function loadRegister(db: Reader, accountId: string, ids?: ReadonlySet<string>): Promise<RegisterRow[]> {
  const chosen = ids === undefined ? sql`` : sql` AND id = ANY(${uuids([...ids])})`
  const columns = sql.raw(PROPERTY_FIELD_NAMES.join(', '))
  const register: RegisterRow[] = []
  let last = NIL_UUID
  for (;;) {
    const { rows } = await sql<PropertyValues & Omit<RegisterRow, 'values'>>`SELECT id, status, deleted_at IS NOT NULL AS trashed,
        address_key AS "addressKey", weak_address_key AS "weakAddressKey", custom, ${columns}
      FROM account_properties WHERE account_id = ${accountId} AND id > ${last}${chosen} ORDER BY id LIMIT ${PAGE_ROWS}`.execute(db)
    for (const { id, status, trashed, addressKey, weakAddressKey, custom, ...values } of rows)
      register.push({ id, status, trashed, addressKey, weakAddressKey, custom, values })
    const end = rows.at(-1)
    if (end === undefined || rows.length < PAGE_ROWS) return register
    last = end.id
  }
}
