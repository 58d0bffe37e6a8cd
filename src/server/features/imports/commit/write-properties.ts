import { type RawBuilder, sql } from 'kysely'
import { PROPERTY_DEFAULTS, PROPERTY_FIELD_NAMES } from '#contract/property-fields.ts'
import { uuids } from '#server/access/scope.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { WriteContext } from '#server/engines/context.ts'
import type { ImportRecord } from '#server/features/imports/imports.queries.ts'
import { removalsSql } from '#server/features/imports/register.queries.ts'
import { sheetPrefixes } from '#server/features/imports/selected-sheets.ts'

export interface ImportWrite {
  tx: WriteContext
  record: ImportRecord
  /** The name of the user, for the provenance of every value. */
  by: string
  at: Date
}

const DEFAULTS: Readonly<Record<string, string | number>> = PROPERTY_DEFAULTS
const WRITTEN = [...PROPERTY_FIELD_NAMES, 'address_key', 'weak_address_key'] as const

const columnList = sql.raw(WRITTEN.join(', '))
const valueList = sql.raw(
  WRITTEN.map((name) => (DEFAULTS[name] === undefined ? `v.${name}` : `coalesce(v.${name}, '${DEFAULTS[name]}')`)).join(', '),
)

/**
 * The provenance of the fields for which `isIncluded` holds: import, user, time and cell; of an empty field with the text that could not be
 * read. The origin of a field is the letter of its column, or the whole reference of a cell in another row.
 */
const sources = ({ record, by, at }: ImportWrite, isIncluded: RawBuilder<unknown>) => sql`(
  SELECT coalesce(jsonb_object_agg(o.key, jsonb_build_object('source', 'import', 'by', ${by}::text, 'at', ${at.toISOString()}::text,
      'ref', ${`${record.file_name}, cell `}::text || CASE WHEN o.value ~ '^[A-Z]{1,3}$'
        THEN (${JSON.stringify(sheetPrefixes(record))}::jsonb ->> r.sheet_index::text) || o.value || r.sheet_row ELSE o.value END)), '{}')
    FROM jsonb_each_text(coalesce(r.fields->'origin', '{}') || coalesce(r.fields->'unread', '{}')) AS o WHERE ${isIncluded})`

/** Adds the new properties of a range of rows from staging. Returns their number. */
export async function addProperties(write: ImportWrite, from: number, to: number): Promise<number> {
  const { tx, record } = write
  const { numAffectedRows } = await sql`
    WITH added AS (
      INSERT INTO account_properties (account_id, custom, sources, import_id, created_by, ${columnList})
        SELECT ${record.account_id}::uuid, coalesce(r.fields->'custom', '{}'), ${sources(write, sql`r.fields ? o.key OR r.fields->'unread' ? o.key`)}, ${record.id}::uuid, ${viewerId(tx.viewer)}::uuid, ${valueList}
          FROM import_rows r CROSS JOIN LATERAL jsonb_populate_record(NULL::account_properties, r.fields) AS v
          WHERE r.import_id = ${record.id} AND r.tab = 'add' AND r.row_number BETWEEN ${from} AND ${to}
          ORDER BY r.row_number
        RETURNING id, version
    )
    INSERT INTO import_effects (import_id, property_id, effect, version_after)
      SELECT ${record.id}::uuid, id, 'added', version FROM added`.execute(tx.db)
  return Number(numAffectedRows)
}

/**
 * Removes the numbers of the properties that get another one, before any of them is written: a unique index checks each row at once, and
 * the numbers may move from property to property.
 * @param moved a query of `property_id` and `fields`, a JSON object whose keys are the fields that are written
 */
export async function releaseNumbers(tx: WriteContext, accountId: string, moved: RawBuilder<unknown>): Promise<void> {
  await sql`UPDATE account_properties p SET
      location_number = CASE WHEN m.fields ? 'location_number' THEN NULL ELSE p.location_number END,
      building_number = CASE WHEN m.fields ? 'building_number' THEN p.id::text ELSE p.building_number END
    FROM (${moved}) m WHERE m.fields ?| ARRAY['location_number', 'building_number'] AND p.id = m.property_id
      AND p.account_id = ${accountId}`.execute(tx.db)
}

/** The rows of an import that change a property, for `releaseNumbers`. */
export const changedRows = ({ id }: ImportRecord): RawBuilder<unknown> =>
  sql`SELECT property_id, changes AS fields FROM import_rows WHERE import_id = ${id} AND tab = 'change'`

