import { sql } from 'kysely'
import type { ImportPatch } from '#contract/import-inputs.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { invalid } from '#server/kernel/errors.ts'
import type { ImportRecord } from './import-record.ts'
import { columnNumber } from './sheet/sheet-row.ts'

/** What a person changes in single rows: cells, whether they count, and which property they are. */
export async function changeRows(
  tx: WriteContext,
  record: ImportRecord,
  { edits, replace, exclusions, matches }: ImportPatch,
): Promise<void> {
  if (edits !== undefined) await editCells(tx, record, edits)
  if (replace !== undefined) await replaceCells(tx, record, replace)
  if (exclusions !== undefined) await excludeRows(tx, record, exclusions)
  if (matches !== undefined) await matchByHand(tx, record, matches)
}

/** An emptied cell is empty, not a text without letters. */
async function editCells(tx: WriteContext, { id }: ImportRecord, edits: NonNullable<ImportPatch['edits']>): Promise<void> {
  await sql`UPDATE import_rows r SET edits = r.edits || e.cells FROM (
      SELECT s."row", jsonb_object_agg(s."column", nullif(s.value, '')) AS cells
        FROM jsonb_to_recordset(${JSON.stringify(edits)}::jsonb) AS s ("row" integer, "column" text, value text) GROUP BY s."row"
    ) e WHERE r.import_id = ${id} AND r.row_number = e."row"`.execute(tx.db)
}

async function replaceCells(
  tx: WriteContext,
  { id }: ImportRecord,
  { column, from, to }: NonNullable<ImportPatch['replace']>,
): Promise<void> {
  const index = columnNumber(column) - 1
  await sql`UPDATE import_rows SET edits = edits || jsonb_build_object(${column}::text, nullif(${to}::text, ''))
    WHERE import_id = ${id} AND (kind = 'data' OR included)
      AND btrim(CASE WHEN edits ? ${column} THEN edits->>${column} ELSE cells->>${index}::integer END) = btrim(${from}::text)`.execute(
    tx.db,
  )
}

/** A row that was taken for something else becomes a location when a person puts it back; automatic takes both choices away. */
async function excludeRows(tx: WriteContext, { id }: ImportRecord, exclusions: NonNullable<ImportPatch['exclusions']>): Promise<void> {
  await sql`UPDATE import_rows r SET excluded = coalesce(s.excluded, false), included = NOT coalesce(s.excluded, true) AND r.kind NOT IN ('data', 'blank', 'header')
    FROM jsonb_to_recordset(${JSON.stringify(exclusions)}::jsonb) AS s ("row" integer, excluded boolean)
    WHERE r.import_id = ${id} AND r.row_number = s."row" AND r.kind <> 'sold'`.execute(tx.db)
}

async function matchByHand(
  tx: WriteContext,
  { id, account_id }: ImportRecord,
  matches: NonNullable<ImportPatch['matches']>,
): Promise<void> {
  const ids = [...new Set(matches.flatMap((match) => ('property_id' in match ? (match.property_id ?? []) : [])))]
  const known =
    ids.length === 0
      ? []
      : await tx.db
          .selectFrom('account_properties')
          .select('id')
          .where('account_id', '=', account_id)
          .where('id', 'in', ids)
          .where('deleted_at', 'is', null)
          .execute()
  if (known.length !== ids.length) throw invalid({ matches: ['One of the properties is not in this account any more.'] })
  await sql`UPDATE import_rows r SET matched_by_hand = NOT coalesce(s.automatic, false), property_id = s.property_id
    FROM jsonb_to_recordset(${JSON.stringify(matches)}::jsonb) AS s ("row" integer, property_id uuid, automatic boolean)
    WHERE r.import_id = ${id} AND r.row_number = s."row" AND r.kind <> 'sold'`.execute(tx.db)
}
