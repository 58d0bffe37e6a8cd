import { sql } from 'kysely'
import type { Context } from '#server/engines/context.ts'
import type { ImportRecord } from './import-record.ts'
import { DATA_ROWS } from './staging/staged-rows.ts'

export interface Place {
  id: string
  name: string
  full_address: string
}

/** `address, address_2, city, state postal_code`, as the register shows a property. */
export const fullAddressSql = sql`concat_ws(', ', nullif(p.address, ''), nullif(p.address_2, ''), nullif(p.city, ''), nullif(concat_ws(' ', p.state, p.postal_code), ''), nullif(p.country, 'US'))`
const nameSql = sql`concat_ws(' ', p.location_number, p.property_name)`

/** Properties of the account by id, as a person recognises them. */
export async function placesOf(ctx: Context, accountId: string, ids: readonly string[]): Promise<Map<string, Place>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Place>`SELECT p.id, ${nameSql} AS name, ${fullAddressSql} AS full_address FROM account_properties p
    WHERE p.account_id = ${accountId} AND p.id = ANY(${[...new Set(ids)]}::uuid[])`.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, row]))
}

const activeSql = (record: ImportRecord) => sql`p.account_id = ${record.account_id} AND p.status = 'active' AND p.deleted_at IS NULL`

/** The row of a sold sheet that proposes a property. */
export const soldRowSql = (record: ImportRecord) =>
  sql`s.import_id = ${record.id} AND s.kind = 'sold' AND s.tab = 'remove' AND s.property_id = p.id`

/** Which active properties the file does not speak of: those that a full replacement proposes as divested. */
const missingSql = (record: ImportRecord) => sql`${record.mode === 'full_replacement'}
  AND NOT EXISTS (SELECT 1 FROM import_rows r WHERE r.import_id = ${record.id} AND ${sql.raw(DATA_ROWS)}
    AND (r.property_id = p.id OR p.id = ANY(r.candidates)))`

/** Active properties that may be marked divested: those a sold sheet names (joined as `s`), and those that are missing. */
export const removableSql = (record: ImportRecord) => sql`${activeSql(record)} AND (s.property_id IS NOT NULL OR (${missingSql(record)}))`

export interface Removable extends Place {
  tiv: number
  /** The row of the sold sheet; null for a property that is merely missing. */
  row_number: number | null
  sheet_index: number | null
  sheet_row: number | null
  sold_on: string | null
  exact: boolean | null
}

export async function removableOf(ctx: Context, record: ImportRecord, limit: number, offset: number): Promise<Removable[]> {
  const { rows } = await sql<Removable>`SELECT p.id, ${nameSql} AS name, ${fullAddressSql} AS full_address, p.tiv,
      s.row_number, s.sheet_index, s.sheet_row, s.fields->>'sold_on' AS sold_on, (s.fields->>'exact')::boolean AS exact
    FROM account_properties p LEFT JOIN import_rows s ON ${soldRowSql(record)}
    WHERE ${removableSql(record)} ORDER BY s.row_number NULLS LAST, p.location_number, p.id LIMIT ${limit} OFFSET ${offset}`.execute(ctx.db)
  return rows
}
