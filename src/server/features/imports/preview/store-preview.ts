import type { PoolClient } from 'pg'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import { copyLines } from '#server/features/imports/staging/copy-lines.ts'
import { hasError } from '#server/features/imports/rows/check-row.ts'
import type { ImportRecord } from '#server/features/imports/import-record.ts'
import { cellNames } from '#server/features/imports/sheet/taken-sheets.ts'
import type { SettledRow } from './settle-tabs.ts'

type CellName = ReturnType<typeof cellNames>

/** Writes what every row says and what will become of it beside the staged cells, in one statement for all rows. */
export async function storePreview(client: PoolClient, record: ImportRecord, rows: readonly SettledRow[]): Promise<void> {
  const { id: importId } = record
  await client.query(`CREATE TEMP TABLE preview_rows (row_number integer, fields jsonb, issues jsonb, has_error boolean, tab text, property_id uuid,
    match_rule text, candidates uuid[], changes jsonb, tiv bigint) ON COMMIT DROP`)
  await copyLines(client, 'preview_rows', linesOf(rows, cellNames(record)))
  await client.query(
    `UPDATE import_rows SET tab = CASE WHEN excluded OR kind NOT IN ('data', 'blank', 'header') THEN 'excluded' END, fields = '{}', issues = '[]',
        has_error = false, changes = NULL, candidates = NULL, tiv = NULL, match_rule = NULL, property_id = CASE WHEN matched_by_hand THEN property_id END
      WHERE import_id = $1 AND (excluded OR kind <> 'data')`,
    [importId],
  )
  await client.query(
    `UPDATE import_rows r SET fields = p.fields, issues = p.issues, has_error = p.has_error, tab = p.tab, match_rule = p.match_rule,
        property_id = CASE WHEN r.matched_by_hand THEN r.property_id ELSE p.property_id END, candidates = p.candidates, changes = p.changes, tiv = p.tiv
      FROM preview_rows p WHERE r.import_id = $1 AND r.row_number = p.row_number`,
    [importId],
  )
}

function* linesOf(rows: readonly SettledRow[], cellName: CellName) {
  for (const row of rows) {
    const changed = row.changes !== undefined && Object.keys(row.changes).length > 0
    yield [
      row.number,
      JSON.stringify(storedFields(row, cellName)),
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

/** The keys of the address as it will stand in the register, and the cell every value came from, beside the values. */
function storedFields({ number, fields, custom, origin: columns, property, changes = {} }: SettledRow, cellName: CellName): object {
  const after = { ...property?.values, ...fields, ...Object.fromEntries(Object.entries(changes).map(([name, [, value]]) => [name, value])) }
  const { strong, weak } = addressKeys(after)
  const origin = Object.fromEntries(Object.entries(columns).map(([name, letter]) => [name, cellName(letter, number)]))
  return { ...fields, custom, origin, address_key: strong, weak_address_key: weak }
}
