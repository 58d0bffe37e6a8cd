import type { PoolClient } from 'pg'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import type { ImportRecord } from '#server/features/imports/imports.queries.ts'
import type { PlannedRow } from '#server/features/imports/pipeline/plan/plan-rows.ts'
import type { DivestedRow, DivestedSheet } from '#server/features/imports/pipeline/plan/propose-divested.ts'
import { tivOf } from '#server/features/imports/pipeline/validate/check-row.ts'
import { hasError } from '#server/features/imports/pipeline/validate/results.ts'
import { cellReferences } from '#server/features/imports/selected-sheets.ts'
import { DATA_ROWS, SKIPPED_ROWS, copyRows } from './staged-rows.ts'

type CellReference = ReturnType<typeof cellReferences>

/** Stores the plan of every row with its staged cells, in one statement for all rows. */
export async function storePreview(
  client: PoolClient,
  record: ImportRecord,
  rows: readonly PlannedRow[],
  sold: readonly DivestedSheet[],
): Promise<void> {
  const { id: importId } = record
  await client.query(`CREATE TEMP TABLE preview_rows (row_number integer, fields jsonb, issues jsonb, has_error boolean, tab text, property_id uuid,
    match_rule text, candidates uuid[], changes jsonb, tiv bigint) ON COMMIT DROP`)
  await copyRows(client, 'preview_rows', linesOf(rows, cellReferences(record)))
  await client.query(
    `UPDATE import_rows SET tab = CASE WHEN ${SKIPPED_ROWS} THEN 'excluded' END, fields = '{}', issues = '[]',
        has_error = false, changes = NULL, candidates = NULL, tiv = NULL, match_rule = NULL, property_id = CASE WHEN matched_by_hand THEN property_id END
      WHERE import_id = $1 AND NOT (${DATA_ROWS})`,
    [importId],
  )
  await client.query(
    `UPDATE import_rows r SET fields = p.fields, issues = p.issues, has_error = p.has_error, tab = p.tab, match_rule = p.match_rule,
        property_id = CASE WHEN r.matched_by_hand THEN r.property_id ELSE p.property_id END, candidates = p.candidates, changes = p.changes, tiv = p.tiv
      FROM preview_rows p WHERE r.import_id = $1 AND r.row_number = p.row_number`,
    [importId],
  )
  await client.query(
    `UPDATE import_rows r SET tab = 'remove', property_id = s.property_id, tiv = s.tiv, fields = jsonb_build_object('sold_on', s.sold_on, 'exact', s.exact)
      FROM jsonb_to_recordset($2::jsonb) AS s (number integer, property_id uuid, tiv bigint, sold_on text, exact boolean)
      WHERE r.import_id = $1 AND r.row_number = s.number`,
    [importId, JSON.stringify(sold.flatMap(({ divested }) => divested.map(removalLine)))],
  )
}

const removalLine = ({ number, property, divestedOn, exact }: DivestedRow) => ({
  number,
  property_id: property.id,
  tiv: tivOf(property.values),
  sold_on: divestedOn,
  exact,
})

function* linesOf(rows: readonly PlannedRow[], cellReference: CellReference) {
  for (const row of rows) {
    const changed = row.changes !== undefined && Object.keys(row.changes).length > 0
    yield [
      row.number,
      JSON.stringify(storedFields(row, cellReference)),
      JSON.stringify(row.issues),
      hasError(row.issues),
      row.tab,
      row.property?.id ?? null,
      row.rule,
      row.candidates.length === 0 ? null : `{${row.candidates.map(({ id }) => id).join(',')}}`,
      changed ? JSON.stringify(row.changes) : null,
      row.tiv,
    ] as const
  }
}

/** The values, the keys of the address as the register will store it, and the cell that each value came from. */
function storedFields(
  { number, fields, custom, origin: columns, property, keys, changes = {} }: PlannedRow,
  cellReference: CellReference,
): object {
  const changed = () => Object.fromEntries(Object.entries(changes).map(([name, [, value]]) => [name, value]))
  const { strong, weak } = property ? addressKeys({ ...property.values, ...fields, ...changed() }) : keys
  const origin = Object.fromEntries(Object.entries(columns).map(([name, letter]) => [name, cellReference(letter, number)]))
  return { ...fields, custom, origin, address_key: strong, weak_address_key: weak }
}