/** Changes the matched properties of a range of rows and stores their former values for an undo. Divested properties become active again. */
export async function changeProperties(write: ImportWrite, from: number, to: number): Promise<number> {
  const { tx, record } = write
  const { numAffectedRows } = await sql`
    WITH changed AS (
      SELECT r.property_id AS id, p.status = 'divested' AS divested, r.fields, r.changes,
          coalesce((SELECT jsonb_object_agg(c.key, c.value->1) FROM jsonb_each(r.changes) AS c WHERE c.key NOT LIKE 'custom.%'), '{}') AS after,
          coalesce((SELECT jsonb_object_agg(substr(c.key, 8), c.value->1) FROM jsonb_each(r.changes) AS c WHERE c.key LIKE 'custom.%'), '{}') AS custom,
          ${sources(write, sql`r.changes ? o.key OR (r.fields->'unread' ? o.key AND to_jsonb(p)->>o.key IS NULL)`)} AS sources,
          to_jsonb(p) || coalesce((SELECT jsonb_object_agg(c.key, c.value->0) FROM jsonb_each(r.changes) AS c
            WHERE c.key IN ('location_number', 'building_number')), '{}') AS old
        FROM import_rows r JOIN account_properties p ON p.id = r.property_id AND p.account_id = ${record.account_id} AND p.deleted_at IS NULL
        WHERE r.import_id = ${record.id} AND r.tab = 'change' AND r.row_number BETWEEN ${from} AND ${to}
    ), written AS (
      UPDATE account_properties p SET
          (${columnList}) = (SELECT ${valueList} FROM jsonb_populate_record(p, c.after || jsonb_build_object(
            'address_key', c.fields->'address_key', 'weak_address_key', c.fields->'weak_address_key')) AS v),
          custom = jsonb_strip_nulls(p.custom || c.custom), sources = p.sources || c.sources, import_id = ${record.id}::uuid, version = p.version + 1, updated_at = ${write.at}, checked_digest = NULL,
          status = 'active', divested_on = NULL, divested_reason = NULL, divested_note = NULL
        FROM changed c WHERE p.id = c.id
        RETURNING p.id, p.version
    ), history AS (
      INSERT INTO property_changes (property_id, changed_at, actor_name, source, ref, import_id, changes)
        SELECT id, ${write.at}, ${write.by}, 'import', ${record.file_name}, ${record.id}::uuid, changes FROM changed WHERE changes <> '{}'
    )
    INSERT INTO import_effects (import_id, property_id, effect, before, version_after)
      SELECT ${record.id}::uuid, w.id, CASE WHEN c.divested THEN 'reactivated' ELSE 'changed' END, (
          SELECT jsonb_object_agg(k.key, c.old->k.key)
            FROM (SELECT jsonb_object_keys(c.after) AS key UNION SELECT unnest(${UNDO_COLUMNS}::text[])) AS k
        ), w.version
        FROM written w JOIN changed c ON c.id = w.id`.execute(tx.db)
  return Number(numAffectedRows)
}

/** An undo restores these columns in addition to the changed fields. */
export const UNDO_COLUMNS = [
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

/**
 * Marks the given properties divested if the preview proposes it, on the date in the divested sheet if there is one. Returns their number.
 * The note does not name the file, because everyone who sees the property reads it.
 */
export async function divestProperties({ tx, record, at }: ImportWrite, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { numAffectedRows } = await sql`
    WITH proposed AS (
      SELECT p.id, coalesce((s.fields->>'sold_on')::date, ${at.toISOString().slice(0, 10)}::date) AS divested_on,
          CASE WHEN s.kind = 'sold' THEN 'sold' ELSE 'other' END AS reason,
          CASE WHEN s.row_number IS NULL THEN 'Not in the imported file' ELSE concat('Row ', s.sheet_row, ' of “', ${sheetNameSql(record)}, '” in the imported file') END AS note
        FROM ${removalsSql(record)} WHERE p.id = ANY(${uuids(ids)})
    ), gone AS (
      UPDATE account_properties p SET status = 'divested', divested_on = o.divested_on, divested_reason = o.reason,
          divested_note = left(o.note, ${NOTE_CHARACTERS}), version = p.version + 1, updated_at = ${at}
        FROM proposed o WHERE p.id = o.id
        RETURNING p.id, p.version
    )
    INSERT INTO import_effects (import_id, property_id, effect, before, version_after)
      SELECT ${record.id}::uuid, id, 'divested', '{"status": "active", "divested_on": null, "divested_reason": null, "divested_note": null}', version
        FROM gone`.execute(tx.db)
  return Number(numAffectedRows)
}

const NOTE_CHARACTERS = 500

const sheetNameSql = ({ id }: ImportRecord) =>
  sql`(SELECT t->>'name' FROM imports i CROSS JOIN LATERAL jsonb_array_elements(i.sheets) AS t WHERE i.id = ${id} AND (t->>'index')::integer = s.sheet_index)`
