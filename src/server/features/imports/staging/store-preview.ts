import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { Reader } from '#server/access/viewer.ts'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import type { ImportRecord } from '#server/features/imports/imports.queries.ts'
import { rangeKeys, rowKeys } from '#server/features/imports/pipeline/match/row-links.ts'
import type { PlannedRow } from '#server/features/imports/pipeline/plan/planned-row.ts'
import type { DivestedRow } from '#server/features/imports/pipeline/plan/propose-divested.ts'
import { hasError, tivOf } from '#server/features/imports/pipeline/validate/results.ts'
import { mergesOf, rowLocator, rowNames } from '#server/features/imports/selected-sheets.ts'
import { DATA_ROWS, SKIPPED_ROWS, copyRows } from './staged-rows.ts'

const RESET = `tab = CASE WHEN ${SKIPPED_ROWS} THEN 'excluded' END, fields = '{}', issues = '[]', has_error = false, changes = NULL,
  candidates = NULL, tiv = NULL, match_rule = NULL, match_keys = NULL, property_id = CASE WHEN matched_by_hand THEN property_id END`
const RESULT = `fields = p.fields, issues = p.issues, has_error = p.has_error, tab = p.tab, match_rule = p.match_rule,
  property_id = CASE WHEN r.matched_by_hand THEN r.property_id ELSE p.property_id END, candidates = p.candidates, changes = p.changes,
  tiv = p.tiv, match_keys = p.match_keys`
/** Without rows whose result is the same as before: writing all rows takes a quarter of the time of a preview. */
const IS_CHANGED = `(r.fields, r.issues, r.has_error, r.tab, r.match_rule, r.candidates, r.changes, r.tiv, r.match_keys,
    CASE WHEN NOT r.matched_by_hand THEN r.property_id END) IS DISTINCT FROM (p.fields, p.issues, p.has_error, p.tab, p.match_rule,
    p.candidates, p.changes, p.tiv, p.match_keys, CASE WHEN NOT r.matched_by_hand THEN p.property_id END)`
const COLUMNS =
  'row_number integer, fields jsonb, issues jsonb, has_error boolean, tab text, property_id uuid, match_rule text, candidates uuid[], changes jsonb, tiv bigint, match_keys jsonb'

/** Stores the plan of every row with its staged cells, in one statement for all rows that changed. */
export async function storePreview(
  client: PoolClient,
  record: ImportRecord,
  rows: readonly PlannedRow[],
  removals: readonly DivestedRow[],
): Promise<void> {
  await client.query(`CREATE TEMP TABLE preview_rows (${COLUMNS}) ON COMMIT DROP`)
  await copyRows(client, 'preview_rows', linesOf(record, rows))
  await client.query(`UPDATE import_rows SET ${RESET} WHERE import_id = $1 AND NOT (${DATA_ROWS})`, [record.id])
  await client.query(
    `UPDATE import_rows r SET ${RESULT} FROM preview_rows p WHERE r.import_id = $1 AND r.row_number = p.row_number AND ${IS_CHANGED}`,
    [record.id],
  )
  const lines = removals.map(({ property, ...removal }) => ({ ...removal, property_id: property.id, tiv: tivOf(property.values) }))
  await client.query(
    `UPDATE import_rows r SET tab = 'remove', property_id = s.property_id, tiv = s.tiv,
        fields = jsonb_build_object('sold_on', s."divestedOn", 'exact', s.exact)
      FROM jsonb_to_recordset($2::jsonb) AS s (number integer, property_id uuid, tiv bigint, "divestedOn" text, exact boolean)
      WHERE r.import_id = $1 AND r.row_number = s.number`,
    [record.id, JSON.stringify(lines)],
  )
}

/** Stores the plan of some rows. Those of `numbers` that are not locations any longer lose theirs. */
export async function storeRows(db: Reader, record: ImportRecord, rows: readonly PlannedRow[], numbers: readonly number[]): Promise<void> {
  await sql`UPDATE import_rows SET ${sql.raw(RESET)}
    WHERE import_id = ${record.id} AND row_number = ANY(${[...numbers]}::integer[]) AND kind <> 'sold' AND NOT (${sql.raw(DATA_ROWS)})`.execute(
    db,
  )
  for (const [row_number, fields, issues, has_error, tab, property_id, match_rule, candidates, changes, tiv, match_keys] of linesOf(
    record,
    rows,
  )) {
    await sql`UPDATE import_rows r SET ${sql.raw(RESULT)} FROM (SELECT ${fields}::jsonb AS fields, ${issues}::jsonb AS issues,
        ${has_error}::boolean AS has_error, ${tab}::text AS tab, ${property_id}::uuid AS property_id, ${match_rule}::text AS match_rule,
        ${candidates}::uuid[] AS candidates, ${changes}::jsonb AS changes, ${tiv}::bigint AS tiv, ${match_keys}::jsonb AS match_keys) p
      WHERE r.import_id = ${record.id} AND r.row_number = ${row_number}`.execute(db)
  }
}

/** The cells that left their field empty, with their text, by field: the provenance of the empty field. */
function unreadCells({ number, fields, issues }: PlannedRow, cellReference: (letter: string, number: number) => string) {
  const unread = issues.flatMap(({ field, column, value }) =>
    field !== null && column !== null && value !== null && fields[field] === undefined
      ? [[field, `${cellReference(column, number)}: “${value}”`] as const]
      : [],
  )
  return Object.fromEntries(unread)
}

/** The columns of the fields; an address with its house number in another column has two cells. */
function originOf({ number, origin, houseNumberFrom }: PlannedRow, cellReference: (letter: string, number: number) => string) {
  if (houseNumberFrom === undefined || origin.address === undefined) return origin
  const cells = [origin.address, houseNumberFrom].map((letter) => cellReference(letter, number))
  return { ...origin, address: cells.join(' and ') }
}

function* linesOf(record: ImportRecord, rows: readonly PlannedRow[]) {
  const { cellReference } = rowNames(record)
  const locate = rowLocator(record)
  const rangesOf = rangeKeys(mergesOf(record))
  for (const row of rows) {
    const { number, fields, custom, issues, tab, property, rule, candidates, changes = {}, tiv } = row
    const changed = Object.entries(changes).map(([name, [, value]]) => [name, value])
    // The register will store the address of the row merged with the one of the property.
    const keys = property ? addressKeys({ ...property.values, ...fields, ...Object.fromEntries(changed) }) : row.keys
    yield [
      number,
      JSON.stringify({
        ...fields,
        custom,
        origin: originOf(row, cellReference),
        unread: unreadCells(row, cellReference),
        address_key: keys.strong,
        weak_address_key: keys.weak,
      }),
      JSON.stringify(issues),
      hasError(issues),
      tab,
      property?.id ?? null,
      rule,
      candidates.length === 0 ? null : `{${candidates.map(({ id }) => id).join(',')}}`,
      changed.length === 0 ? null : JSON.stringify(changes),
      tiv,
      JSON.stringify([...rowKeys(row), ...rangesOf(locate(number).sheet?.index ?? 0, locate(number).row)]),
    ] as const
  }
}
