import { sql } from 'kysely'
import { PROPERTY_DEFAULTS } from '#contract/property-fields.ts'
import type { Reader } from '#server/access/viewer.ts'
import type { ImportRecord } from '#server/features/imports/imports.queries.ts'
import type { ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { hasUnclearAreas, hasUnclearDates, type UnclearCells } from '#server/features/imports/pipeline/plan/cell-questions.ts'
import { sheetName } from '#server/features/imports/selected-sheets.ts'

/** What is known about dates that can be read in two ways, and about areas without a unit; undefined if there are none. */
export async function unclearCells(
  db: Reader,
  record: ImportRecord,
  plan: ReadPlan,
  sold: ImportRecord['counts']['sold'],
  marked: { column: string; date: string } | undefined,
): Promise<UnclearCells | undefined> {
  const ofSheets = sold.flatMap(({ index, unclearDate: date }) =>
    date === undefined ? [] : [{ place: `sheet “${sheetName(record, index)}”`, date }],
  )
  const divested = ofSheets[0] ?? (marked && { place: `column ${marked.column}`, date: marked.date })
  if (divested === undefined && !plan.columns.some((column) => hasUnclearDates(column) || hasUnclearAreas(column))) return undefined
  const { country, currency } = PROPERTY_DEFAULTS
  const [countries, currencies] = [await rowsBy(db, record.id, 'country'), await rowsBy(db, record.id, 'currency')]
  // These are also filled in where the file names none. A state shows that the country is right.
  countries.set(country, await rowsInStates(db, record.id, country))
  currencies.delete(currency)
  const dates = record.sheets.map(({ clearDates }) => clearDates)
  return { facts: { dates, countries, currencies, headers: record.columns.map(({ header }) => header) }, divested }
}

async function rowsBy(db: Reader, importId: string, field: 'country' | 'currency'): Promise<Map<string, number>> {
  const { rows } = await sql<{ value: string; count: number }>`SELECT fields->>${field} AS value, count(*)::int AS count FROM import_rows
    WHERE import_id = ${importId} AND kind = 'data' AND fields ? ${field} GROUP BY 1`.execute(db)
  return new Map(rows.map(({ value, count }) => [value, count]))
}

async function rowsInStates(db: Reader, importId: string, country: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM import_rows
    WHERE import_id = ${importId} AND kind = 'data' AND fields->>'country' = ${country} AND fields->>'state' IS NOT NULL`.execute(db)
  return rows[0]?.count ?? 0
}
