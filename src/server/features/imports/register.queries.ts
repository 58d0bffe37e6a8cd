import { sql } from 'kysely'
import type { ImportRow } from '#contract/import-rows.ts'
import { PROPERTY_FIELD_NAMES, type PropertyValues } from '#contract/property-fields.ts'
import type { Reader } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { NIL_UUID } from '#server/kernel/uuid.ts'
import type { RegisterRow } from '#server/features/imports/pipeline/match/match-rows.ts'
import { DATA_ROWS } from '#server/features/imports/staging/staged-rows.ts'
import type { ImportRecord } from './imports.queries.ts'

export type PropertySummary = NonNullable<ImportRow['property']>

/** `address, address_2, city, state postal_code`, as the register shows it. */
export const fullAddressSql = sql`concat_ws(', ', nullif(p.address, ''), nullif(p.address_2, ''), nullif(p.city, ''), nullif(concat_ws(' ', p.state, p.postal_code), ''), nullif(p.country, 'US'))`
const nameSql = sql`concat_ws(' ', p.location_number, p.property_name)`

export async function propertySummaries(ctx: Context, accountId: string, ids: readonly string[]): Promise<Map<string, PropertySummary>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<PropertySummary>`SELECT p.id, ${nameSql} AS name, ${fullAddressSql} AS full_address FROM account_properties p
    WHERE p.account_id = ${accountId} AND p.id = ANY(${[...new Set(ids)]}::uuid[])`.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, row]))
}

const activeSql = (record: ImportRecord) => sql`p.account_id = ${record.account_id} AND p.status = 'active' AND p.deleted_at IS NULL`

/** SQL condition: row `s` of a divested sheet proposes property `p`. */
export const divestedRowSql = (record: ImportRecord) =>
  sql`s.import_id = ${record.id} AND s.kind = 'sold' AND s.tab = 'remove' AND s.property_id = p.id`

/** SQL condition: no row of the schedule matches the property, and the mode is full replacement. */
const missingSql = (record: ImportRecord) => sql`${record.mode === 'full_replacement'}
  AND NOT EXISTS (SELECT 1 FROM import_rows r WHERE r.import_id = ${record.id} AND ${sql.raw(DATA_ROWS)}
    AND (r.property_id = p.id OR p.id = ANY(r.candidates)))`

/** SQL condition: an active property that a divested sheet lists (joined as `s`), or that is missing. */
export const removableSql = (record: ImportRecord) => sql`${activeSql(record)} AND (s.property_id IS NOT NULL OR (${missingSql(record)}))`

export interface Removable extends PropertySummary {
  tiv: number
  /** The row of the divested sheet; null for a missing property. */
  row_number: number | null
  sheet_index: number | null
  sheet_row: number | null
  sold_on: string | null
  exact: boolean | null
}

export async function listRemovable(ctx: Context, record: ImportRecord, limit: number, offset: number): Promise<Removable[]> {
  const { rows } = await sql<Removable>`SELECT p.id, ${nameSql} AS name, ${fullAddressSql} AS full_address, p.tiv,
      s.row_number, s.sheet_index, s.sheet_row, s.fields->>'sold_on' AS sold_on, (s.fields->>'exact')::boolean AS exact
    FROM account_properties p LEFT JOIN import_rows s ON ${divestedRowSql(record)}
    WHERE ${removableSql(record)} ORDER BY s.row_number NULLS LAST, p.location_number, p.id LIMIT ${limit} OFFSET ${offset}`.execute(ctx.db)
  return rows
}

const PAGE_ROWS = 1_000

/** The whole register of an account, including divested and deleted properties. Reads in pages. */
export async function loadRegister(db: Reader, accountId: string): Promise<RegisterRow[]> {
  const columns = sql.raw(PROPERTY_FIELD_NAMES.join(', '))
  const register: RegisterRow[] = []
  let last = NIL_UUID
  for (;;) {
    const { rows } = await sql<PropertyValues & Omit<RegisterRow, 'values'>>`SELECT id, status, deleted_at IS NOT NULL AS trashed,
        address_key AS "addressKey", weak_address_key AS "weakAddressKey", custom, ${columns}
      FROM account_properties WHERE account_id = ${accountId} AND id > ${last} ORDER BY id LIMIT ${PAGE_ROWS}`.execute(db)
    for (const { id, status, trashed, addressKey, weakAddressKey, custom, ...values } of rows)
      register.push({ id, status, trashed, addressKey, weakAddressKey, custom, values })
    const end = rows.at(-1)
    if (end === undefined || rows.length < PAGE_ROWS) return register
    last = end.id
  }
}
