import { sql, type RawBuilder } from 'kysely'
import { PROPERTY_FIELD_NAMES } from '#contract/property-fields.ts'
import { uuids } from '#server/access/scope.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { WriteContext } from '#server/engines/context.ts'
import type { ImportRecord } from '#server/features/imports/import-record.ts'
import { removableSql, soldRowSql } from '#server/features/imports/places.queries.ts'

export interface Writing {
  tx: WriteContext
  record: ImportRecord
  /** Who imports, as the provenance of every value names them. */
  by: string
  at: Date
}

/** Columns the database does not leave empty. */
const DEFAULTS: Readonly<Record<string, string>> = {
  building_number: '1',
  country: 'US',
  currency: 'USD',
  property_type: 'unknown',
  sprinklered: 'unknown',
}
const WRITTEN = [...PROPERTY_FIELD_NAMES, 'address_key', 'weak_address_key'] as const

const columnList = sql.raw(WRITTEN.join(', '))
const valueList = sql.raw(
  WRITTEN.map((name) => (DEFAULTS[name] === undefined ? `v.${name}` : `coalesce(v.${name}, '${DEFAULTS[name]}')`)).join(', '),
)

/** Per field: import, who, when, which cell. `fields` says which of them. */
const sources = ({ record, by, at }: Writing, isNamed: RawBuilder<unknown>) => sql`(
  SELECT coalesce(jsonb_object_agg(o.key, jsonb_build_object('source', 'import', 'by', ${by}::text, 'at', ${at.toISOString()}::text,
      'ref', ${`${record.file_name}, cell `}::text || o.value)), '{}')
    FROM jsonb_each_text(r.fields->'origin') AS o WHERE ${isNamed})`

/** Adds the new properties among some rows, straight from staging. Returns how many. */
export async function addProperties(writing: Writing, from: number, to: number): Promise<number> {
  const { tx, record } = writing
  const { rows } = await sql<{ count: number }>`
    WITH added AS (
      INSERT INTO account_properties (account_id, custom, sources, import_id, created_by, ${columnList})
        SELECT ${record.account_id}::uuid, coalesce(r.fields->'custom', '{}'), ${sources(writing, sql`r.fields ? o.key`)}, ${record.id}::uuid, ${viewerId(tx.viewer)}::uuid, ${valueList}
          FROM import_rows r CROSS JOIN LATERAL jsonb_populate_record(NULL::account_properties, r.fields) AS v
          WHERE r.import_id = ${record.id} AND r.tab = 'add' AND r.row_number BETWEEN ${from} AND ${to}
          ORDER BY r.row_number
        RETURNING id, version
    ), noted AS (
      INSERT INTO import_effects (import_id, property_id, effect, version_after) SELECT ${record.id}::uuid, id, 'added', version FROM added RETURNING 1
    )
    SELECT count(*)::int AS count FROM noted`.execute(tx.db)
  return rows[0]?.count ?? 0
}

/** Changes the known properties among some rows and keeps what they were. A divested one that a person chose becomes active again. */
export async function changeProperties(writing: Writing, from: number, to: number): Promise<number> {
  const { tx, record } = writing
  const { rows } = await sql<{ count: number }>`
    WITH changed AS (
      SELECT r.property_id AS id, p.status = 'divested' AS divested, r.fields,
          coalesce((SELECT jsonb_object_agg(c.key, c.value->1) FROM jsonb_each(r.changes) AS c WHERE c.key NOT LIKE 'custom.%'), '{}') AS after,
          coalesce((SELECT jsonb_object_agg(substr(c.key, 8), c.value->1) FROM jsonb_each(r.changes) AS c WHERE c.key LIKE 'custom.%'), '{}') AS custom,
          ${sources(writing, sql`r.changes ? o.key`)} AS sources,
          to_jsonb(p) AS old
        FROM import_rows r JOIN account_properties p ON p.id = r.property_id AND p.account_id = ${record.account_id} AND p.deleted_at IS NULL
        WHERE r.import_id = ${record.id} AND r.tab = 'change' AND r.row_number BETWEEN ${from} AND ${to}
    ), written AS (
      UPDATE account_properties p SET
          (${columnList}) = (SELECT ${valueList} FROM jsonb_populate_record(p, c.after || jsonb_build_object(
            'address_key', c.fields->'address_key', 'weak_address_key', c.fields->'weak_address_key')) AS v),
          custom = p.custom || c.custom, sources = p.sources || c.sources, import_id = ${record.id}::uuid, version = p.version + 1, updated_at = ${writing.at},
          status = 'active', divested_on = NULL, divested_reason = NULL, divested_note = NULL
        FROM changed c WHERE p.id = c.id
        RETURNING p.id, p.version
    ), noted AS (
      INSERT INTO import_effects (import_id, property_id, effect, before, version_after)
        SELECT ${record.id}::uuid, w.id, CASE WHEN c.divested THEN 'reactivated' ELSE 'changed' END, (
            SELECT jsonb_object_agg(k.key, c.old->k.key) FROM (
              SELECT jsonb_object_keys(c.after) AS key UNION SELECT unnest(${KEPT}::text[])
            ) AS k
          ), w.version
          FROM written w JOIN changed c ON c.id = w.id
        RETURNING 1
    )
    SELECT count(*)::int AS count FROM noted`.execute(tx.db)
  return rows[0]?.count ?? 0
}

/** Beside the changed fields an undo needs these back. */
export const KEPT = [
  'address_key',
  'weak_address_key',
  'custom',
  'sources',
  'import_id',
  'status',
  'divested_on',
  'divested_reason',
  'divested_note',
]

/** Marks divested those of the given properties that the preview proposed, sold ones on the day that was given for them. Returns how many. */
export async function divestProperties({ tx, record, at }: Writing, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { rows } = await sql<{ count: number }>`
    WITH proposed AS (
      SELECT p.id, coalesce((s.fields->>'sold_on')::date, ${at.toISOString().slice(0, 10)}::date) AS divested_on,
          CASE WHEN s.property_id IS NULL THEN 'other' ELSE 'sold' END AS reason,
          CASE WHEN s.property_id IS NULL THEN ${`Not in ${record.file_name}`} ELSE concat('Row ', s.sheet_row, ' of “', ${sheetNameSql(record)}, '” in ', ${record.file_name}::text) END AS note
        FROM account_properties p LEFT JOIN import_rows s ON ${soldRowSql(record)}
        WHERE p.id = ANY(${uuids(ids)}) AND ${removableSql(record)}
    ), gone AS (
      UPDATE account_properties p SET status = 'divested', divested_on = o.divested_on, divested_reason = o.reason,
          divested_note = left(o.note, ${NOTE_CHARACTERS}), version = p.version + 1, updated_at = ${at}
        FROM proposed o WHERE p.id = o.id
        RETURNING p.id, p.version
    ), noted AS (
      INSERT INTO import_effects (import_id, property_id, effect, before, version_after)
        SELECT ${record.id}::uuid, id, 'divested', '{"status": "active", "divested_on": null, "divested_reason": null, "divested_note": null}', version FROM gone
        RETURNING 1
    )
    SELECT count(*)::int AS count FROM noted`.execute(tx.db)
  return rows[0]?.count ?? 0
}

const NOTE_CHARACTERS = 500

const sheetNameSql = ({ id }: ImportRecord) =>
  sql`(SELECT t->>'name' FROM imports i CROSS JOIN LATERAL jsonb_array_elements(i.sheets) AS t WHERE i.id = ${id} AND (t->>'index')::integer = s.sheet_index)`
