import { sql } from 'kysely'
import type { Context } from '#server/engines/context.ts'
import type { ImportRecord } from './import-record.ts'

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

/** Which active properties the file does not speak of: those that a full replacement proposes as divested. */
export const missingSql = (record: ImportRecord) => sql`p.account_id = ${record.account_id} AND p.status = 'active' AND p.deleted_at IS NULL
  AND ${record.mode === 'full_replacement'}
  AND NOT EXISTS (SELECT 1 FROM import_rows r WHERE r.import_id = ${record.id} AND r.kind = 'data' AND NOT r.excluded
    AND (r.property_id = p.id OR p.id = ANY(r.candidates)))`

export async function missingOf(ctx: Context, record: ImportRecord, limit: number, offset: number): Promise<(Place & { tiv: number })[]> {
  const { rows } = await sql<Place & { tiv: number }>`SELECT p.id, ${nameSql} AS name, ${fullAddressSql} AS full_address, p.tiv
    FROM account_properties p WHERE ${missingSql(record)} ORDER BY p.location_number, p.id LIMIT ${limit} OFFSET ${offset}`.execute(ctx.db)
  return rows
}
